// What a name, an address and any string may hold. [D11, D14]
// Pure; lengths are Unicode code points, not UTF-16 units. Returns sentences, never the value.

/** True for NUL or a lone surrogate: Postgres cannot store the first, JSON cannot carry the second. */
export function isUnstorable(text: string): boolean {
  return text.includes('\u0000') || !text.isWellFormed()
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

/** Control, bidi-control and zero-width characters, line and paragraph separators, and the other invisible ones. */
const INVISIBLE =
  /[\p{Cc}\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/u

/** True when a name holds a character that a reader cannot see or that changes the order of what is read. */
export function hasHiddenCharacter(name: string): boolean {
  return INVISIBLE.test(name.replace(MEANINGFUL_JOINER, ''))
}

/**
 * What is wrong with a party's role or legal name, as the end of a sentence; undefined when it is fine.
 * `name` is already trimmed.
 */
export function faultOfName(name: string, codePointsMax: number): string | undefined {
  if (name === '') return 'must not be blank'
  if (isUnstorable(name)) return 'must not hold NUL or half a surrogate pair'
  if (hasHiddenCharacter(name)) return 'must not hold line breaks, control characters or invisible characters'
  if (countCodePoints(name) > codePointsMax) return `must have at most ${codePointsMax} characters`
  return undefined
}

const URL_LIKE = /:\/\/|\bwww\.|\b[\p{L}\p{N}-]+\.(?:com|net|org|info|io|co|app|dev|ca|fr|uk|de|eu|us|ru|cn)\b/iu

/** What is wrong with a sender's or account's display name: the rules of a name, and nothing that imitates an address or us. */
export function faultOfDisplayName(name: string, codePointsMax: number): string | undefined {
  const fault = faultOfName(name, codePointsMax)
  if (fault) return fault
  if (name.includes('@')) return 'must not hold an @'
  if (URL_LIKE.test(name)) return 'must not hold a web address'
  // NFKD without marks, so that a look-alike with accents does not pass for the brand.
  if (/paraph/i.test(name.normalize('NFKD').replace(/\p{M}/gu, ''))) return 'must not hold the name Paraph'
  if (/(?:^|\s)via$/i.test(name)) return 'must not end in "via"'
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
  return mailDomainToAscii(domain) !== undefined
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
