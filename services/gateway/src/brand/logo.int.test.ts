// Uploaded pictures, read in real threads: what comes out, what of a file survives, and what hostile files cost. [D59]
import { pngChunk } from '@paraph/testing/test/logo-fixture'
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { expect, it } from '@jest/globals'
import { LOGO_BYTES_MAX } from '@paraph/protocol/brand'
import { DomainError } from '@paraph/protocol/errors'
import { growthOf } from '@paraph/testing/memory-growth'
import { threadsOf } from '@paraph/testing/thread-count'
import {
  chunksOf,
  fromJpeg,
  fromPng,
  noisePicture,
  picture,
  pngOf,
  toJpeg,
  toPng,
  withChunks,
  withoutTable,
  withScans,
  withSegment,
} from '../../test/picture-fixture.js'
import type { Pixels } from './encode-png.js'
import { createLogoReader, type Logo } from './logo.js'

const SECRET = 'SECRET-PLACE-AND-NAME'
const { read } = createLogoReader()

const few = picture(60, 40, (x, y) => [y < 20 ? 200 : 10, x < 30 ? 40 : 90, 120, y < 10 ? 0 : 255])
const opaque = picture(60, 40, (x, y) => [x < 30 ? 200 : 10, y < 20 ? 40 : 90, 120, 255])
const many = picture(300, 200, (x, y) => [(x + 9) % 256, y, (x + y) % 256, 255])
const clear = picture(300, 200, (x, y) => [(x + 9) % 256, y, 7, ((x * 3 + y) % 255) + 1])

async function readLogo(file: Buffer): Promise<Logo> {
  const logo = await read(file)
  if ('wrong' in logo) throw new Error(logo.wrong)
  expect(logo.sha256).toBe(createHash('sha256').update(logo.bytes).digest('hex'))
  expect(logo.bytes.includes(SECRET)).toBe(false)
  return logo
}

/** Nobody sees the colour of a pixel that is fully transparent. */
function visible({ data }: Pixels): Uint8ClampedArray {
  return data.map((byte, at) => (data[at - (at % 4) + 3] === 0 ? 0 : byte))
}

it.each([
  ['few colours', few],
  ['few opaque colours', opaque],
  ['many colours', many],
  ['many colours with alpha', clear],
])('a PNG with %s keeps its size, its pixels and its alpha, and is encoded again [D59]', async (_what, pixels) => {
  const file = await toPng(pixels)
  const logo = await readLogo(file)
  expect(logo).toMatchObject({ type: 'png', width: pixels.width, height: pixels.height })
  expect(logo.bytes.equals(file)).toBe(false)
  expect(visible(await fromPng(logo.bytes))).toEqual(visible(pixels))
})

it('a JPEG keeps its size and nearly its colours, and is encoded again [D59]', async () => {
  const file = await toJpeg(many)
  const logo = await readLogo(file)
  expect(logo).toMatchObject({ type: 'jpeg', width: 300, height: 200 })
  expect(logo.bytes.equals(file)).toBe(false)
  const { data } = await fromJpeg(logo.bytes)
  const difference = data.reduce((sum, byte, at) => sum + Math.abs(byte - many.data[at]!), 0) / data.length
  expect(difference).toBeLessThan(8)
})

it('a palette and 16 bits of a PNG become the same colours [D59]', async () => {
  const palette = pngChunk('PLTE', Buffer.from([255, 0, 0, 0, 0, 255]))
  const indexes = deflateSync(Buffer.from([0, 0, 1, 0, 1, 0]))
  const small = pngOf({ width: 2, height: 2, colours: 3, data: indexes, between: [palette] })
  const red = [255, 0, 0, 255]
  const blue = [0, 0, 255, 255]
  expect([...(await fromPng((await readLogo(small)).bytes)).data]).toEqual([...red, ...blue, ...blue, ...red])
  const deep = pngOf({ width: 1, height: 1, colours: 2, data: deflateSync(Buffer.from([0, 9, 1, 8, 2, 7, 3])) })
  deep[24] = 16
  expect([...(await fromPng((await readLogo(deep)).bytes)).data]).toEqual([9, 8, 7, 255])
})

