import { describe, expect, it } from 'vitest'
import { readText } from './read-text.js'
import { plainText } from './runs.js'

/** Blocks in short: `h2 1. |TITLE`, `i1 (a) |words`, `p`, `flow`, `pre`, `gap 1`. */
const outline = (text: string): string[] =>
  readText(text).blocks.map((block) => {
    if (block.kind === 'gap') return `gap ${block.lines}`
    if (block.kind === 'heading') return `h${block.level} ${plainText(block.number)}|${plainText(block.words)}`
    if (block.kind === 'item') return `i${block.depth} ${plainText(block.marker)}|${plainText(block.words)}`
    return `${block.kind === 'aligned' ? 'pre' : 'p'} ${plainText(block.words)}`
  })
const kinds = (text: string): string[] => outline(text).map((line) => line.split(' ')[0]!)
const LONG = 'x'.repeat(60)

describe('headings [ceremony: plain text rule 3]', () => {
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
  ])('takes %j for one, its number apart', (line, expected) => {
    expect(outline(`text\n\n${line}\n\ntext`)[2]).toBe(expected)
  })

  it.each([
    ['lowercase', '1. Price'],
    ['less than three capitals', 'AB'],
    ['more than 120 characters', 'A'.repeat(121)],
    ['a comma at the end', 'NORDIC FOODS,'],
    ['a semicolon at the end', '1. PRICE;'],
    ['Arabic with a currency in capitals', 'المبلغ CAD خمسمائة'],
    ['a sentence of 60 characters', `${'THE GOODS ARE PROVIDED AS IS '.repeat(2)}AND SO.`],
  ])('takes none for one: %s', (_, line) => {
    expect(kinds(`text\n\n${line}\n\ntext`)[2]).not.toMatch(/^h/)
  })

  it('lets a numbered one follow text and be followed by it', () => {
    expect(outline('The end.\nIV. TERM\nOne year.')).toEqual(['p The end.', 'h2 IV. |TERM', 'p One year.'])
  })

  it('wants any other alone: no text above, no shouted line below', () => {
    expect(kinds('text\nTERM\nOne year.')).toEqual(['p'])
    expect(kinds('TERM\nOne year.')).toEqual(['h2', 'p'])
    expect(kinds('1. PRICE\nTERM\nOne year.')).toEqual(['h2', 'h2', 'p'])
    expect(kinds('THE GOODS ARE\nPROVIDED AS IS\nAND SO ON')).toEqual(['p'])
    expect(kinds('TERMS OF SALE\n1. PRICE')).toEqual(['h2', 'h2'])
  })

  it('never leaves out a level', () => {
    expect(kinds('1.1.1 DEEP\n1. TOP\n1.1.1 DEEP\n1.1.1 DEEP')).toEqual(['h3', 'h2', 'h3', 'h4'])
  })

  it('is not hidden by hidden characters', () => {
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
  ])('begins one at %j', (line) => expect(kinds(line)).toEqual(['i1']))

  it.each(['(or) x', '2026. x', '1.1', '(a)', '-x', '- - -', '* * *', '(the Seller) x', 'etc. x', '(abc) x'])(
    'begins none at %j',
    (line) => expect(kinds(line)).toEqual(['p']),
  )

  it('takes a name with an initial inside a paragraph for what it is', () => {
    expect(kinds('signed by\nA. Smith and others')).toEqual(['p'])
    expect(kinds('A. one\nB. two')).toEqual(['i1', 'i1'])
  })

  it('nests by the kinds of markers since the last heading', () => {
    const text = '1. x\n1.1 x\n(a) x\n(i) x\n(ii) x\n(b) x\n1.2 x\n2. x\n\nPRICE\n\n(a) x'
    expect(kinds(text)).toEqual(['i1', 'i2', 'i3', 'i4', 'i4', 'i3', 'i2', 'i1', 'gap', 'h2', 'gap', 'i1'])
  })

  it('tells the letter i from the number one', () => {
    expect(kinds('(h) x\n(i) x\n(j) x')).toEqual(['i1', 'i1', 'i1'])
    expect(kinds('(a) x\n(i) x\n(ii) x\n(b) x')).toEqual(['i1', 'i2', 'i2', 'i1'])
  })
})

