// Makes the PNG of a screenshot smaller: converts 8-bit true colour to a palette. Pure.
// A page has few colours, and many shades at the edges of letters. Shades that nobody can distinguish are merged. [PNG, RFC 2083]
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PALETTE_MAX = 96
/** Merges two colours up to this squared distance in RGB. The backgrounds of an info box and of the page, at 138, stay distinct. */
const ALIKE = 100
/** Colour type of a PNG → bytes per pixel. */
const CHANNELS: Record<number, number> = { 2: 3, 6: 4 }

interface Picture {
  width: number
  height: number
  /** One number 0xRRGGBB for each pixel. */
  pixels: Uint32Array
}

/** @throws Error if `png` is not an 8-bit RGB or RGBA PNG without interlacing, the format of browser screenshots */
export function toPalettePng(png: Buffer): Buffer {
  const picture = decode(png)
  const counts = new Map<number, number>()
  for (const colour of picture.pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const byCount = [...counts].toSorted(([a, countA], [b, countB]) => countB - countA || a - b).map(([colour]) => colour)
  const palette: number[] = []
  // Takes the most frequent colours first, so that flat areas keep their colours and only the edges of letters change.
  for (const colour of byCount) {
    if (palette.length < PALETTE_MAX && palette.every((other) => distance(other, colour) > ALIKE)) palette.push(colour)
  }
  const indexes = new Map(byCount.map((colour) => [colour, nearest(palette, colour)]))
  return encode(
    picture,
    palette,
    picture.pixels.map((colour) => indexes.get(colour)!),
  )
}

/** The index of the colour in `palette` that differs least from `colour`. */
function nearest(palette: readonly number[], colour: number): number {
  let best = 0
  for (const [index, other] of palette.entries())
    if (distance(other, colour) < distance(palette[best]!, colour)) best = index
  return best
}

function distance(a: number, b: number): number {
  const red = (a >> 16) - (b >> 16)
  const green = ((a >> 8) & 0xff) - ((b >> 8) & 0xff)
  const blue = (a & 0xff) - (b & 0xff)
  return red * red + green * green + blue * blue
}

function decode(png: Buffer): Picture {
  const data: Buffer[] = []
  let [width, height, channels] = [0, 0, 0]
  for (let at = SIGNATURE.length; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const type = png.toString('latin1', at + 4, at + 8)
    const body = png.subarray(at + 8, at + 8 + png.readUInt32BE(at))
    if (type === 'IDAT') data.push(body)
    if (type !== 'IHDR') continue
    ;[width, height, channels] = [body.readUInt32BE(0), body.readUInt32BE(4), CHANNELS[body[9]!] ?? 0]
    if (body[8] !== 8 || channels === 0 || body[12] !== 0)
      throw new Error('The picture is not an 8-bit RGB or RGBA PNG without interlacing')
  }
  const rows = unfilter(inflateSync(Buffer.concat(data)), width * channels, channels)
  return {
    width,
    height,
    pixels: new Uint32Array(width * height).map(
      (_, n) => (rows[n * channels]! << 16) | (rows[n * channels + 1]! << 8) | rows[n * channels + 2]!,
    ),
  }
}

/** The bytes of all rows, without the byte that identifies each row's filter. */
function unfilter(filtered: Buffer, rowBytes: number, channels: number): Buffer {
  const rows = Buffer.alloc((filtered.length / (rowBytes + 1)) * rowBytes)
  for (let from = 0, to = 0; to < rows.length; from += rowBytes + 1, to += rowBytes) {
    for (let x = 0; x < rowBytes; x += 1) {
      const left = x < channels ? 0 : rows[to + x - channels]!
      const above = to === 0 ? 0 : rows[to + x - rowBytes]!
      const corner = to === 0 || x < channels ? 0 : rows[to + x - rowBytes - channels]!
      rows[to + x] = filtered[from + 1 + x]! + predict(filtered[from]!, left, above, corner)
    }
  }
  return rows
}

function predict(filter: number, left: number, above: number, corner: number): number {
  if (filter === 0) return 0
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  const fromLeft = Math.abs(above - corner)
  const fromAbove = Math.abs(left - corner)
  const fromCorner = Math.abs(left + above - 2 * corner)
  if (fromLeft <= fromAbove && fromLeft <= fromCorner) return left
  return fromAbove <= fromCorner ? above : corner
}

function encode({ width, height }: Picture, palette: readonly number[], indexes: Uint32Array): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]))
  const rows = Buffer.alloc(height * (width + 1))
  for (let y = 0; y < height; y += 1) rows.set(indexes.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  const parts = [chunk('IHDR', header), chunk('PLTE', colours), chunk('IDAT', deflateSync(rows, { level: 9 }))]
  return Buffer.concat([SIGNATURE, ...parts, chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  check.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, check])
}
