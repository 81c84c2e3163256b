// Guesses the language of a contract, so that a screen reader uses the right voice. Pure. [WCAG 3.1.2]
// It counts stop words that the other language and its neighbours do not share: "de" or "in" would prove nothing.

const STOP_WORDS = {
  en: new Set('the of and shall this that with by from any which to not its'.split(' ')),
  fr: new Set('le les des du et est une dans pour par qui aux sur cette au'.split(' ')),
}

/** With fewer hits the language is unknown, as for a title alone. */
const HITS_MIN = 3
/** Share of all words. Running text of the language has 20 to 40 %, that of a neighbour below 5 %. */
const SHARE_MIN = 0.08

/** The tag for `lang`; '' is HTML's "unknown", which is better than the wrong voice. */
export function guessLanguage(text: string): 'en' | 'fr' | '' {
  let words = 0
  const hits = { en: 0, fr: 0 }
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    words += 1
    if (STOP_WORDS.en.has(word)) hits.en += 1
    else if (STOP_WORDS.fr.has(word)) hits.fr += 1
  }
  const likely = hits.en > hits.fr ? 'en' : 'fr'
  const other = likely === 'en' ? 'fr' : 'en'
  const isClear = hits[likely] >= HITS_MIN && hits[likely] >= words * SHARE_MIN && hits[likely] > 3 * hits[other]
  return isClear ? likely : ''
}
