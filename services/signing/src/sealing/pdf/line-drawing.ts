// Measures and draws lines of text in the fonts of one document. Owns the order of their pieces on the page.
import type { Font } from 'fontkit'
import { inVisualOrder } from './bidi.js'
import { isOfOtherScript, isRtlFace, scaleOf, type Face, type Piece } from './fonts.js'
import { drawnText, type Ink, type Line } from './lines.js'
import { COLOUR, type Look } from './look.js'

/** Width of the stroke that makes a face bold which has no bold, as a share of the size. */
const BOLD_STROKE = 0.02

/** @param fontOf makes the font object of a face, for this document alone */
export function createLineDrawing(doc: PDFKit.PDFDocument, fontOf: (face: Face) => Font) {
  const registered = new Set<Face>()
  const widths = new Map<string, number>()

  /** Selects a face, which is opened at its first use. */
  function select(face: Face): PDFKit.PDFDocument {
    // pdfkit also accepts opened fonts; its types accept only files.
    if (!registered.has(face)) doc.registerFont(face, fontOf(face) as unknown as Buffer)
    registered.add(face)
    return doc.font(face)
  }

  /** Caches the widths of short pieces. */
  function widthOf({ face, text }: Piece, size: number): number {
    const key = `${face} ${text}`
    let width = widths.get(key)
    if (width === undefined) {
      width = select(face).fontSize(1000).widthOfString(text, optionsOf(face)) / 1000
      if (text.length < 20) widths.set(key, width)
    }
    return width * size * scaleOf(face)
  }

  const widthOfLine = ({ inks }: Line, size: number): number => inks.reduce((sum, ink) => sum + widthOf(ink, size), 0)

  /** Draws the pieces in the order of the text, in which screen readers read them, each at its place from the left. */
  function drawLine({ inks }: Line, x: number, baseline: number, { style, size, colour = COLOUR.ink }: Look): void {
    const places = new Map<Ink, number>()
    let at = x
    for (const ink of inVisualOrder(inks)) {
      places.set(ink, at)
      at += widthOf(ink, size)
    }
    for (const ink of inks) {
      const shown = ink.look === 'badge' || ink.isNumber ? COLOUR.danger : colour
      const isThickened = style.endsWith('Bold') && isOfOtherScript(ink.face)
      select(ink.face)
        .fontSize(size * scaleOf(ink.face))
        .fillColor(shown)
      if (isThickened) doc.lineWidth(size * BOLD_STROKE).strokeColor(shown)
      doc.text(drawnText(ink), places.get(ink), baseline, {
        lineBreak: false,
        baseline: 'alphabetic',
        fill: true,
        stroke: isThickened,
        ...optionsOf(ink.face),
      })
    }
  }

  return { select, widthOf, widthOfLine, drawLine }
}

/** pdfkit sets the words of a text one after another from the left, unless it is given features. */
const optionsOf = (face: Face): { features?: [] } => (isRtlFace(face) ? { features: [] } : {})