it('nothing of a file survives but its pixels: no text, no EXIF, no second frame, no colour below alpha 0 [D59]', async () => {
  const secret = Buffer.from(`Comment\0${SECRET}`)
  const frame = Buffer.concat([Buffer.alloc(4), Buffer.from(SECRET)])
  const file = withChunks(
    await toPng(few),
    pngChunk('tEXt', secret),
    pngChunk('eXIf', secret),
    pngChunk('iCCP', Buffer.concat([Buffer.from(`${SECRET}\0\0`), deflateSync(secret)])),
    pngChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])),
  )
  const animated = Buffer.concat([file.subarray(0, -12), pngChunk('fdAT', frame), file.subarray(-12)])
  const polyglot = Buffer.concat([animated, Buffer.from(`<html><script>alert("${SECRET}")</script>`)])
  const { bytes } = await readLogo(polyglot)
  expect(chunksOf(bytes)).toEqual(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])
  expect([...(await fromPng(bytes)).data.subarray(0, 4)]).toEqual([0, 0, 0, 0])

  const tagged = withSegment(await toJpeg(many), 0xe1, Buffer.from(`Exif\0\0${SECRET}`))
  const commented = withSegment(withSegment(tagged, 0xfe, secret), 0xe2, Buffer.from(`ICC_PROFILE\0\x01\x01${SECRET}`))
  const cleaned = await readLogo(Buffer.concat([commented, Buffer.from(`<html>${SECRET}`)]))
  for (const part of ['Exif', 'ICC_PROFILE', 'Comment']) expect(cleaned.bytes.includes(part)).toBe(false)
  expect(cleaned.bytes.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]))
})

/** As many zeros as 100 KB hold compressed. */
const zeros = deflateSync(Buffer.alloc(96_000_000), { level: 9 })
const bomb = { width: 1_200, height: 1_200, data: zeros }
const namedBomb = Buffer.concat([Buffer.from('x\0\0'), zeros])
const [png, jpeg] = [await toPng(few), await toJpeg(many)]
const plain = await toJpeg(picture(1_200, 1_200, () => [9, 9, 9, 255]))

it.each([
  ['a PNG without pixels', 'damaged', pngOf({ width: 1_200, height: 1_200 })],
  ['a PNG that is cut off', 'damaged', png.subarray(0, -40)],
  ['a PNG with 96 MB of pixels', 'cleaned', pngOf(bomb)],
  ['a small PNG with 96 MB of pixels', 'cleaned', pngOf({ ...bomb, width: 1, height: 1 })],
  ['a PNG with 96 MB of colour profile', 'damaged', withChunks(png, pngChunk('iCCP', namedBomb))],
  ['a PNG with 96 MB of text', 'cleaned', withChunks(png, pngChunk('zTXt', namedBomb))],
  ['a JPEG with nearly 100 scans', 'cleaned', withScans(plain, 85)],
  ['a JPEG with thousands of scans', 'damaged', withScans(plain, 7_000)],
  ['a JPEG without a table', 'damaged', withoutTable(jpeg)],
  ['noise', 'tooDetailed', await toJpeg(noisePicture(700, 700), 30)],
])('%s is %s, and memory is bounded [D59]', async (what, outcome, file) => {
  expect(file.length).toBeLessThanOrEqual(LOGO_BYTES_MAX)
  const startedAt = performance.now()
  const { result, megabytes } = await growthOf(() => read(file))
  const seconds = (performance.now() - startedAt) / 1_000
  const got = 'wrong' in result ? result.wrong : 'cleaned'
  process.stdout.write(`${what}: ${got}, ${megabytes.toFixed(0)} MB, ${seconds.toFixed(1)} s\n`)
  expect(got).toBe(outcome)
  expect(megabytes).toBeLessThan(250)
})

it('a picture that takes too much CPU is refused as damaged, and one that waits too long is answered 503 [D59]', async () => {
  const file = await toPng(many)
  expect(await createLogoReader({ cpuMsMax: 1 }).read(file)).toEqual({ wrong: 'damaged' })
  await expect(createLogoReader({ timeMsMax: 1 }).read(file)).rejects.toMatchObject({ status: 503 })
})

it('ten pictures at the same time use one thread at a time: four are read, six are answered 503 [D59]', async () => {
  const file = await toPng(many)
  const { result, started, most } = await threadsOf(() =>
    Promise.all(
      Array.from({ length: 10 }, () =>
        read(file).catch((error: unknown) => (error instanceof DomainError ? error.status : error)),
      ),
    ),
  )
  expect(result.filter((each) => each === 503)).toHaveLength(6)
  expect(result.filter((each) => typeof each === 'object')).toHaveLength(4)
  expect([started, most]).toEqual([4, 1])
  expect(await read(file)).toMatchObject({ type: 'png' })
})

it('a file that is no picture starts no thread [D59]', async () => {
  const files = [Buffer.from('<svg>'), Buffer.alloc(0), pngOf({ width: 30_000, height: 30_000 })]
  const { result, started } = await threadsOf(() => Promise.all(files.map(read)))
  expect([result, started]).toEqual([[{ wrong: 'svg' }, { wrong: 'empty' }, { wrong: 'tooWide' }], 0])
})
