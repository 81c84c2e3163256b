import { describe, expect, it } from '@jest/globals'
import { NDA } from '../../../test/catalogue-data-fixture.js'
import { readText } from '@paraph/web/contract-text/read-text'
import { drawContract } from './contract-sheets.js'
import type { Line } from './lines.js'
import { pdfMessages } from './messages.js'
import { createSheets, type Placing } from './sheets.js'

interface Drawn {
  tag: string
  text: string
  placing: Placing
  markerWidth: number
}

const textOf = ({ inks }: Line): string => inks.map(({ text }) => text).join('')

/** The elements of the pages of a text, in order. */
function drawnFrom(content: string): Drawn[] {
  const sheets = createSheets({ title: 'Test', language: 'en', now: new Date(0), han: 'chinese', accent: '#000000' })
  const drawn: Drawn[] = []
  sheets.newPage()
  const lines = (tag: string, own: readonly Line[], look: { size: number }, placing: Placing = {}): void => {
    const markerWidth = placing.marker ? sheets.widthOfLine(placing.marker.line, look.size) : 0
    drawn.push({ tag, text: own.map(textOf).join(''), placing, markerWidth })
  }
  drawContract({ ...sheets, lines }, readText(content), pdfMessages('en'), '0'.repeat(64))
  return drawn
}

describe('the pages of the text [ceremony: plain text rule 4]', () => {
  it('set numbers in a column as wide as the widest of its depth, which no line of words enters', () => {
    const items = drawnFrom(`${NDA}\n\n10.11 Ten\n\n(z) last`).filter(({ placing }) => placing.marker)
    const edges = Map.groupBy(items, ({ placing }) => placing.left)
    expect([...edges.values()].map((own) => own.length)).toEqual([8, 4])
    for (const own of edges.values()) {
      const [column, ...more] = new Set(own.map(({ placing }) => placing.marker!.column))
      expect(more).toEqual([])
      expect(column).toBeGreaterThanOrEqual(Math.max(...own.map(({ markerWidth }) => markerWidth)))
    }
    const [outer, inner] = [...edges.keys()]
    expect(inner! - outer!).toBe(items[0]!.placing.marker!.column)
  })

  it('number headings for screen readers from H1 without a gap, with a title and without [PDF/UA-1 7.4.2]', () => {
    const levelsOf = (content: string): string[] =>
      drawnFrom(content).flatMap(({ tag }) => (tag.startsWith('H') ? [tag] : []))
    expect(levelsOf(NDA).slice(0, 4)).toEqual(['H1', 'H2', 'H2', 'H2'])
    expect(levelsOf('1. PRICE\n\nText.\n\n1.1 WHEN\n\nText.\n\n2. PLACE\n\nText.')).toEqual(['H1', 'H2', 'H1'])
    expect(levelsOf('1.1.1 DEEP\n\nText.\n\n1.1.2 DEEPER\n\nText.')).toEqual(['H1', 'H2'])
  })
})
