// Which language a contract is written in, so that a screen reader pronounces it. PURE. [WCAG 3.1.2]
// A guess by stop words that the other language, and its neighbours, do not share: "de" or "in" would prove nothing.

const STOP_WORDS = {
  en: new Set(['the', 'of', 'and', 'shall', 'this', 'that', 'with', 'by', 'from', 'any', 'which', 'to', 'not', 'its']),
  fr: new Set([
    'le',
    'les',
    'des',
    'du',
    'et',
    'est',
    'une',
    'dans',
    'pour',
    'par',
    'qui',
    'aux',
    'sur',
    'cette',
    'au',
  ]),
}

/** Fewer hits say nothing: a title alone has no language. */
const HITS_MIN = 3
/** Of all words. Running text in its own language has 20 to 40 %; a neighbour's stays below 5. */
const SHARE_MIN = 0.08

/** The tag for `lang`; '' is HTML's "not known", better than a wrong voice. */
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
