// Whether a typed name is the legal name on the contract. [D26]
// PURE. What was typed is what is stored; this only compares.

/** Longer than any legal name (200) with every dot and space that somebody may add. */
const TYPED_CODE_POINTS_MAX = 300

/**
 * Equal after NFKC, case folding, collapsed spaces, straight apostrophes and hyphens and without dots; any accent may be left
 * out of what is typed, but none added. Nothing invisible and nothing much longer than a name passes.
 */
export function isNameOf(typed: string, legalName: string): boolean {
  if ([...typed].length > TYPED_CODE_POINTS_MAX || /\p{Cc}/u.test(typed)) return false
  const [letters, wanted] = [lettersOf(typed), lettersOf(legalName)]
  // A name of dots alone has no letters to compare.
  if (wanted.length === 0) return typed.trim() === legalName.trim()
  return letters.length === wanted.length && letters.every((letter, at) => isLetterOf(letter, wanted[at] ?? ''))
}

/** The same letter, or the same without its accents. */
const isLetterOf = (typed: string, wanted: string): boolean =>
  typed === wanted || typed === wanted.replace(/\p{Mn}+$/u, '')

/** Each letter with its accents, decomposed, in the order of the name. */
const lettersOf = (name: string): string[] =>
  fold(name)
    .normalize('NFD')
    .match(/\P{Mn}\p{Mn}*|^\p{Mn}+/gu) ?? []

function fold(name: string): string {
  return (
    name
      .normalize('NFKC')
      .replace(/[\u2018\u2019\u02BC\u0060\u00B4]/g, "'")
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
