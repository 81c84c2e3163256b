// The worker thread that decodes one picture, which may be hostile, and encodes its pixels again. Nothing else of the file survives:
// no metadata, no colour profile, no second frame, no byte after the end. [D59]
// The orientation in EXIF is not applied: a logo comes from an editor, not from a camera. The colours count as sRGB, whatever a profile
// says: those of a wider gamut become a little paler.
import { readFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { LogoType } from '@paraph/protocol/brand'
import { encodePng, type Pixels } from './encode-png.js'

export interface LogoJob {
  file: ArrayBuffer
  type: LogoType
}

/** Null: the picture cannot be decoded. */
export type LogoAnswer = { bytes: Uint8Array; width: number; height: number } | null

const JPEG_QUALITY = 85

// The pages go first. Linux has a priority for each thread; elsewhere this would slow the pages too.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)

const readCodec = (path: string): Promise<Buffer> => readFile(new URL(import.meta.resolve(`@jsquash/${path}`)))

const CODECS = {
  async png(file: ArrayBuffer) {
    const { decode, init } = await import('@jsquash/png/decode.js')
    await init(await readCodec('png/codec/pkg/squoosh_png_bg.wasm'))
    const pixels: Pixels = await decode(file)
    return { pixels, bytes: encodePng(withoutHiddenColours(pixels)) }
  },
  async jpeg(file: ArrayBuffer) {
    const decoder = await import('@jsquash/jpeg/decode.js')
    const encoder = await import('@jsquash/jpeg/encode.js')
    await decoder.init(silent(await readCodec('jpeg/codec/dec/mozjpeg_dec.wasm')))
    await encoder.init(silent(await readCodec('jpeg/codec/enc/mozjpeg_enc.wasm')))
    const pixels = await decoder.default(file)
    return { pixels, bytes: new Uint8Array(await encoder.default(pixels, { quality: JPEG_QUALITY })) }
  },
}

/** Without warnings, which the codec would print. */
const silent = (wasmBinary: Buffer) => ({ wasmBinary, noInitialRun: true, printErr: () => undefined })

/** A program that ignores transparency would show what nobody approved. */
function withoutHiddenColours(pixels: Pixels): Pixels {
  const { data } = pixels
  for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 0) data.fill(0, at, at + 4)
  return pixels
}

async function encodeAgain({ file, type }: LogoJob): Promise<LogoAnswer> {
  const { pixels, bytes } = await CODECS[type](file)
  return { bytes, width: pixels.width, height: pixels.height }
}

parentPort!.once('message', (job: LogoJob) => {
  void encodeAgain(job)
    .catch((): LogoAnswer => null)
    .then((answer) => parentPort!.postMessage(answer))
})
