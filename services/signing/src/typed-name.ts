// Whether a typed name is the legal name on the contract. [D26]
// PURE. What was typed is what is stored; this only compares.

/**
 * Equal after NFKC, case folding, collapsed spaces, straight apostrophes and without dots; accents may be left out of what
 * is typed, but not added.
 */
export function isNameOf(typed: string, legalName: string): boolean {
  const [a, b] = [normalise(typed), normalise(legalName)]
  return a !== '' && (a === b || a === withoutAccents(b))
}

function normalise(name: string): string {
  return (
    name
      .normalize('NFKC')
      .replace(/[\u2018\u2019\u02BC\u0060\u00B4]/g, "'")
      .replaceAll('.', '')
      .toLocaleLowerCase('und')
      // Full case folding where lower-casing alone keeps two spellings of one word apart.
      .replaceAll('ß', 'ss')
      .replaceAll('ς', 'σ')
      .replace(/\s+/gu, ' ')
      .trim()
  )
}

const withoutAccents = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .normalize('NFC')
