// The looks of the certificate, and drawing its headings, paragraphs and lists.
import { readHidden } from '@paraph/web/contract-text/hidden-characters'
import type { Style } from '../fonts.js'
import type { Line } from '../lines.js'
import { COLOUR, lineHeight, PAPER, type Look } from '../look.js'
import type { Placing, Sheets } from '../sheets.js'

const look = (style: Style, size: number, more?: Partial<Look>): Look => {
  return { style, size, colour: COLOUR.ink, leading: 1.4, ...more }
}
export const TITLE = look('sansBold', 19, { leading: 1.25 })
const HEADING = look('sansBold', 10.5)
export const BODY = look('sans', 8.5)
export const SOFT = look('sans', 8.5, { colour: COLOUR.soft })
export const SMALL: Look = { ...SOFT, size: 7.6 }
export const MACHINE = look('mono', 7.6, { leading: 1.5 })
const POINT = look('sans', 8, { leading: 1.35 })

const ABOVE_HEADING = 6
const BELOW_HEADING = 1
export const HEADING_HEIGHT = ABOVE_HEADING + lineHeight(HEADING) + BELOW_HEADING
const BULLET_WIDTH = 10
const BELOW_POINT = 1.5

/** A heading with paragraphs below it, each with a bullet if `bullet` is given. */
export interface Section {
  title: string
  points: readonly string[]
  bullet?: 'filled' | 'hollow'
}

/** A section as lines, to measure it before it is drawn. */
interface MeasuredSection {
  section: Section
  lines: readonly (readonly Line[])[]
}

export function drawText(sheets: Sheets, tag: string, text: string, style: Look, placing: Placing = {}): void {
  sheets.lines(tag, sheets.break(readHidden(text), style, placing), style, placing)
}

/** Draws a heading of the certificate, which is HEADING_HEIGHT high. */
export function drawHeading(sheets: Sheets, text: string, placing: Placing = {}): void {
  sheets.move(ABOVE_HEADING)
  drawText(sheets, 'H2', text, HEADING, { ...placing, keepWith: 40 })
  sheets.move(BELOW_HEADING)
}

/** Breaks sections into lines. @param left distance of the sections from the left edge of the text */
export function measureSections(sheets: Sheets, sections: readonly Section[], left: number) {
  const indentOf = ({ bullet }: Section): number => left + (bullet === undefined ? 0 : BULLET_WIDTH)
  const measured = sections.map((section): MeasuredSection => {
    const lines = section.points.map((point) => sheets.break([point], POINT, { left: indentOf(section) }))
    return { section, lines }
  })
  const heightOf = ({ lines }: MeasuredSection): number =>
    HEADING_HEIGHT + lines.reduce((sum, each) => sum + each.length * lineHeight(POINT) + BELOW_POINT, 0)

  return {
    height: measured.reduce((sum, each) => sum + heightOf(each), 0),
    draw(): void {
      for (const { section, lines } of measured) {
        drawHeading(sheets, section.title, { left })
        for (const point of lines) {
          sheets.need(point.length * lineHeight(POINT))
          if (section.bullet !== undefined) drawBullet(section.bullet)
          sheets.lines('P', point, POINT, { left: indentOf(section) })
          sheets.move(BELOW_POINT)
        }
      }
    },
  }

  function drawBullet(bullet: 'filled' | 'hollow'): void {
    const { doc, y, accent } = sheets
    sheets.artifact(() => {
      doc.circle(PAPER.left + left + 3, y + 5.6, 2.2)
      if (bullet === 'filled') doc.fill(accent)
      else doc.lineWidth(0.8).stroke(COLOUR.soft)
    })
  }
}
