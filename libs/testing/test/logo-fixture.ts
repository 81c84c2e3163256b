// A logo as a company has one: a disc with a wave beside four letters, on no ground. Drawn here, because no file of a picture belongs among
// the sources. For tests and pictures.
import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

/** A PNG of these pixels. @param pixel red, green, blue, alpha */
export function encodePng(width: number, height: number, pixel: (x: number, y: number) => readonly number[]): Buffer {
  const row = (y: number): Buffer => Buffer.from([0, ...Array.from({ length: width }, (_, x) => pixel(x, y)).flat()])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits a channel, colour with alpha.
  header.set([8, 6], 8)
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, (_, y) => row(y))))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** A chunk with its length and checksum. [PNG, 5.3] */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

type Point = readonly [x: number, y: number]

const GREEN = [11, 110, 79]
const INK = [23, 32, 42]
/** The strokes of the letters, in a box from 0 to 1. */
// prettier-ignore
const LETTERS: readonly (readonly Point[])[] = [
  [[0, 1], [0, 0], [1, 1], [1, 0]],
  [[0.3, 0], [0.7, 0], [1, 0.3], [1, 0.7], [0.7, 1], [0.3, 1], [0, 0.7], [0, 0.3], [0.3, 0]],
  [[0, 1], [0, 0], [0.7, 0], [0.95, 0.15], [0.95, 0.4], [0.7, 0.55], [0, 0.55], [0.55, 0.55], [1, 1]],
  [[0, 0], [0.6, 0], [1, 0.3], [1, 0.7], [0.6, 1], [0, 1], [0, 0]],
]

/** The distance from a point to the line between two others. */
function distance([x, y]: Point, [fromX, fromY]: Point, [toX, toY]: Point): number {
  const [alongX, alongY] = [toX - fromX, toY - fromY]
  const share = ((x - fromX) * alongX + (y - fromY) * alongY) / (alongX ** 2 + alongY ** 2)
  const at = Math.min(1, Math.max(0, share))
  return Math.hypot(x - fromX - at * alongX, y - fromY - at * alongY)
}

/** The colour and the opacity of a pixel: a green disc with a wave, then the letters, on no ground. */
function pixel(x: number, y: number): number[] {
  const disc = 54 - Math.hypot(x - 60, y - 60)
  if (disc > -1) {
    const wave = Math.abs(y - 60 - 14 * Math.sin((x - 60) / 14)) - 6
    return [...GREEN, 255 * Math.min(1, Math.max(0, disc)) * Math.min(1, Math.max(0, wave))]
  }
  const toStroke = LETTERS.map((points, index) => {
    const inPixels = points.map(([left, top]): Point => [148 + index * 82 + left * 50, 30 + top * 60])
    return Math.min(...inPixels.slice(1).map((point, at) => distance([x, y], inPixels[at]!, point)))
  })
  return [...INK, 255 * Math.min(1, Math.max(0, 7 - Math.min(...toStroke)))]
}

const bytes = encodePng(460, 120, pixel)

export const SAMPLE_ACCENT = '#0b6e4f'
export const SAMPLE_LOGO_FACTS = {
  type: 'png' as const,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  width: 460,
  height: 120,
}
export const SAMPLE_LOGO = { ...SAMPLE_LOGO_FACTS, bytes }
