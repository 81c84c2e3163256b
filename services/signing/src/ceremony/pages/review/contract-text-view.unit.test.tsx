import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import type { Locale } from '@paraph/web/locale'
import { renderPage } from '@paraph/web/page-answer'
import { readText } from '@paraph/web/contract-text/read-text'
import { WORST } from '@paraph/web/test/seeded-text-fixture'
import { ContentsList, ContractTextView } from '@paraph/web/contract-text-view'
import { ReviewPage } from './review-page.js'

const view = (content: string, locale: Locale = 'en'): string =>
  renderPage(<ContractTextView text={readText(content)} locale={locale} />).replace('<!doctype html>', '')
/** The markup without the element around all blocks. */
const blocks = (content: string): string => view(content).replace(/^<div[^>]*>|<\/div>$/g, '')

const review = (content: string, locale: Locale = 'en'): string =>
  renderPage(
    <ReviewPage
      locale={locale}
      styleHref="/s.css"
      scriptHref="/s.js"
      footName="Paraph"
      text={readText(content)}
      contract={{
        senderName: 'Nordic <Foods>',
        accountName: 'Nordic Foods Ltd.',
        contractType: 'nda',
        contractNumber: 'EXT-20261120-7KQ4MXTA',
        expiresAt: new Date('2026-12-04T14:03:00Z'),
      }}
      parties={[{ role: 'Recipient', legalName: 'Jane Roe', hasSigned: false, isYou: true }]}
      form={{
        token: 'T',
        formToken: 'F',
        signAttemptId: 'A',
        contentSha256: 'ab'.repeat(32),
        senderName: 'Nordic <Foods>',
        party: { index: 0, role: 'Recipient', legalName: 'Jane Roe' },
      }}
    />,
  )

/** Compares with approved renderings, one block per line. `UPDATE_SHAPES=1` rewrites them; review every change before you commit it. */
describe('the six shapes of contract text [ceremony: six shapes]', () => {
  const folder = new URL('../../../../test/contract-text/', import.meta.url)
  it.each(['nda', 'french', 'shouting', 'columns', 'hard-wrapped', 'hostile'])(
    'are rendered as approved: %s',
    (name) => {
      const text = readText(readFileSync(new URL(`${name}.txt`, folder), 'utf8'))
      const locale = name === 'french' ? 'fr' : 'en'
      const html = renderPage(
        <>
          <ContentsList text={text} locale={locale} />
          <ContractTextView text={text} locale={locale} />
        </>,
      )
      const lines = html.replace(
        /(<\/(?:p|h\d|pre|li|summary|ul|details|div)>|<ul[^>]*>|<div class="contract-text"[^>]*>)/g,
        '$1\n',
      )
      const approved = new URL(`${name}.html`, folder)
      if (process.env['UPDATE_SHAPES'] === '1') writeFileSync(approved, lines)
      expect(lines).toBe(readFileSync(approved, 'utf8'))
    },
  )
})

