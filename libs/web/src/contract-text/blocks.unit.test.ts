import { describe, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { readText } from './read-text.js'
import { plainText } from './runs.js'

/** A summary of each block: `h2 1. |TITLE`, `i1 (a) |words`, `p words`, `pre words` or `gap 1`. */
const outline = (text: string): string[] =>
  readText(text).blocks.map((block) => {
    if (block.kind === 'gap') return `gap ${block.lines}`
    if (block.kind === 'heading') return `h${block.level} ${plainText(block.number)}|${plainText(block.words)}`
    if (block.kind === 'item') return `i${block.depth} ${plainText(block.marker)}|${plainText(block.words)}`
    return `${block.kind === 'aligned' ? 'pre' : 'p'} ${plainText(block.words)}`
  })
const kinds = (text: string): string[] => outline(text).map((line) => line.split(' ')[0]!)
const LONG = 'x'.repeat(60)

describe('headings [S14.4, ceremony: plain text rule 3]', () => {
  it.each([
    ['1. PRICE', 'h2 1. |PRICE'],
    ['1.2 PRICE', 'h3 1.2 |PRICE'],
    ['IV. PRICE', 'h2 IV. |PRICE'],
    ['A. GENERAL', 'h2 A. |GENERAL'],
    ['ARTICLE 1 - OBJET', 'h2 ARTICLE 1 - |OBJET'],
    ['ARTICLE 1er - OBJET', 'h2 ARTICLE 1er - |OBJET'],
    ['SCHEDULE B', 'h2 SCHEDULE B|'],
    ['   ANNEXE IV: PRIX', 'h2    ANNEXE IV: |PRIX'],
    ['NON-DISCLOSURE AGREEMENT', 'h2 |NON-DISCLOSURE AGREEMENT'],
    ['ÉTENDUE', 'h2 |ÉTENDUE'],
    ['1.\tPRICE', 'h2 1.\t|PRICE'],
  ])('are recognised, with the number separate: %j', (line, expected) => {
    expect(outline(`text\n\n${line}\n\ntext`)[2]).toBe(expected)
  })

  it.each([
    ['lowercase letters', '1. Price'],
    ['fewer than three capitals', 'AB'],
    ['more than 120 characters', 'A'.repeat(121)],
    ['a comma at the end', 'NORDIC FOODS,'],
    ['a semicolon at the end', '1. PRICE;'],
    ['Arabic with a currency in capitals', 'المبلغ CAD خمسمائة'],
    ['a sentence of 60 characters', `${'THE GOODS ARE PROVIDED AS IS '.repeat(2)}AND SO.`],
  ])('are not recognised in a line with %s', (_, line) => {
    expect(kinds(`text\n\n${line}\n\ntext`)[2]).not.toMatch(/^h/)
  })

  it('with a number may have text directly above and below', () => {
    expect(outline('The end.\nIV. TERM\nOne year.')).toEqual(['p The end.', 'h2 IV. |TERM', 'p One year.'])
  })

  it('without a number have no text directly above and no line in capitals directly below', () => {
    expect(kinds('text\nTERM\nOne year.')).toEqual(['p'])
    expect(kinds('TERM\nOne year.')).toEqual(['h2', 'p'])
    expect(kinds('1. PRICE\nTERM\nOne year.')).toEqual(['h2', 'h2', 'p'])
    expect(kinds('THE GOODS ARE\nPROVIDED AS IS\nAND SO ON')).toEqual(['p'])
    expect(kinds('TERMS OF SALE\n1. PRICE')).toEqual(['h2', 'h2'])
  })

  it('never skip a level', () => {
    expect(kinds('1.1.1 DEEP\n1. TOP\n1.1.1 DEEP\n1.1.1 DEEP')).toEqual(['h3', 'h2', 'h3', 'h4'])
  })

  it('are recognised in spite of hidden characters', () => {
    expect(outline('\uFEFF1.\u200B PRICE')).toEqual(['h2 1. |PRICE'])
  })
})

describe('items [ceremony: plain text rule 4]', () => {
  it.each([
    '(a) x',
    '(iv) x',
    '(A) x',
    '(1) x',
    '1.1 x',
    '2.10.3. x',
    '1. x',
    '1) x',
    'a) x',
    '- x',
    '• x',
    '\t2.1\tx',
    'A. x',
  ])('start at %j', (line) => expect(kinds(line)).toEqual(['i1']))

  it.each(['(or) x', '2026. x', '1.1', '(a)', '-x', '- - -', '* * *', '(the Seller) x', 'etc. x', '(abc) x'])(
    'do not start at %j',
    (line) => expect(kinds(line)).toEqual(['p']),
  )

  it('do not start at a name with an initial inside a paragraph', () => {
    expect(kinds('signed by\nA. Smith and others')).toEqual(['p'])
    expect(kinds('A. one\nB. two')).toEqual(['i1', 'i1'])
  })

  it('nest by the kinds of markers since the last heading', () => {
    const text = '1. x\n1.1 x\n(a) x\n(i) x\n(ii) x\n(b) x\n1.2 x\n2. x\n\nPRICE\n\n(a) x'
    expect(kinds(text)).toEqual(['i1', 'i2', 'i3', 'i4', 'i4', 'i3', 'i2', 'i1', 'gap', 'h2', 'gap', 'i1'])
  })

  it('distinguish the letter i from the Roman number', () => {
    expect(kinds('(h) x\n(i) x\n(j) x')).toEqual(['i1', 'i1', 'i1'])
    expect(kinds('(a) x\n(i) x\n(ii) x\n(b) x')).toEqual(['i1', 'i2', 'i2', 'i1'])
  })
})

describe('hard-wrapped prose [ceremony: plain text rule 5]', () => {
  const reflows = (text: string) => readText(text).blocks.map((block) => 'reflows' in block && block.reflows)

  it('reflows if it has at least three lines of 50 to 110 characters; the last may be shorter', () => {
    expect(reflows(`${LONG}\n${LONG}\nend`)).toEqual([true])
    expect(reflows(`${LONG}\n${LONG}`)).toEqual([false])
    expect(reflows(`${LONG}\nshort\n${LONG}`)).toEqual([false])
    expect(reflows(`${'x'.repeat(111)}\n${LONG}\n${LONG}`)).toEqual([false])
    expect(reflows(`${LONG}\n  ${LONG}\nend`)).toEqual([false])
  })

  it('reflows in an item with lines that are indented below its marker', () => {
    expect(reflows(`(a) ${LONG}\n    end`)).toEqual([true])
    expect(reflows('(a) one\n    two')).toEqual([false])
  })
})

describe('columns [ceremony: plain text rule 6]', () => {
  it('are two or more lines that contain a tab or three spaces', () => {
    expect(outline('Item\tPrice\nLogger\t5')).toEqual(['pre Item\tPrice\nLogger\t5'])
    expect(kinds('one   two\nthree   four')).toEqual(['pre'])
    expect(kinds('Item\tPrice\n\nelse')).toEqual(['p', 'gap', 'p'])
    expect(kinds('one  two\nthree  four')).toEqual(['p'])
    expect(kinds('\tindented\n\tindented')).toEqual(['p'])
  })

  it('include a ruler, a single cell and blank lines for signatures', () => {
    expect(
      kinds('THE SELLER    THE BUYER\n\n\n_____    _____\nName:    Name:\nTitle: Director\nDate:    Date:'),
    ).toEqual(['pre'])
    expect(kinds('Item\tPrice\n----- ---\nLogger\t5')).toEqual(['pre'])
  })

  it.each([
    ['a fee far to the right of a table', `one   100\ntwo   200${' '.repeat(100)}plus a fee of 9,000\nthree   300`],
    ['a clause after many tabs', `one\t100\ntwo\t200${'\t'.repeat(8)}plus a fee of 9,000\nthree\t300`],
    ['an indent wider than the paper', `${'\t'.repeat(7)}THE SELLER\tMAY\n${'\t'.repeat(7)}ASSIGN\tALL`],
    ['lines of more than 100 columns', `a   ${'x'.repeat(98)}\nb   ${'x'.repeat(98)}`],
    ['badges of more than 100 columns', `a   b${'\u0001\u0002'.repeat(8)}\na   b${'\u0001\u0002'.repeat(8)}`],
    ['very wide characters', `a   ${'\uFDFD'.repeat(7)}\na   ${'\u{12031}'.repeat(7)}`],
  ])('exclude text that would extend beyond their frame: %s', (_, text) => {
    expect(kinds(text)).toEqual(['p'])
  })

  it('end at a ruler or a cell that is too wide for them', () => {
    for (const line of ['-'.repeat(101), `${'\t'.repeat(7)}Seller may assign.`, '\u0001\u0002'.repeat(9)]) {
      expectWithMessage(kinds(`a   b\na   b\n${line}\na   b\na   b`), line).toEqual(['pre', 'p', 'pre'])
    }
  })

  it('have the width of their widest line, including tab stops, indent, badges and wide characters', () => {
    const columnsOf = (text: string) => readText(text).blocks.map((block) => block.kind === 'aligned' && block.columns)
    expect(columnsOf('a\tb\nlonger   c')).toEqual([10])
    expect(columnsOf('a\tb\n\t\ta\tb   ')).toEqual([25])
    expect(columnsOf('a\tb\na\u0301\t語')).toEqual([10])
    expect(columnsOf('a\tb\na\tb\u200B')).toEqual([9 + 'U+200B ZWSP'.length + 2])
  })

  it('exclude a list with tabs after its markers, and lines wider than a sheet', () => {
    expect(kinds('1.1\tone\n1.2\ttwo')).toEqual(['i1', 'i1'])
    expect(kinds(`Term\t${LONG.repeat(3)}\nOther\t${LONG.repeat(3)}`)).toEqual(['p'])
  })
})

describe('gaps [S14.4, ceremony: plain text rule 8]', () => {
  it('count every blank line, even with spaces in it; a line of hidden characters is not blank', () => {
    expect(outline('a\n\n \t\n\u00A0\n\u3000\nb')).toEqual(['p a', 'gap 4', 'p b'])
    expect(kinds('a\n\n\u200B\n\nb')).toEqual(['p', 'gap', 'p', 'gap', 'p'])
    expect(outline(`a${'\n'.repeat(62)}b`)[1]).toBe('gap 61')
  })
})
