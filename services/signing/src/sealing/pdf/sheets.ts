// Pages of US Letter with a cursor; draws lines and tags them for screen readers. Owns positions on the page, not the text
// (contract-sheets.ts, certificate-sheets.ts). Repeated parts, such as page numbers, are artifacts that screen readers skip.
import PDFDocument from 'pdfkit'
import type { Run } from '../../contract-text/runs.js'
import { openFonts, type Piece, type Style } from './fonts.js'
import { breakLines, type Line } from './lines.js'

export const COLOUR = {
  ink: '#15181b',
  soft: '#4b535a',
  rule: '#c9cdcf',
  accent: '#26399e',
  danger: '#a3231b',
  /** For the sandbox only, as on the web pages. */
  caution: '#ffdf6b',
  wash: '#f1f2f1',
} as const

/** In points, like every length in this file. */
export const PAPER = { width: 612, height: 792, left: 56, right: 56, top: 90, bottom: 76 } as const
export const TEXT_WIDTH = PAPER.width - PAPER.left - PAPER.right
/** The right edge of the text. */
export const RIGHT = PAPER.left + TEXT_WIDTH

export interface Look {
  style: Style
  size: number
  colour?: string
  /** Line height as a multiple of the size. */
  leading?: number
}

export interface Placing {
  /** Distance from the left edge of the text. */
  left?: number
  /** Additional indent of the lines after the first. */
  hanging?: number
  width?: number
  reflows?: boolean
  /** Height of the following content that must fit on the same page. */
  keepWith?: number
}

/** The fonts, opened once per thread. */
let opened: ReturnType<typeof openFonts> | undefined

/** Starts a document. */
export function createSheets({ title, language, now }: { title: string; language: string; now: Date }) {
  const { forDocument, glyphs } = (opened ??= openFonts())
  const doc = new PDFDocument({
    size: [PAPER.width, PAPER.height],
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    tagged: true,
    displayTitle: true,
    lang: language,
    pdfVersion: '1.7',
    info: { Title: title, CreationDate: now, ModDate: now, Creator: 'Paraph', Producer: 'Paraph' },
  })
  // pdfkit also accepts opened fonts; its types accept only files.
  for (const [face, font] of Object.entries(forDocument())) doc.registerFont(face, font as unknown as Buffer)
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const root = doc.struct('Document')
  doc.addStructure(root)
  let y: number = PAPER.top

  const widthOf = createWidths(doc)
  const drawLine = createLineDrawing(doc, widthOf)

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

  return {
    doc,
    glyphs,
    get y() {
      return y
    },
    move(points: number): void {
      y += points
    },
    moveTo(to: number): void {
      y = to
    },
    newPage,
    need,
    /** Breaks `runs` into lines. */
    break(
      runs: readonly Run[],
      { style, size }: Look,
      { width = TEXT_WIDTH, left = 0, reflows = false, hanging = 0 }: Placing = {},
    ): Line[] {
      const room = width - left - hanging
      return breakLines(runs, style, {
        glyphs,
        width: room,
        widthOf: (ink) => widthOf(ink, size),
        reflows,
        first: -hanging,
      })
    },
    /** Draws lines as one structure element, on as many pages as they need. */
    lines(tag: string, lines: readonly Line[], look: Look, placing: Placing = {}): void {
      const { left = 0, hanging = 0, keepWith = 0 } = placing
      const height = look.size * (look.leading ?? 1.45)
      // The element must begin on the page of its first line.
      need(height + keepWith)
      const draw = (): void => {
        lines.forEach((line, index) => {
          if (index > 0) need(height)
          y += height
          drawLine(line, PAPER.left + left + (index === 0 ? 0 : hanging), y - height * 0.3, look)
        })
      }
      if (lines.some((line) => line.length > 0)) root.add(doc.struct(tag, {}, draw))
      else y += height * lines.length
    },
    drawLine,
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

function createLineDrawing(doc: PDFKit.PDFDocument, widthOf: ReturnType<typeof createWidths>) {
  return (line: Line, x: number, baseline: number, { size, colour = COLOUR.ink }: Look): void => {
    let at = x
    for (const ink of line) {
      const width = widthOf(ink, size)
      const isMark = ink.look === 'badge' || ink.isNumber
      doc
        .font(ink.face)
        .fontSize(size)
        .fillColor(isMark ? COLOUR.danger : colour)
        .text(ink.text, at, baseline, { lineBreak: false, baseline: 'alphabetic' })
      at += width
    }
  }
}

/** Measures pieces of text; caches the widths of short pieces. */
function createWidths(doc: PDFKit.PDFDocument) {
  const widths = new Map<string, number>()
  return ({ face, text }: Piece, size: number): number => {
    const key = `${face} ${text}`
    let width = widths.get(key)
    if (width === undefined) {
      width = doc.font(face).fontSize(1000).widthOfString(text) / 1000
      if (text.length < 20) widths.set(key, width)
    }
    return width * size
  }
}

/** Formats an instant with milliseconds, as in the evidence. */
export const formatUtc = (at: Date): string => at.toISOString().replace('T', ' ').replace('Z', '')

export type Sheets = ReturnType<typeof createSheets>
