// Reads the type and the size of a picture before anything is decoded. Owns which files are no logo. [D59]
import { LOGO_BYTES_MAX, LOGO_PIXELS_MAX, type LogoFacts } from '@paraph/protocol/brand'

/** Why a file is no logo. `messages.ts` has a sentence for each. */
export type LogoFault = 'empty' | 'tooLarge' | 'svg' | 'otherType' | 'tooWide' | 'damaged' | 'tooDetailed'
export type LogoHeader = Pick<LogoFacts, 'type' | 'width' | 'height'>

const PNG_START = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'
const JPEG_START = '\xff\xd8\xff'
/** An SVG may begin with comments and declarations. */
const SVG_BYTES = 4_096
/** Editors write about 10. There is room for thousands in 100 KB, and each costs the decoder a pass over all pixels. */
const JPEG_SCANS_MAX = 100

export function readLogoHeader(file: Buffer): LogoHeader | { wrong: LogoFault } {
  if (file.length === 0) return { wrong: 'empty' }
  if (file.length > LOGO_BYTES_MAX) return { wrong: 'tooLarge' }
  const start = file.toString('latin1', 0, SVG_BYTES)
  const isPng = start.startsWith(PNG_START)
  if (!isPng && !start.startsWith(JPEG_START)) return { wrong: /<svg\b/i.test(start) ? 'svg' : 'otherType' }
  const header = isPng ? readPngHeader(file) : readJpegHeader(file)
  if (header === undefined || Math.min(header.width, header.height) === 0) return { wrong: 'damaged' }
  return Math.max(header.width, header.height) > LOGO_PIXELS_MAX ? { wrong: 'tooWide' } : header
}

function readPngHeader(file: Buffer): LogoHeader | undefined {
  const at = PNG_START.length
  if (file.length < at + 8) return undefined
  return { type: 'png', width: file.readUInt32BE(at), height: file.readUInt32BE(at + 4) }
}

/**
 * Visits all segments up to the end of the picture: the decoder fills a picture that is cut off with grey.
 * Undefined also for the types that the decoder does not know, and for CMYK: the colours depend on a printer.
 */
function readJpegHeader(file: Buffer): LogoHeader | undefined {
  let header: LogoHeader | undefined
  let scans = 0
  let at = 2
  while (at + 2 <= file.length) {
    const marker = file.readUInt16BE(at)
    if (marker === 0xff_d9) return scans > 0 ? header : undefined
    if (marker === 0xff_ff) {
      at += 1
      continue
    }
    // A frame has ten bytes up to the number of its colours; each other segment has four at least.
    const isFrame = marker >= 0xff_c0 && marker <= 0xff_c2
    if (marker < 0xff_c0 || at + (isFrame ? 10 : 4) > file.length) return undefined
    if (isFrame) {
      if (header || ![1, 3].includes(file[at + 9]!)) return undefined
      header = { type: 'jpeg', height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) }
    }
    at += 2 + file.readUInt16BE(at + 2)
    if (marker !== 0xff_da) continue
    scans += 1
    if (scans > JPEG_SCANS_MAX) return undefined
    at = endOfScan(file, at)
  }
  return undefined
}

/** @returns the place of the next marker */
function endOfScan(file: Buffer, from: number): number {
  let at = file.indexOf(0xff, from)
  // A zero makes it a byte of the data; after D0 to D7 the data goes on.
  while (at !== -1 && (file[at + 1] === 0 || (file[at + 1]! & 0xf8) === 0xd0)) at = file.indexOf(0xff, at + 2)
  return at === -1 ? file.length : at
}
