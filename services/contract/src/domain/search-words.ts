// The words by which an owner finds a contract. Pure. `foldText` serves writing and asking, so both agree on case, accents and dashes. [D71]
// A word of a text is found by its beginning, and so is each part of a word with signs in it: `EXT-20261120-7KQ4MXTA` by `7kq4`,
// `jane.roe@nordicfoods.example` by `nordicfoods.ex`. What people write as one word, they search as one word.

/** Longer words are cut, in code points. The beginning still finds them. */
const WORD_LENGTH_MAX = 64
/** Words of one contract: room for the names and addresses of fifty parties. Metadata comes last, so hostile metadata loses words. */
const WORDS_MAX = 300
/** Words of one search: each costs a look into the index. */
export const TERMS_MAX = 5

/** Letters that Unicode does not decompose. */
const LETTERS: Readonly<Record<string, string>> = { Œ: 'OE', Æ: 'AE', Ø: 'O', Ł: 'L', Đ: 'D' }

/** The text without case, accents and invisible characters, and with plain dashes and apostrophes. */
function foldText(text: string): string {
  return (
    text
      .normalize('NFKD')
      .replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
      // Upper case, because it makes ß and ss, and both forms of sigma, equal.
      .toUpperCase()
      .replace(/[ŒÆØŁĐ]/g, (letter) => LETTERS[letter] ?? letter)
      .replace(/[\u2010-\u2015\u2212]/g, '-')
      .replace(/[\u2018\u2019\u02BC]/g, "'")
  )
}

/** The words between blanks, each with the places where its letters and digits begin, and without signs at its ends. */
function readWords(text: string): { word: string; starts: number[] }[] {
  // \p{C} has NUL, which Postgres cannot store, and lone surrogates.
  return foldText(text)
    .split(/[\s\p{C}]+/u)
    .flatMap((word) => {
      const parts = [...word.matchAll(/[\p{L}\p{N}]+/gu)]
      const last = parts.at(-1)
      if (!last) return []
      return [{ word: word.slice(0, last.index + last[0].length), starts: parts.map(({ index }) => index) }]
    })
}

const cut = (word: string): string =>
  word.length <= WORD_LENGTH_MAX ? word : Array.from(word).slice(0, WORD_LENGTH_MAX).join('')

/** The distinct words that find a contract with these texts, at most 300, the first texts first. */
export function wordsOf(texts: readonly string[]): string[] {
  const words = new Set<string>()
  for (const text of texts) {
    for (const { word, starts } of readWords(text)) {
      // The last part of an address is the end of its domain, such as "com", by which nobody searches.
      for (const start of word.includes('@') && starts.length > 1 ? starts.slice(0, -1) : starts) {
        words.add(cut(word.slice(start)))
        if (words.size === WORDS_MAX) return [...words]
      }
    }
  }
  return [...words]
}

/** The distinct beginnings of words that a search asks for, all of which a contract must have; none if nothing can be searched. */
export const termsOf = (search: string): string[] => [
  ...new Set(readWords(search).map(({ word, starts }) => cut(word.slice(starts[0])))),
]
