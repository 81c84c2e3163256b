// Pages of US Letter with a cursor; draws lines and tags them for screen readers. Owns positions on the page, not the text
// (contract-sheets.ts, certificate-sheets.ts). Repeated parts, such as page numbers, are artifacts that screen readers skip.
import PDFDocument from 'pdfkit'
import { elementAt } from '@paraph/protocol/element-at'
import type { Run } from '@paraph/web/contract-text/runs'
import { PDF_UA_METADATA } from './archive-metadata.js'
import { openFonts, type HanFace } from './fonts.js'
import { breakLines, type Line } from './lines.js'
import { createLineDrawing } from './line-drawing.js'
import { lineHeight, PAPER, RIGHT, TEXT_WIDTH, type Look } from './look.js'

export interface Placing {
  /** Distance from the edge of the text at which lines begin: the right edge for text that runs from right to left. */
  left?: number
  /** A number or bullet before the first line, in a column that the lines do not enter. */
  marker?: { line: Line; column: number }
  width?: number
  reflows?: boolean
  /** Height of the following content that must fit on the same page. */
  keepWith?: number
}

/** The fonts, opened once per thread. */
let opened: ReturnType<typeof openFonts> | undefined

const COLUMN_HEADER = { scope: 'Column' } as PDFKit.Mixins.StructureElementOptions

/**
 * Starts a document that conforms to PDF/A-3 and PDF/UA-1.
 * @param han the face to prefer for Han characters
 * @param accent the colour of rules, bullets and flourishes
 */
export function createSheets(about: { title: string; language: string; now: Date; han: HanFace; accent: string }) {
  const { title, language, now, han, accent } = about
  const { glyphs, fontOf } = (opened ??= openFonts()).forDocument(han)
  const doc = new PDFDocument({
    size: [PAPER.width, PAPER.height],
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    tagged: true,
    displayTitle: true,
    lang: language,
    pdfVersion: '1.7',
    subset: 'PDF/A-3a',
    info: { Title: title, CreationDate: now, ModDate: now, Creator: 'Paraph', Producer: 'Paraph' },
  })
  doc.appendXML(PDF_UA_METADATA)
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const root = doc.struct('Document')
  doc.addStructure(root)
  let y: number = PAPER.top

  const { select, widthOf, widthOfLine, drawLine } = createLineDrawing(doc, fontOf)

  /** The open structure element continues on the new page. */
  function newPage(): void {
    if (doc.bufferedPageRange().count === 0) doc.addPage()
    else doc.continueOnNewPage()
    y = PAPER.top
  }
  const bottom = PAPER.height - PAPER.bottom
  /** Begins a new page unless `points` fit on the current page. @returns whether a page began */
  function need(points: number): boolean {
    const isFull = y + points > bottom && y > PAPER.top
    if (isFull) newPage()
    return isFull
  }
  /** The part of a marker that is wider than its column. */
  const excessOf = (marker: Placing['marker'], size: number): number =>
    marker ? Math.max(0, widthOfLine(marker.line, size) - marker.column) : 0

  /** Breaks `runs` into lines. */
  function breakRuns(
    runs: readonly Run[],
    { style, size }: Look,
    { width = TEXT_WIDTH, left = 0, reflows = false, marker }: Placing = {},
  ): Line[] {
    return breakLines(runs, style, {
      glyphs,
      width: width - left - (marker?.column ?? 0),
      widthOf: (ink) => widthOf(ink, size),
      reflows,
      first: excessOf(marker, size),
    })
  }

  return {
    doc,
    accent,
    glyphs,
    select,
    widthOfLine,
    get y() {
      return y
    },
    /** The height that is left on the page. */
    get room() {
      return bottom - y
    },
    move(points: number): void {
      y += points
    },
    moveTo(to: number): void {
      y = to
    },
    newPage,
    need,
    break: breakRuns,
    /** Breaks `runs` into lines, at most `count`. If they need more, the last ends with an ellipsis. */
    breakInto(count: number, runs: readonly Run[], look: Look, width: number): Line[] {
      const whole = breakRuns(runs, look, { width })
      if (whole.length <= count) return whole
      const ellipsis = elementAt(breakRuns(['…'], look), 0)
      const room = width - widthOfLine(ellipsis, look.size)
      const lines = breakRuns(runs, look, { width: room }).slice(0, count)
      const last = withoutLastSpace(elementAt(lines, count - 1))
      const level = last.isRtl ? 1 : 0
      return lines.with(-1, { ...last, inks: [...last.inks, { ...elementAt(ellipsis.inks, 0), level }] })
    },
    /** Draws lines as one structure element, on as many pages as they need. */
    lines(tag: string, lines: readonly Line[], look: Look, placing: Placing = {}): void {
      const { left = 0, width = TEXT_WIDTH, marker, keepWith = 0 } = placing
      const height = lineHeight(look)
      // The element must begin on the page of its first line.
      need(height + keepWith)
      const isRtl = lines[0]?.isRtl ?? false
      const drawAt = (line: Line, from: number): void => {
        const x = isRtl ? width - from - widthOfLine(line.isRtl ? line : withoutLastSpace(line), look.size) : from
        drawLine(line, PAPER.left + x, y - height * 0.3, look)
      }
      const draw = (): void => {
        lines.forEach((line, index) => {
          if (index > 0) need(height)
          y += height
          if (index === 0 && marker) drawAt(marker.line, left)
          drawAt(line, left + (marker?.column ?? 0) + (index === 0 ? excessOf(marker, look.size) : 0))
        })
      }
      if (marker || lines.some(({ inks }) => inks.length > 0)) root.add(doc.struct(tag, {}, draw))
      else y += height * lines.length
    },
    drawLine,
    /** A cell of a table; a header cell is that of its column. */
    cell: (tag: 'TH' | 'TD', draw: () => void) => doc.struct(tag, tag === 'TH' ? COLUMN_HEADER : {}, draw),
    /** Draws a rule across the text. */
    rule(at: number, width: number, colour: string): void {
      doc.moveTo(PAPER.left, at).lineTo(RIGHT, at).lineWidth(width).stroke(colour)
    },
    root,
    /** Draws something that screen readers skip. */
    artifact(draw: () => void): void {
      doc.markContent('Artifact')
      draw()
      doc.endMarkedContent()
    },
    /** Draws the head and foot of every page, which screen readers skip, and ends the document. */
    async finish(onPage: (page: { number: number; count: number }) => void): Promise<Buffer> {
      root.end()
      const { start, count } = doc.bufferedPageRange()
      for (let page = start; page < start + count; page += 1) {
        doc.switchToPage(page)
        doc.markContent('Artifact', { type: 'Pagination' })
        onPage({ number: page - start + 1, count })
        doc.endMarkedContent()
      }
      const ended = new Promise<void>((resolve) => doc.on('end', resolve))
      doc.end()
      await ended
      return Buffer.concat(chunks)
    },
  }
}

/** A number before text from right to left ends at the edge; its space would stand beyond. */
function withoutLastSpace({ inks, isRtl }: Line): Line {
  const last = inks.at(-1)
  return { isRtl, inks: last ? [...inks.slice(0, -1), { ...last, text: last.text.trimEnd() }] : [] }
}

/** Formats an instant with milliseconds, as in the evidence. */
export const formatUtc = (at: Date): string => at.toISOString().replace('T', ' ').replace('Z', '')

export type Sheets = ReturnType<typeof createSheets>