describe('the markup of a text', () => {
  it('escapes the text and interprets no markup in it [ceremony: plain text rule 10]', () => {
    expect(blocks('a < b & <b>"bold"</b> **c** https://example.com')).toBe(
      '<p dir="auto">a &lt; b &amp; &lt;b>&quot;bold&quot;&lt;/b> **c** https://example.com</p>',
    )
  })

  it('keeps the line breaks in the markup, also in reflowed prose [ceremony: plain text rule 5]', () => {
    const line = 'x'.repeat(60)
    expect(blocks(`${line}\r\n${line}\r\nend`)).toBe(`<p class="flow" dir="auto">${line}\n${line}\nend</p>`)
  })

  it('keeps the characters of markers and headings and adds no numbers [ceremony: plain text rule 4]', () => {
    expect(blocks('7. PRICE\n(c) two\n- three')).toBe(
      '<h2 id="c1" dir="auto">7. PRICE</h2>' +
        '<p class="i1" dir="auto"><span dir="auto">(c) </span>two</p>' +
        '<p class="i2 bullet tight" dir="auto"><span dir="auto">- </span>three</p>',
    )
  })

  it('names each block in columns and makes it focusable [ceremony: plain text rule 6]', () => {
    const html = blocks('a\tb\nc\td\n\ntext\n\ne\tf\ng\th')
    expect(html).toContain(
      '<pre tabindex="0" role="region" aria-label="Text in columns, 1" dir="auto">a\tb\nc\td</pre>',
    )
    expect(html).toContain('aria-label="Text in columns, 2"')
  })

  it('announces that lines in columns may continue beyond the edge [ceremony: plain text rule 6]', () => {
    const wide = (columns: number) => blocks(`a   ${'x'.repeat(columns - 4)}\na   b`)
    expect(wide(30)).toMatch(/^<pre/)
    expect(wide(31)).toMatch(
      /^<p class="scrolls fits-paper" lang="en-GB">Lines in columns. If they are wider than the page, scroll sideways.<\/p><pre/,
    )
    expect(wide(78)).toMatch(/^<p class="scrolls fits-paper"/)
    expect(wide(79)).toMatch(/^<p class="scrolls"/)
    expect(view(`a   ${'x'.repeat(40)}\na   b`, 'fr')).toContain('lang="fr-CA">Lignes en colonnes.')
  })

  it('allows a line break inside a long grapheme cluster [ceremony: plain text]', () => {
    expect(blocks('\u1100'.repeat(17))).toBe(
      `<p dir="auto">${'\u1100'.repeat(8)}<wbr/>${'\u1100'.repeat(8)}<wbr/>\u1100</p>`,
    )
    expect(blocks(`${'न्'.repeat(9)}a`)).toBe(`<p dir="auto">${'न्'.repeat(8)}<wbr/>न्a</p>`)
    expect(blocks('\u{1F468}\u200D'.repeat(9))).toContain('<wbr')
    for (const kept of [
      'र्त्स्न्य',
      '한국어',
      '\u{1F469}\u{1F3FD}\u200D❤\uFE0F\u200D\u{1F48B}\u200D\u{1F468}\u{1F3FD}',
      `Z${'\u0301'.repeat(99)}`,
    ]) {
      expect(blocks(kept)).not.toContain('<wbr')
    }
  })

  it('shows a badge for a hidden character, never the character [ceremony: hidden and bidi characters]', () => {
    expect(blocks(`Pay USD ${'\u202E'.repeat(3)}001\u202C`)).toBe(
      '<p dir="auto">Pay USD <bdi>U+202E RLO ×3</bdi>001<bdi>U+202C PDF</bdi></p>',
    )
  })

  it('shows the number of blank lines if more than ten separate two blocks [ceremony: plain text rule 8]', () => {
    expect(blocks(`a${'\n'.repeat(11)}b`)).toContain(`<div class="gap">${'\n'.repeat(9)}</div>`)
    expect(blocks(`a${'\n'.repeat(62)}b`)).toContain('<p class="gap-line" lang="en-GB">[61 blank lines]</p>')
    expect(view(`a${'\n'.repeat(62)}b`, 'fr')).toContain('<p class="gap-line" lang="fr-CA">[61 lignes vides]</p>')
  })

  it('declares the language of the text, independent of that of the page [WCAG 3.1.2]', () => {
    const french = 'Le vendeur livre les biens et le client paie dans les 30 jours.'
    expect(view(french, 'en')).toMatch(/^<div class="contract-text" lang="fr">/)
    expect(view('TEXT', 'fr')).toMatch(/^<div class="contract-text" lang>/)
  })
})

describe('the review page', () => {
  it('warns of hidden characters above the text, with one as an example [ceremony 5]', () => {
    expect(review('a\u200Bb\u200B\u202E')).toMatch(
      /3 hidden characters in this text.*such as <bdi class="badge">U\+200B ZWSP<\/bdi>.*ask <bdi>Nordic &lt;Foods><\/bdi> why.*class="contract-text"/s,
    )
    expect(review('a\u200Bb', 'fr')).toContain('1 caractère caché dans ce texte')
    expect(review('plain')).not.toMatch(/hidden character|badge/)
  })

  it('links each heading once, to a numbered id [ceremony: plain text rule 9]', () => {
    const html = review('SIGNATURE\n\n1. PRICE\n\n2. LOCATION\n\n3. BODY\n')
    const targets = [...html.matchAll(/href="#(c\d+)"/g)].map(([, id]) => id)
    expect(targets).toEqual(['c2', 'c3', 'c4'])
    for (const id of targets) expect(html.match(new RegExp(`id="${id}"`, 'g'))).toHaveLength(1)
  })

  it('lists at most a hundred headings, omits the lowest levels first, and counts the omitted headings [ceremony: plain text rule 9]', () => {
    const html = review(
      Array.from({ length: 80 }, (_, index) => `${index + 1}. PART\n${index + 1}.1 SUBPART\n`).join(''),
    )
    const targets = [...html.matchAll(/href="#c(\d+)"/g)].map(([, id]) => Number(id))
    expect(targets).toHaveLength(100)
    expect(targets).toEqual(targets.toSorted((one, other) => one - other))
    expect(targets.filter((id) => id % 2 === 1)).toHaveLength(80)
    expect(html).toContain('<li class="more" lang="en-GB">and 60 more headings</li>')
    expect(review('1. PART\n'.repeat(100))).not.toContain('class="more"')
    expect(review('1. PART\n'.repeat(101))).toContain('and 1 more heading<')
    expect(review('1. PART\n'.repeat(1_200), 'fr')).toMatch(/et 1\s100 autres titres/)
  })

  it('puts the links to the signature and to contract.txt before the table of contents [ceremony 5]', () => {
    expect(review('1. PART\n'.repeat(9))).toMatch(/href="#signature".*\/contract\.txt".*href="#c1"/s)
  })

  it.each(Object.keys(WORST))('stays below 1.5 MB of HTML for 50 KB of %s', (name) => {
    const bytes = Math.max(Buffer.byteLength(review(WORST[name]!)), Buffer.byteLength(review(WORST[name]!, 'fr')))
    expect(bytes).toBeLessThan(1_500_000)
  })
})