describe('hard-wrapped prose [ceremony: plain text rule 5]', () => {
  const reflows = (text: string) => readText(text).blocks.map((block) => 'reflows' in block && block.reflows)

  it('flows anew from three lines of 50 to 110 characters on, the last as short as it is', () => {
    expect(reflows(`${LONG}\n${LONG}\nend`)).toEqual([true])
    expect(reflows(`${LONG}\n${LONG}`)).toEqual([false])
    expect(reflows(`${LONG}\nshort\n${LONG}`)).toEqual([false])
    expect(reflows(`${'x'.repeat(111)}\n${LONG}\n${LONG}`)).toEqual([false])
    expect(reflows(`${LONG}\n  ${LONG}\nend`)).toEqual([false])
  })

  it('flows anew in an item with lines that hang below its marker', () => {
    expect(reflows(`(a) ${LONG}\n    end`)).toEqual([true])
    expect(reflows('(a) one\n    two')).toEqual([false])
  })
})

describe('columns [ceremony: plain text rule 6]', () => {
  it('are two lines or more with a tab or three spaces inside', () => {
    expect(outline('Item\tPrice\nLogger\t5')).toEqual(['pre Item\tPrice\nLogger\t5'])
    expect(kinds('one   two\nthree   four')).toEqual(['pre'])
    expect(kinds('Item\tPrice\n\nelse')).toEqual(['p', 'gap', 'p'])
    expect(kinds('one  two\nthree  four')).toEqual(['p'])
    expect(kinds('\tindented\n\tindented')).toEqual(['p'])
  })

  it('keep a ruler, a single cell and the room to sign', () => {
    expect(
      kinds('THE SELLER    THE BUYER\n\n\n_____    _____\nName:    Name:\nTitle: Director\nDate:    Date:'),
    ).toEqual(['pre'])
    expect(kinds('Item\tPrice\n----- ---\nLogger\t5')).toEqual(['pre'])
  })

  it.each([
    ['a fee far behind a table', `one   100\ntwo   200${' '.repeat(100)}plus a fee of 9,000\nthree   300`],
    ['a clause behind many tabs', `one\t100\ntwo\t200${'\t'.repeat(8)}plus a fee of 9,000\nthree\t300`],
    ['an indent wider than the paper', `${'\t'.repeat(7)}THE SELLER\tMAY\n${'\t'.repeat(7)}ASSIGN\tALL`],
    ['lines of more than 100 columns', `a   ${'x'.repeat(98)}\nb   ${'x'.repeat(98)}`],
    ['labels of more than 100 columns', `a   b${'\u0001\u0002'.repeat(8)}\na   b${'\u0001\u0002'.repeat(8)}`],
    ['very wide characters', `a   ${'\uFDFD'.repeat(7)}\na   ${'\u{12031}'.repeat(7)}`],
  ])('are none, so that nothing is pushed out of their frame: %s', (_, text) => {
    expect(kinds(text)).toEqual(['p'])
  })

  it('end at a single line that goes beyond them: a ruler, a cell far to the right', () => {
    for (const line of ['-'.repeat(101), `${'\t'.repeat(7)}Seller may assign.`, '\u0001\u0002'.repeat(9)]) {
      expect(kinds(`a   b\na   b\n${line}\na   b\na   b`), line).toEqual(['pre', 'p', 'pre'])
    }
  })

  it('know how wide their widest line is: tabs to the next stop, indent, labels, wide characters', () => {
    const columnsOf = (text: string) => readText(text).blocks.map((block) => block.kind === 'aligned' && block.columns)
    expect(columnsOf('a\tb\nlonger   c')).toEqual([10])
    expect(columnsOf('a\tb\n\t\ta\tb   ')).toEqual([25])
    expect(columnsOf('a\tb\na\u0301\t語')).toEqual([10])
    expect(columnsOf('a\tb\na\tb\u200B')).toEqual([9 + 'U+200B ZWSP'.length + 2])
  })

  it('are none in a list whose markers are followed by a tab, nor in lines longer than a sheet is wide', () => {
    expect(kinds('1.1\tone\n1.2\ttwo')).toEqual(['i1', 'i1'])
    expect(kinds(`Term\t${LONG.repeat(3)}\nOther\t${LONG.repeat(3)}`)).toEqual(['p'])
  })
})

describe('gaps [ceremony: plain text rule 8]', () => {
  it('count every blank line, whatever spaces are in it; a line of hidden characters is not blank', () => {
    expect(outline('a\n\n \t\n\u00A0\n\u3000\nb')).toEqual(['p a', 'gap 4', 'p b'])
    expect(kinds('a\n\n\u200B\n\nb')).toEqual(['p', 'gap', 'p', 'gap', 'p'])
    expect(outline(`a${'\n'.repeat(62)}b`)[1]).toBe('gap 61')
  })
})
