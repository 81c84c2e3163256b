import { describe, expect, it } from '@jest/globals'
import type { Block } from './blocks.js'
import { readText } from './read-text.js'
import type { Run } from './runs.js'
import { seededText, WORST } from '../../test/seeded-text-fixture.js'

const SEEDS = Array.from({ length: 3_000 }, (_, seed) => seed)

const written = (runs: readonly Run[]): string =>
  runs
    .map((run) => {
      if (typeof run === 'string') return run
      return String.fromCodePoint(parseInt(run.label.slice(2), 16)).repeat(run.count)
    })
    .join('')

function linesOf(block: Block): string {
  if (block.kind === 'gap') return '\n'.repeat(block.lines - 1)
  if (block.kind === 'heading') return written(block.number) + written(block.words)
  return (block.kind === 'item' ? written(block.marker) : '') + written(block.words)
}

/** Reading may change the kind of line breaks, drop the last line break, and drop the spaces of a blank line. */
const withPlainBreaks = (text: string): string =>
  text.replace(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n').replace(/\n$/, '')
const withEmptyBlanks = (text: string): string => text.replace(/^[\t\p{Zs}]+$/gmu, '')

describe('the reader of contract texts', () => {
  it('loses, adds and moves nothing in any text [ceremony: plain text]', () => {
    for (const text of [...SEEDS.map(seededText), ...Object.values(WORST)]) {
      const { blocks } = readText(text)
      expect(withEmptyBlanks(blocks.map(linesOf).join('\n'))).toBe(withEmptyBlanks(withPlainBreaks(text)))
    }
  })

  it('counts in badges exactly the characters that it hides [ceremony: hidden and bidi characters]', () => {
    for (const text of SEEDS.map(seededText)) {
      const { blocks, hidden } = readText(text)
      const runs = blocks.flatMap((block): Run[] => {
        if (block.kind === 'gap') return []
        if (block.kind === 'heading') return [...block.number, ...block.words]
        return block.kind === 'item' ? [...block.marker, ...block.words] : block.words
      })
      const badges = runs.filter((run) => typeof run === 'object')
      expect(badges.reduce((sum, badge) => sum + badge.count, 0)).toBe(hidden.count)
      expect(badges[0]?.label ?? '').toBe(hidden.example)
      const shown = runs.filter((run) => typeof run === 'string').join('')
      expect(shown).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B\u00AD\u2060\uFEFF\u3164\u{E0000}-\u{E007F}]/u)
    }
  })

  it('never throws and never skips a level in any text [ceremony: plain text rule 3]', () => {
    for (const text of SEEDS.map(seededText)) {
      const headings = readText(text).blocks.filter((block) => block.kind === 'heading')
      headings.forEach((heading, index) => {
        expect(heading.id).toBe(index + 1)
        expect(heading.level).toBeLessThanOrEqual((headings[index - 1]?.level ?? 2) + 1)
      })
    }
    expect(() => readText('\uD800 and \uDFFF\uD800')).not.toThrow()
  })

  // A quadratic rule takes minutes for 50 KB; test/bench/contract-text.mjs measures the linear rules.
  it.each(Object.keys(WORST))(
    'reads 50 KB of %s in less than two seconds',
    (name) => {
      const startedAt = performance.now()
      readText(WORST[name]!)
      expect(performance.now() - startedAt).toBeLessThan(2_000)
    },
    30_000,
  )
})

describe('the contents', () => {
  const sections = (count: number) =>
    Array.from({ length: count }, (_, index) => `${index + 1}. PART\ntext\n`).join('\n')

  it('list four or more headings by number, without the title [ceremony: plain text rule 9]', () => {
    expect(readText(sections(3)).contents).toEqual([])
    const { contents } = readText(`THE TITLE\n\n${sections(3)}`)
    expect(contents).toEqual([2, 3, 4].map((id) => ({ id, level: 2, number: `${id - 1}.`, words: 'PART' })))
  })

  it('show no hidden character in an entry', () => {
    const { contents } = readText(sections(4).replaceAll('PART', 'PA\u202ERT'))
    expect(contents[0]).toMatchObject({ words: 'PART' })
  })
})

describe('the counts of a text', () => {
  it('treat every kind of line break alike, and ignore a line break at the end [ceremony: plain text rule 9]', () => {
    expect(readText('one two\r\nthree\rfour\u2028five\u00A0six\n').counts).toEqual({ lines: 4, words: 6, bytes: 32 })
    expect(readText('').counts).toEqual({ lines: 0, words: 0, bytes: 0 })
    expect(readText('\n\n').counts.lines).toBe(2)
  })
})

describe('the language', () => {
  it('is guessed from running text only, and unknown otherwise [WCAG 3.1.2]', () => {
    expect(readText('The seller delivers the goods to the buyer, and the buyer pays.').language).toBe('en')
    expect(readText('Le vendeur livre les biens et le client paie dans les 30 jours.').language).toBe('fr')
    expect(readText('NON-DISCLOSURE AGREEMENT').language).toBe('')
    expect(
      readText('Il venditore consegna la merce e le chiavi al compratore per il prezzo di cento euro.').language,
    ).toBe('')
    expect(readText('Der Verkäufer liefert die Ware an den Sitz des Käufers in Hamburg.').language).toBe('')
    expect(readText('The seller and the buyer. Le vendeur et le client pour les biens.').language).toBe('')
  })
})
