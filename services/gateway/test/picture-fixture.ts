// Pictures for the tests of the logo, made by the codecs alone, and parts to hide in them.
import { randomFillSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import decodeJpeg, { init as initJpegDecoder } from '@jsquash/jpeg/decode.js'
import encodeJpeg, { init as initJpegEncoder } from '@jsquash/jpeg/encode.js'
import { decode as decodePng, init as initPngDecoder } from '@jsquash/png/decode.js'
import encodePng, { init as initPngEncoder } from '@jsquash/png/encode.js'
import type { Pixels } from '@paraph/gateway/brand/encode-png'
import { pngChunk } from '@paraph/testing/test/logo-fixture'

const readCodec = (path: string): Promise<Buffer> => readFile(new URL(import.meta.resolve(`@jsquash/${path}`)))
const emscripten = async (path: string) => ({ noInitialRun: true, wasmBinary: await readCodec(path) })
const png = await readCodec('png/codec/pkg/squoosh_png_bg.wasm')
await Promise.all([
  initPngDecoder(png),
  initPngEncoder(png),
  initJpegDecoder(await emscripten('jpeg/codec/dec/mozjpeg_dec.wasm')),
  initJpegEncoder(await emscripten('jpeg/codec/enc/mozjpeg_enc.wasm')),
])

/** A copy with an ArrayBuffer of its own, as the codecs want it. */
const bufferOf = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer

export const toPng = async (pixels: Pixels): Promise<Buffer> => Buffer.from(await encodePng(pixels as ImageData))
export const fromPng = (file: Buffer): Promise<Pixels> => decodePng(bufferOf(file))
/** A progressive JPEG. */
export const toJpeg = async (pixels: Pixels, quality = 90): Promise<Buffer> =>
  Buffer.from(await encodeJpeg(pixels as ImageData, { quality }))
export const fromJpeg = (file: Buffer): Promise<Pixels> => decodeJpeg(bufferOf(file))

/** @param paint RGBA of a pixel */
export function picture(width: number, height: number, paint: (x: number, y: number) => number[]): Pixels {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let at = 0; at < width * height; at += 1) data.set(paint(at % width, Math.floor(at / width)), at * 4)
  return { data, width, height }
}

export function noisePicture(width: number, height: number): Pixels {
  const random = randomFillSync(Buffer.alloc(width * height))
  return picture(width, height, (x, y) => [...Array<number>(3).fill(random[y * width + x]!), 255])
}

interface PngParts {
  width: number
  height: number
  /** 2: RGB, 3: palette, 6: RGBA. */
  colours?: number
  /** Compressed. */
  data?: Buffer
  /** Chunks between the header and the pixels. */
  between?: Buffer[]
}

/** A PNG with any header, however false. */
export function pngOf({ width, height, colours = 6, data = deflateSync(''), between = [] }: PngParts): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, colours, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const chunks = [pngChunk('IHDR', header), ...between, pngChunk('IDAT', data), pngChunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([start, ...chunks])
}

/** Puts chunks behind the header of a PNG. */
export const withChunks = (file: Buffer, ...chunks: Buffer[]): Buffer =>
  Buffer.concat([file.subarray(0, 33), ...chunks, file.subarray(33)])

/** Puts a segment at the beginning of a JPEG. */
export function withSegment(file: Buffer, marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xd8, 0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 4)
  return Buffer.concat([head, data, file.subarray(2)])
}

/** The first place of a marker in a JPEG without further pictures in it. */
const placeOf = (file: Buffer, marker: number): number => file.indexOf(Buffer.from([0xff, marker]))

/** A JPEG whose frame says another size. */
export function withFrame(file: Buffer, { width, height }: { width: number; height: number }): Buffer {
  const copy = Buffer.from(file)
  const at = placeOf(copy, 0xc2)
  copy.writeUInt16BE(height, at + 5)
  copy.writeUInt16BE(width, at + 7)
  return copy
}

/** A JPEG without its first Huffman table, which becomes a comment. */
export function withoutTable(file: Buffer): Buffer {
  const copy = Buffer.from(file)
  copy[placeOf(copy, 0xc4) + 1] = 0xfe
  return copy
}

/** A JPEG with its last scan repeated. */
export function withScans(file: Buffer, count: number): Buffer {
  const last = file.subarray(file.lastIndexOf(Buffer.from([0xff, 0xda])), -2)
  return Buffer.concat([file.subarray(0, -2), ...Array.from({ length: count }, () => last), file.subarray(-2)])
}

/** The names of the chunks of a PNG, up to the last byte. */
export function chunksOf(file: Buffer): string[] {
  const names = []
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
    names.push(file.toString('latin1', at + 4, at + 8))
  return names
}
