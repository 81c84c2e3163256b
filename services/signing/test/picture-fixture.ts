// Pictures for logos: PNG of every kind, encoded here, and two small JPEG files. For tests.
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import type { EventData } from '@paraph/protocol/events'
import type { DrawnBrand } from '../src/brand/brands.js'
import { pngChunk } from '@paraph/testing/test/logo-fixture'

export type Logo = NonNullable<DrawnBrand['logo']>

/** The numbers of PNG for the kinds of pixels, and how many samples each has. [PNG, IHDR] */
const KINDS = { grey: [0, 1], rgb: [2, 3], palette: [3, 1], greyAlpha: [4, 2], rgba: [6, 4] } as const

interface PngOptions {
  kind?: keyof typeof KINDS
  bits?: 8 | 16
  width?: number
  height?: number
  /** Alpha of the colours of a palette. */
  alphas?: readonly number[]
  /** Distinguishes pictures of one kind. */
  seed?: number
  /** The sample of a pixel, from 0 to 255. */
  sample?: (x: number, y: number, channel: number) => number
}

/** A PNG with sloping colours, and alpha from 0 to 255 if the kind has it. */
export function pngLogo({
  kind = 'rgb',
  bits = 8,
  width = 60,
  height = 20,
  alphas,
  seed = 0,
  sample = (x, y, channel) => (seed + x * 4 + y * (channel + 1)) % 256,
}: PngOptions = {}): Logo {
  const [type, samples] = KINDS[kind]
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Array.from({ length: width * samples }, (__, at) => {
      const value = sample(Math.floor(at / samples), y, at % samples)
      return kind === 'palette' ? [value % 4] : bits === 16 ? [value, value] : [value]
    })
    return Buffer.from([0, ...row.flat()])
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([bits, type, 0, 0, 0], 8)
  const palette = [16, 32, 48, 200, 30, 30, 30, 200, 30, 240, 240, 240]
  const bytes = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...(kind === 'palette' ? [pngChunk('PLTE', Buffer.from(palette))] : []),
    ...(alphas ? [pngChunk('tRNS', Buffer.from(alphas))] : []),
    pngChunk('IDAT', deflateSync(Buffer.concat(rows))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
  return { type: 'png', width, height, bytes }
}

const JPEGS = {
  colour:
    '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAQADADASIAAhEBAxEB/8QAFwABAQEBAAAAAAAAAAAAAAAAAwACBP/EACYQAAAEBQEJAAAAAAAAAAAAAAQREhMAAQMFFQIhI0JRU2FxotH/xAAWAQEBAQAAAAAAAAAAAAAAAAAAAwT/xAAaEQACAwEBAAAAAAAAAAAAAAAAEQITIhJh/9oADAMBAAIRAxEAPwDFotOTe3zTaeBRmfeXKK72nGM751xXAkiLvPnFaLtjHty64njSRH2nziu92ybO5abVxqMy7S5QMWOPTlDA64tTFNaSPbKRH5h8OP6Hvp+wAYZXCKYqIUR7JTMvMPmB/X9NPyJyseUhGpabLDj+h76fsAJB1wiX6aFGW2UzLxD5gf1/TT8gBIyuLS/UWky2SkR+IRsekhKpZbP/2Q==',
  grey: '/9j/4AAQSkZJRgABAgAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/wAALCAAQADABAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/AIPBPgn/AITH7d/xMPsn2Xy/+WPmbt27/aGMbf1o8beCf+EO+w/8TD7X9q8z/lj5e3bt/wBo5zu/SsXStB1PW/O/s6287ydu/wDeKuM5x94j0NaP/CBeJf8AoG/+R4//AIqj/hAvEv8A0Df/ACPH/wDFVnaroOp6J5P9o23k+du2fvFbOMZ+6T6itrwT42/4Q77d/wAS/wC1/avL/wCW3l7du7/ZOc7v0o8beNv+Ex+w/wDEv+yfZfM/5beZu3bf9kYxt/WsXSte1PRPO/s658nztu/92rZxnH3gfU1o/wDCe+Jf+gl/5Aj/APiaP+E98S/9BL/yBH/8TWdquvanrfk/2jc+d5O7Z+7VcZxn7oHoK//Z',
}

/** A JPEG of colours, or of greys alone. */
export const jpegLogo = (kind: keyof typeof JPEGS = 'colour'): Logo => {
  return { type: 'jpeg', width: 48, height: 16, bytes: Buffer.from(JPEGS[kind], 'base64') }
}

/** The logo as a service receives it in an event. */
export function logoData({ bytes, ...facts }: Logo): EventData<'account.brand_changed'>['logo'] {
  return { ...facts, sha256: createHash('sha256').update(bytes).digest('hex'), hex: Buffer.from(bytes).toString('hex') }
}
