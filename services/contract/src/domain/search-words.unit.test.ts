import { describe, expect, it } from '@jest/globals'
import { termsOf, wordsOf } from './search-words.js'

/** Whether a search finds a contract with `texts`, as the index does it. */
const finds = (search: string, ...texts: string[]): boolean => {
  const [words, terms] = [wordsOf(texts), termsOf(search)]
  return terms.length > 0 && terms.every((term) => words.some((word) => word.startsWith(term)))
}

describe('a search finds [D71]', () => {
  it.each([
    ['the beginning of a word', 'nord', 'Nordic Foods Ltd.'],
    ['words in any order', 'ltd nordic', 'Nordic Foods Ltd.'],
    ['any case', 'NoRdIc', 'nordic foods'],
    ['a number, and its end', '7kq4', 'EXT-20261120-7KQ4MXTA'],
    ['a number as a whole', ' ext-20261120-7kq4mxta ', 'EXT-20261120-7KQ4MXTA'],
    ['a whole address', 'Jane.Roe@NordicFoods.example', 'jane.roe@nordicfoods.example'],
    ['the domain of an address', '@nordicfoods.example', 'jane.roe@nordicfoods.example'],
    ['a name in an address', 'roe', 'jane.roe@nordicfoods.example'],
    ['a word without its accents', 'cafe genereaux', 'Café Généreaux'],
    ['a word with other accents', 'çafé', 'Cafe'],
    ['composed and decomposed letters alike', 'e\u0301te\u0301', 'Été'],
    ['ligatures and letters that do not decompose', 'coeur soren lodz', 'Cœur Søren Łódź'],
    ['ß as ss, and both sigmas', 'strasse νικοσ', 'Straße ΝΙΚΟς'],
    ['a Turkish capital I', 'istanbul', 'İstanbul'],
    ['full-width letters and digits', 'abc123', 'ＡＢＣ１２３'],
    ['a typographic apostrophe and dash', "o'brien a-b", 'O’Brien A‑B'],
    ['a part after a sign', 'brien b', 'O’Brien A–B'],
    ['Hebrew with direction marks', '\u200Fכהן', 'יעל כהן'],
    ['Arabic without vowel marks', 'محمد', 'مُحَمَّد'],
    ['a word around an invisible character', 'nordic', 'Nor\u00ADdic'],
    ['Chinese from its beginning', '株式', '株式会社ノルディック'],
    ['a word beside emoji', 'party', '🎉 party 🎉'],
    ['an order number in metadata', '10442', 'https://shop.example/orders/10442'],
    ['a word with LIKE wildcards', '100%_a', '100%_a'],
  ])('%s', (_, search, text) => expect(finds(search, text)).toBe(true))

  it.each([
    ['a word by its middle', 'ordic', 'Nordic'],
    ['with a word that is missing', 'nordic inc', 'Nordic Foods Ltd.'],
    ['anything by LIKE wildcards', 'n%c', 'Nordic'],
    ['anything by a single wildcard', '%', 'Nordic'],
    ['anything by signs, emoji or nothing', ' .-_ 🎉 ', 'Nordic 🎉 .-_'],
    ['an address by the end of its domain', 'example', 'jane@nordicfoods.example'],
  ])('not %s', (_, search, text) => expect(finds(search, text)).toBe(false))
})

describe('the words of a contract', () => {
  it('are distinct, without signs at their ends, and with each part of a word', () => {
    expect(wordsOf(['Nordic "Foods" Ltd.', 'foods', 'EXT-1-A'])).toEqual([
      'NORDIC',
      'FOODS',
      'LTD',
      'EXT-1-A',
      '1-A',
      'A',
    ])
    expect(wordsOf(['jane.roe@nordic.example'])).toEqual([
      'JANE.ROE@NORDIC.EXAMPLE',
      'ROE@NORDIC.EXAMPLE',
      'NORDIC.EXAMPLE',
    ])
  })

  it('are at most 300 of 64 characters, the first texts first, also of ten thousand characters', () => {
    const hostile = [
      'x'.repeat(10_000),
      '🎉'.repeat(10_000),
      '.a'.repeat(5_000),
      '\uFDFA'.repeat(10_000),
      '𝒳'.repeat(10_000),
      Array.from({ length: 3_000 }, (_, n) => `w${n}`).join(' '),
    ]
    const words = wordsOf(['EXT-1', ...hostile])
    expect([words.length, words[0]]).toEqual([300, 'EXT-1'])
    expect(Math.max(...words.map((word) => Array.from(word).length))).toBe(64)
    expect(finds('x'.repeat(10_000), 'x'.repeat(9_000))).toBe(true)
  })

  it('can be stored, whatever the texts hold', () => {
    const words = wordsOf(['a\u0000b \uD800c d\uDC00 \uE000e \u202Ef \uFFFFg', `${'x'.repeat(63)}𝒳y`])
    expect(words.every((word) => word.isWellFormed() && !/[\p{C}\s]/u.test(word))).toBe(true)
    expect(words.slice(0, 3)).toEqual(['A', 'B', 'C'])
  })
})
