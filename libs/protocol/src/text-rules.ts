// The rules for names, email addresses and all strings. Pure. [D11, D14]
// Lengths are Unicode code points, not UTF-16 units. Messages never repeat the input.

/** True for NUL, which Postgres cannot store, and for a lone surrogate, which JSON cannot carry. */
export function isUnstorable(text: string): boolean {
  return text.includes('\u0000') || !text.isWellFormed()
}

/** True if any string or key in a parsed JSON value cannot be stored. The JSON reader bounds the depth. */
export function containsUnstorable(value: unknown): boolean {
  if (typeof value === 'string') return isUnstorable(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) => isUnstorable(key) || containsUnstorable(inner))
}

/** Number of Unicode code points. */
export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

// ZWNJ and ZWJ carry meaning between letters of these scripts.
const JOINING_SCRIPTS =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}'
const MEANINGFUL_JOINER = new RegExp(`(?<=[${JOINING_SCRIPTS}]\\p{M}*)[\\u200C\\u200D](?=[${JOINING_SCRIPTS}])`, 'gu')

/** Variation selectors that choose a glyph: after ideographs, emoji and Mongolian letters. */
const MEANINGFUL_SELECTOR =
  /(?<=[\p{Unified_Ideograph}\p{Extended_Pictographic}])[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]|(?<=\p{Script=Mongolian})[\u180B-\u180D\u180F]/gu

/** Control, bidi-control and zero-width characters, line separators, the blank Braille cell, and noncharacters. */
const INVISIBLE =
  /[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2028\u2029\u2800\uFFF9-\uFFFB]/u

/** True if a name has an invisible character or one that changes the reading order. */
export function hasHiddenCharacter(name: string): boolean {
  return INVISIBLE.test(name.replace(MEANINGFUL_JOINER, '').replace(MEANINGFUL_SELECTOR, ''))
}

/** Like `hasHiddenCharacter`, but accepts line breaks. */
export const hasHiddenCharacterInText = (text: string): boolean =>
  isUnstorable(text) || text.split('\n').some(hasHiddenCharacter)

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * The error in a party's role or legal name, as the end of a sentence; undefined for a valid one.
 * @param name trimmed, or at least empty if it is blank
 */
export function nameError(name: string, codePointsMax: number): string | undefined {
  if (name === '') return 'must not be blank'
  if (isUnstorable(name)) return 'must not hold NUL or half a surrogate pair'
  if (hasHiddenCharacter(name)) return 'must not hold line breaks, control characters or invisible characters'
  if (countCodePoints(name) > codePointsMax) return `must have at most ${codePointsMax} characters`
  if (!VISIBLE.test(name)) return 'must hold a letter or another visible character'
  // An encoded word of RFC 2047: mail programs would decode it.
  if (name.includes('=?')) return 'must not hold =?'
  return undefined
}

/** URL schemes, host names and IPv4 addresses. A short label before the dot is part of a name: St.John, J.Smith. */
const URL_LIKE = [
  /:\/\/|\bmailto:|\bwww\./i,
  /(?<![\p{L}\p{N}])\d{1,3}(?:\.\d{1,3}){3}(?![\p{L}\p{N}])/u,
  /[\p{L}\p{N}-]\.(?:com|net|org|info|io|co|app|dev|ca|fr|uk|de|eu|us|ru|cn|me|tv|ly|gg)(?![\p{L}\p{N}])/iu,
  /[\p{L}\p{N}-]{3,}\.\p{L}{2,}/u,
]

/** Look-alikes of the letters of the brand: Cyrillic, Greek, Armenian, small capitals, script forms, digits. [UTS 39] */
const LOOK_ALIKES = {
  p: '\u0440\u03C1\u1D18\u2374\u2CA3',
  a: '\u0430\u03B1\u0251\u1D00\u2C654@',
  r: '\u0433\u1D26\u0280\u027E\uAB47',
  h: '\u04BB\u0570\u029C\u043D\u210E',
}
const PLAIN_LETTER = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([plain, others]) =>
    [...others].map((other): [string, string] => [other, plain]),
  ),
)
/** Separators between single letters: P a r a p h, P.A.R.A.P.H. */
const BETWEEN_SINGLE_LETTERS = /(?<=(?<![\p{L}\p{N}])\p{L})[^\p{L}\p{N}]+(?=\p{L}(?![\p{L}\p{N}]))/gu

/** True for the brand, also with accents, look-alike letters, separators between letters, or characters inside the word. */
function looksLikeBrand(name: string): boolean {
  const plain = [...name.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase('und')]
    .map((character) => PLAIN_LETTER.get(character) ?? character)
    .join('')
  const words = plain.replace(BETWEEN_SINGLE_LETTERS, '').split(/\s+/u)
  return words.some((word) => word.replace(/[^\p{L}\p{N}]/gu, '').includes('paraph'))
}

/** The error in a display name of a sender or account: as `nameError`, and it must not imitate an address or Paraph. */
export function displayNameError(name: string, codePointsMax: number): string | undefined {
  const error = nameError(name, codePointsMax)
  if (error) return error
  // Full-width letters and the ideographic full stop count as the characters that they resemble.
  const normalized = name
    .normalize('NFKC')
    .replaceAll('\u3002', '.')
    .replace(/\s*[[({]\s*(?:\.|dot)\s*[\])}]\s*/giu, '.')
  if (normalized.includes('@')) return 'must not hold an @'
  if (URL_LIKE.some((pattern) => pattern.test(normalized))) return 'must not hold a web address'
  if (looksLikeBrand(name)) return 'must not hold the name Paraph'
  if (/(?<![\p{L}\p{N}])via[^\p{L}\p{N}]*$/iu.test(normalized)) return 'must not end in "via"'
  return undefined
}

const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/

/** True for the strict form that the API accepts: a dot-atom ASCII local part, one @, a domain with a dot. [D14] */
export function isMailAddress(address: string): boolean {
  if (address.length > 254 || isUnstorable(address)) return false
  const parts = address.split('@')
  if (parts.length !== 2) return false
  const [local, domain] = parts as [string, string]
  if (local.length > 64 || !LOCAL_PART.test(local)) return false
  const host = mailDomainToAscii(domain)
  // SMTP transmits the domain in ASCII, which may be longer than the text.
  return host !== undefined && local.length + 1 + host.length <= 254
}

/** A mail domain as IDNA ASCII in lower case; undefined if it is not a host name with a dot. */
export function mailDomainToAscii(domain: string): string | undefined {
  // The URL parser applies UTS 46, but also accepts texts that are not host names: these are rejected first.
  if (domain === '' || /[\s/\\?#@:%[\]<>|^]/.test(domain) || hasHiddenCharacter(domain)) return undefined
  let host: string
  try {
    host = new URL(`http://${domain}/`).hostname
  } catch {
    return undefined
  }
  const labels = host.split('.')
  const wellFormed = labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label))
  if (labels.length < 2 || !wellFormed || host.length > 253) return undefined
  return /^[0-9]+$/.test(labels.at(-1) ?? '') ? undefined : host
}

/** The form in which two addresses are the same mailbox: lower case, domain in ASCII. [D14] */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  return `${address.slice(0, at)}@${mailDomainToAscii(domain) ?? domain}`.toLowerCase()
}
