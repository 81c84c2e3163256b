// Files that are no logo are refused by their first bytes, before anything decodes them. [D59]
import { expect, it } from '@jest/globals'
import { picture, pngOf, toJpeg, toPng, withFrame, withScans, withSegment } from '../../test/picture-fixture.js'
import { readLogoHeader } from './logo-header.js'

const square = picture(40, 30, (x, y) => [x * 6, y * 8, 99, 255])
const png = await toPng(square)
const jpeg = await toJpeg(square)
const edited = (file: Buffer, at: number, byte: number): Buffer => {
  const copy = Buffer.from(file)
  copy[at] = byte
  return copy
}
const components = jpeg.indexOf(Buffer.from([0xff, 0xc2])) + 9

it('a PNG and a JPEG have the type and the size that they say [D59]', () => {
  expect(readLogoHeader(png)).toEqual({ type: 'png', width: 40, height: 30 })
  expect(readLogoHeader(jpeg)).toEqual({ type: 'jpeg', width: 40, height: 30 })
  expect(readLogoHeader(withFrame(jpeg, { width: 1_200, height: 1_200 }))).toMatchObject({ width: 1_200 })
  expect(readLogoHeader(pngOf({ width: 1_200, height: 1_200 }))).toMatchObject({ height: 1_200 })
})

it.each([
  ['nothing', 'empty', Buffer.alloc(0)],
  ['100,001 bytes', 'tooLarge', Buffer.concat([png, Buffer.alloc(100_001 - png.length)])],
  ['text', 'otherType', Buffer.from('a logo')],
  ['a GIF', 'otherType', Buffer.from('GIF89a\x01\0\x01\0\x80\0\0')],
  ['HTML', 'otherType', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['an SVG', 'svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['an SVG with a prologue', 'svg', Buffer.from(`<?xml version="1.0"?>\n<!-- ${'x'.repeat(900)} -->\n<SVG>`)],
  ['a PNG of 30,000 pixels', 'tooWide', pngOf({ width: 30_000, height: 30_000 })],
  ['a PNG of 1,201 pixels', 'tooWide', pngOf({ width: 1, height: 1_201 })],
  ['a PNG of 4 billion pixels', 'tooWide', pngOf({ width: 0xffff_ffff, height: 1 })],
  ['a PNG without pixels', 'damaged', pngOf({ width: 0, height: 9 })],
  ['a PNG that ends in its header', 'damaged', png.subarray(0, 20)],
  ['a PNG whose first chunk is another', 'otherType', edited(png, 12, 0x4a)],
  ['a JPEG of 65,535 pixels', 'tooWide', withFrame(jpeg, { width: 65_535, height: 65_535 })],
  ['a JPEG that says its height later', 'damaged', withFrame(jpeg, { width: 40, height: 0 })],
  ['a JPEG with two frames', 'damaged', withSegment(jpeg, 0xc0, Buffer.from([8, 0, 30, 0, 40, 1, 1, 0x11, 0]))],
  ['a JPEG in CMYK', 'damaged', edited(jpeg, components, 4)],
  ['a lossless JPEG', 'damaged', edited(jpeg, components - 8, 0xc3)],
  ['a JPEG that is cut off', 'damaged', jpeg.subarray(0, -2)],
  ['a JPEG that is cut off in its frame', 'damaged', jpeg.subarray(0, components)],
  ['the start of a JPEG', 'damaged', Buffer.from([0xff, 0xd8, 0xff])],
  ['a JPEG with a byte between its segments', 'damaged', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 2, 7, 0xff, 0xd9])],
  ['a JPEG with a thousand scans', 'damaged', withScans(jpeg, 1_000)],
])('%s is refused as %s [D59]', (_what, fault, file) => {
  expect(readLogoHeader(file)).toEqual({ wrong: fault })
})

it('a JPEG that is cut off anywhere is refused [D59]', () => {
  for (let length = 3; length < jpeg.length; length += 1)
    expect([length, readLogoHeader(jpeg.subarray(0, length))]).toEqual([length, { wrong: 'damaged' }])
})

it('what lies in a segment of a JPEG is not read as a part of the picture [D59]', async () => {
  const inner = await toJpeg(picture(8, 8, () => [1, 2, 3, 255]))
  expect(readLogoHeader(withSegment(jpeg, 0xe1, inner))).toMatchObject({ width: 40, height: 30 })
  expect(readLogoHeader(withSegment(jpeg, 0xe1, inner).subarray(0, -2))).toEqual({ wrong: 'damaged' })
})
