// Decides whether a typed name is the legal name in the contract. Pure. [D26]
// Only compares; the name is stored as typed.

/** Longer than any legal name (200) with extra dots and spaces. */
const TYPED_CODE_POINTS_MAX = 300

/**
 * True for names that are equal after NFKC, case folding, collapsing spaces, unifying apostrophes and hyphens, and removing dots. The
 * typed name may omit accents but not add any. If the legal name has dots, spaces are ignored: J. R. Roe equals J.R. Roe.
 * False for a typed name with control characters or of more than 300 code points.
 */
export function isNameOf(typed: string, legalName: string): boolean {
  if ([...typed].length > TYPED_CODE_POINTS_MAX || /\p{Cc}/u.test(typed)) return false
  const wanted = fold(legalName)
  // A name of dots only has no letters to compare.
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

/** True for the same letter, or the same letter without some of its accents. */
function isLetterOf(typed: string, wanted: string): boolean {
  const [typedBase, wantedBase] = [baseOf(typed), baseOf(wanted)]
  if (typedBase !== wantedBase && typedBase !== UNBARRED.get(wantedBase)) return false
  const marks = [...wanted.matchAll(MARK)].map(([mark]) => mark)
  return [...typed.matchAll(MARK)].every(([mark]) => marks.includes(mark))
}

const MARK = /\p{Mn}/gu
const baseOf = (letter: string): string => letter.replace(MARK, '')

/** Letters that people type in a plain form, as without an accent, although Unicode does not decompose them. */
const UNBARRED: ReadonlyMap<string, string> = new Map([
  ['ł', 'l'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ħ', 'h'],
  ['ŧ', 't'],
  ['ı', 'i'],
])

/** The letters of the name in order, each decomposed with its accents. */
const lettersOf = (folded: string): string[] => folded.normalize('NFD').match(/\P{Mn}\p{Mn}*|^\p{Mn}+/gu) ?? []

function fold(name: string): string {
  return (
    name
      // Before NFKC, which decomposes U+00B4 into a space and an accent.
      .replace(/[\u2018\u2019\u02BC\u0060\u00B4\u2032]/g, "'")
      .normalize('NFKC')
      // Joiners only shape letters; people also write the same name without them.
      .replace(/[\u200C\u200D]/g, '')
      .replace(/\p{Pd}/gu, '-')
      .replaceAll('.', '')
      .toLocaleLowerCase('und')
      // Completes the case folding: lower-casing alone keeps ß and ς different from ss and σ.
      .replaceAll('ß', 'ss')
      .replaceAll('ς', 'σ')
      .replace(/\s+/gu, ' ')
      .trim()
  )
}
