import { describe, expect, it } from '@jest/globals'
import { pngLogo } from '../../../test/picture-fixture.js'
import { createBrandFrame } from './brand-frame.js'
import type { Line } from './lines.js'
import { PAPER, RIGHT, type Look } from './look.js'
import { createSheets } from './sheets.js'

interface Drawn {
  text: string
  size: number
  baseline: number
  right: number
}

const textOf = ({ inks }: Line): string => inks.map(({ text }) => text).join('')
/** The right end of the space for a name: the contract number begins 15 after it. A space at the end of a line may extend beyond. */
const NAME_END = RIGHT - 150
const SPACE = 4

/** The lines and pictures of the head and the foot of one page. */
function drawnFrom({
  accountName = 'Nordic Foods Ltd.',
  footName = 'Paraph',
  logo = null as ReturnType<typeof pngLogo> | null,
}) {
  const sheets = createSheets({ title: 'Test', language: 'en', now: new Date(0), han: 'chinese', accent: '#0b6e4f' })
  sheets.newPage()
  const lines: Drawn[] = []
  const drawLine = (line: Line, x: number, baseline: number, { size }: Look): void =>
    void lines.push({ text: textOf(line), size, baseline, right: x + sheets.widthOfLine(line, size) })
  const pictures: { x: number; y: number; width: number; height: number }[] = []
  sheets.doc.image = ((_: string, x: number, y: number, size: { width: number; height: number }) =>
    void pictures.push({ x, y, ...size })) as never
  const frame = createBrandFrame({ ...sheets, drawLine }, { brand: { logo }, accountName, footName, version: '2.0.0' })
  frame.drawHead()
  const head = lines.splice(0)
  frame.drawFoot(736)
  return { head, foot: lines, pictures }
}

describe('the head and foot of a page with a brand [D59]', () => {
  it.each([
    ['wide', 600, 120, 120, 24],
    ['square', 300, 300, 26, 26],
    ['tall', 100, 1_200, 26 / 12, 26],
    ['small', 16, 12, 12, 9],
  ])('scale a %s logo to the head, without enlarging it, instead of a name', (_, width, height, wide, high) => {
    const { head, pictures } = drawnFrom({ logo: { ...pngLogo(), width, height } })
    expect(head).toEqual([])
    expect(pictures).toHaveLength(1)
    const [{ x, y, ...size }] = pictures as [(typeof pictures)[number]]
    expect(x).toBe(PAPER.left)
    expect([size.width, size.height].map((each) => each.toFixed(3))).toEqual(
      [wide, high].map((each) => each.toFixed(3)),
    )
    expect(y + size.height / 2).toBe(57)
  })

  it('have the name in one line if it fits, else in two smaller lines that end beside the contract number', () => {
    expect(drawnFrom({}).head).toMatchObject([{ text: 'Nordic Foods Ltd.', size: 14, baseline: 66 }])
    const long = 'The Very Long and Distinguished Nordic Association of Food Importers, Exporters and Wholesale Traders'
    const { head } = drawnFrom({ accountName: long })
    expect(head.map(({ text }) => text).join('')).toBe(long)
    expect(head.map(({ baseline }) => baseline)).toEqual([54, 66])
    for (const { size, right } of head) {
      expect(size).toBe(9.5)
      expect(right).toBeLessThan(NAME_END + SPACE)
    }
  })

  it.each([
    ['of one long word', 'W'.repeat(300)],
    ['without glyphs', 'ก'.repeat(100)],
    ['from right to left', 'شركة النور للتجارة '.repeat(20)],
    ['of combining marks', `e${'\u0301'.repeat(500)}`],
  ])('cut a name %s after two lines, with an ellipsis', (_, accountName) => {
    const { head } = drawnFrom({ accountName })
    expect(head).toHaveLength(2)
    expect(head[0]!.right).toBeLessThan(NAME_END + SPACE)
    expect(head[1]!.right).toBeLessThan(NAME_END)
    expect(head.map(({ text }) => text).join('')).toMatch(/^[^…]+…$/)
  })

  it('label characters of a name that are hidden or change the reading order', () => {
    expect(drawnFrom({ accountName: 'Nordic \u202Esdoof' }).head[0]!.text).toBe('Nordic [U+202E RLO]sdoof')
  })

  it('name the installation, with the version if it is Paraph', () => {
    expect(drawnFrom({}).foot).toMatchObject([{ text: 'via Paraph 2.0.0', baseline: 736 }])
    expect(drawnFrom({ footName: 'Acme Sign' }).foot).toMatchObject([{ text: 'via Acme Sign' }])
    expect(drawnFrom({ footName: 'ก' }).foot).toMatchObject([{ text: 'via [U+0E01]' }])
    const [long, ...more] = drawnFrom({ footName: 'Acme '.repeat(100) }).foot
    expect(more).toEqual([])
    expect(long!.text).toMatch(/^via Acme .*…$/)
    expect(long!.right).toBeLessThan(PAPER.width / 2 + 1)
  })
})
