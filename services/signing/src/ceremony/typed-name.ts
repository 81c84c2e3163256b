// Whether a typed name is the legal name on the contract. [D26]
// PURE. What was typed is what is stored; this only compares.

/** Longer than any legal name (200) with every dot and space that somebody may add. */
const TYPED_CODE_POINTS_MAX = 300

/**
 * Equal after NFKC, case folding, collapsed spaces, straight apostrophes and hyphens and without dots; any accent may be left out
 * of what is typed, but none added. Where the name has dots, the spaces beside them do not count: J. R. Roe is J.R. Roe.
 * Nothing invisible and nothing much longer than a name passes.
 */
export function isNameOf(typed: string, legalName: string): boolean {
  if ([...typed].length > TYPED_CODE_POINTS_MAX || /\p{Cc}/u.test(typed)) return false
  const wanted = fold(legalName)
  // A name of dots alone has no letters to compare.
  if (wanted === '') return typed.trim() === legalName.trim()
  const given = fold(typed)
  return isSame(given, wanted) || (legalName.includes('.') && isSame(unspaced(given), unspaced(wanted)))
}

function isSame(given: string, wanted: string): boolean {
  const [letters, wantedLetters] = [lettersOf(given), lettersOf(wanted)]
  return (
    letters.length === wantedLetters.length &&
    letters.every((letter, at) => isLetterOf(letter, wantedLetters[at] ?? ''))
  )
}

const unspaced = (name: string): string => name.replaceAll(' ', '')

/** The same letter, or the same without some of its accents. */
function isLetterOf(typed: string, wanted: string): boolean {
  const [typedBase, wantedBase] = [baseOf(typed), baseOf(wanted)]
  if (typedBase !== wantedBase && typedBase !== UNBARRED.get(wantedBase)) return false
  const marks = [...wanted.matchAll(MARK)].map(([mark]) => mark)
  return [...typed.matchAll(MARK)].every(([mark]) => marks.includes(mark))
}

const MARK = /\p{Mn}/gu
const baseOf = (letter: string): string => letter.replace(MARK, '')

/** Letters whose stroke is an accent to those who type without it, though Unicode does not take it apart. */
const UNBARRED: ReadonlyMap<string, string> = new Map([
  ['ł', 'l'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ħ', 'h'],
  ['ŧ', 't'],
  ['ı', 'i'],
])

/** Each letter with its accents, decomposed, in the order of the name. */
const lettersOf = (folded: string): string[] => folded.normalize('NFD').match(/\P{Mn}\p{Mn}*|^\p{Mn}+/gu) ?? []

function fold(name: string): string {
  return (
    name
      // Before NFKC, which takes U+00B4 apart into a space and an accent.
      .replace(/[\u2018\u2019\u02BC\u0060\u00B4\u2032]/g, "'")
      .normalize('NFKC')
      // Joiners shape letters that are written without them too.
      .replace(/[\u200C\u200D]/g, '')
      .replace(/\p{Pd}/gu, '-')
      .replaceAll('.', '')
      .toLocaleLowerCase('und')
      // Full case folding where lower-casing alone keeps two spellings of one word apart.
      .replaceAll('ß', 'ss')
      .replaceAll('ς', 'σ')
      .replace(/\s+/gu, ' ')
      .trim()
  )
}
