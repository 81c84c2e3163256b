// What a name, an address and any string may hold. [D11, D14]
// Pure; lengths are Unicode code points, not UTF-16 units. Returns sentences, never the value.

/** True for NUL or a lone surrogate: Postgres cannot store the first, JSON cannot carry the second. */
export function isUnstorable(text: string): boolean {
  return text.includes('\u0000') || !text.isWellFormed()
}

/** True when a string anywhere in a parsed JSON value, a key included, cannot be stored. The depth of `value` is bounded by its reader. */
export function holdsUnstorable(value: unknown): boolean {
  if (typeof value === 'string') return isUnstorable(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) => isUnstorable(key) || holdsUnstorable(inner))
}

/** Number of Unicode code points. */
export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

// Letters of the scripts in which ZWNJ and ZWJ carry meaning, so that they are kept between them.
const JOINING_SCRIPTS =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}'
const MEANINGFUL_JOINER = new RegExp(`(?<=[${JOINING_SCRIPTS}]\\p{M}*)[\\u200C\\u200D](?=[${JOINING_SCRIPTS}])`, 'gu')

/** Variation selectors where they choose a glyph: after ideographs, emoji and Mongolian letters. */
const MEANINGFUL_SELECTOR =
  /(?<=[\p{Unified_Ideograph}\p{Extended_Pictographic}])[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]|(?<=\p{Script=Mongolian})[\u180B-\u180D\u180F]/gu

/** Control, bidi-control and zero-width characters, separators of lines, the blank Braille cell, and what is no character. */
const INVISIBLE =
  /[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2028\u2029\u2800\uFFF9-\uFFFB]/u

/** True when a name holds a character that a reader cannot see or that changes the order of what is read. */
export function hasHiddenCharacter(name: string): boolean {
  return INVISIBLE.test(name.replace(MEANINGFUL_JOINER, '').replace(MEANINGFUL_SELECTOR, ''))
}

/** The same of a text whose lines may break. */
export const hasHiddenCharacterInText = (text: string): boolean =>
  isUnstorable(text) || text.split('\n').some(hasHiddenCharacter)

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * What is wrong with a party's role or legal name, as the end of a sentence; undefined when it is fine.
 * `name` is already trimmed.
 */
export function faultOfName(name: string, codePointsMax: number): string | undefined {
  if (name === '') return 'must not be blank'
  if (isUnstorable(name)) return 'must not hold NUL or half a surrogate pair'
  if (hasHiddenCharacter(name)) return 'must not hold line breaks, control characters or invisible characters'
  if (countCodePoints(name) > codePointsMax) return `must have at most ${codePointsMax} characters`
  if (!VISIBLE.test(name)) return 'must hold a letter or another visible character'
  // An encoded word of RFC 2047: mail programs would show what it stands for.
  if (name.includes('=?')) return 'must not hold =?'
  return undefined
}

/** Schemes, host names and IPv4 addresses. A short label with a capital after the dot is a person: St.John, J.Smith. */
const URL_LIKE = [
  /:\/\/|\bmailto:|\bwww\./i,
  /(?<![\p{L}\p{N}])\d{1,3}(?:\.\d{1,3}){3}(?![\p{L}\p{N}])/u,
  /[\p{L}\p{N}-]\.(?:com|net|org|info|io|co|app|dev|ca|fr|uk|de|eu|us|ru|cn|me|tv|ly|gg)(?![\p{L}\p{N}])/iu,
  /[\p{L}\p{N}-]{3,}\.\p{L}{2,}/u,
]

/** What readers take for a letter of the brand: Cyrillic, Greek, Armenian, small capitals, script forms, figures. [UTS 39] */
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
/** Between letters that stand alone: P a r a p h, P.A.R.A.P.H. */
const BETWEEN_SINGLE_LETTERS = /(?<=(?<![\p{L}\p{N}])\p{L})[^\p{L}\p{N}]+(?=\p{L}(?![\p{L}\p{N}]))/gu

/** True for the brand, also with accents, in look-alike letters, spaced out, or with something inside the word. */
function looksLikeBrand(name: string): boolean {
  const read = [...name.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase('und')]
    .map((character) => PLAIN_LETTER.get(character) ?? character)
    .join('')
  const words = read.replace(BETWEEN_SINGLE_LETTERS, '').split(/\s+/u)
  return words.some((word) => word.replace(/[^\p{L}\p{N}]/gu, '').includes('paraph'))
}

/** What is wrong with a sender's or account's display name: the rules of a name, and nothing that imitates an address or us. */
export function faultOfDisplayName(name: string, codePointsMax: number): string | undefined {
  const fault = faultOfName(name, codePointsMax)
  if (fault) return fault
  // As it reads: full-width letters and the ideographic full stop are what they look like.
  const read = name
    .normalize('NFKC')
    .replaceAll('\u3002', '.')
    .replace(/\s*[[({]\s*(?:\.|dot)\s*[\])}]\s*/giu, '.')
  if (read.includes('@')) return 'must not hold an @'
  if (URL_LIKE.some((pattern) => pattern.test(read))) return 'must not hold a web address'
  if (looksLikeBrand(name)) return 'must not hold the name Paraph'
  if (/(?<![\p{L}\p{N}])via[^\p{L}\p{N}]*$/iu.test(read)) return 'must not end in "via"'
  return undefined
}

const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/

/** True for the one strict pattern that the API accepts: dot-atom ASCII local part, one @, a domain with a dot. [D14] */
export function isMailAddress(address: string): boolean {
  if (address.length > 254 || isUnstorable(address)) return false
  const parts = address.split('@')
  if (parts.length !== 2) return false
  const [local, domain] = parts as [string, string]
  if (local.length > 64 || !LOCAL_PART.test(local)) return false
  const host = mailDomainToAscii(domain)
  // What SMTP carries is the ASCII form, and it may be longer.
  return host !== undefined && local.length + 1 + host.length <= 254
}

/** A mail domain as IDNA ASCII in lower case; undefined when it is not a host name with a dot. */
export function mailDomainToAscii(domain: string): string | undefined {
  // The URL parser does UTS 46; whatever else it would accept in this place is refused first.
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
