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
 * The error in a name of any kind, as the end of a sentence; undefined for a valid one.
 * @param name trimmed, or at least empty if it is blank
 */
export function nameError(name: string, codePointsMax: number): string | undefined {
  if (name === '') return 'must not be blank'
  if (isUnstorable(name)) return 'must not contain NUL or half a surrogate pair'
  if (hasHiddenCharacter(name)) return 'must not contain line breaks, control characters or invisible characters'
  if (countCodePoints(name) > codePointsMax) return `must have at most ${codePointsMax} characters`
  if (!VISIBLE.test(name)) return 'must hold a letter or another visible character'
  // An encoded word of RFC 2047: mail programs would decode it.
  if (name.includes('=?')) return 'must not contain =?'
  return undefined
}

/** What every mail program turns into a link. A dot between letters is part of many names of companies and people. */
const LINK_START = /:\/\/|(?<![\p{L}\p{N}])www\./iu

/** The error in a party's role or legal name: as `nameError`, and it must hold nothing that always becomes a link in a mail. [D14] */
export function partyNameError(name: string, codePointsMax: number): string | undefined {
  const error = nameError(name, codePointsMax)
  if (error) return error
  return LINK_START.test(name.normalize('NFKC').replaceAll('\u3002', '.')) ? 'must not contain :// or www.' : undefined
}

/**
 * URL schemes, host names and IPv4 addresses. A label of one or two characters before the dot is part of a name, such as St.John or
 * J.Smith, unless small letters or a usual top-level domain follow it, as in x.ai.
 */
const URL_LIKE = [
  /:\/\/|\bmailto:|\bwww\./i,
  /(?<![\p{L}\p{N}])\d{1,3}(?:\.\d{1,3}){3}(?![\p{L}\p{N}])/u,
  /[\p{L}\p{N}-]\.(?:com|net|org|info|io|co|app|dev|ca|fr|uk|de|eu|us|ru|cn|me|tv|ly|gg|ai|zip|mov|link|xyz)(?![\p{L}\p{N}])/iu,
  /(?<![\p{L}\p{N}.])[\p{L}\p{N}]{1,2}\.[a-z]{2,}(?![\p{L}\p{N}])/u,
  /[\p{L}\p{N}-]{3,}\.\p{L}{2,}/u,
]

/**
 * Look-alikes of the letters of the brand and of "via": every character whose skeleton is such a letter in confusables.txt, or that is one
 * with a stroke or a hook by its name, and the digits and signs that stand for one. NFKD resolves the others. [UTS 39]
 */
const LOOK_ALIKES = {
  p: '\u01A5\u03C1\u0440\u13E2\u146D\u1476\u1477\u1486\u1D18\u1D71\u1D7D\u1D88\u2374\u2CA3\uA4D1\uA751\uA753\uA755\u{10295}',
  a: '\u0251\u03B1\u0430\u13AA\u15C5\u1D00\u1D8F\u2376\u237A\u2C65\uA4EE\u{102A0}\u{16F40}4@',
  r: '\u024D\u027C\u027D\u027E\u0280\u0433\u0491\u0493\u13A1\u13D2\u1587\u1D26\u1D72\u1D73\u1D89\u2C85\uA4E3\uA7A7\uAB46\uAB47\uAB48\uAB49\uAB81\u{104B4}\u{16F35}\u{1D216}\u{1DF16}',
  h: '\u0127\u0266\u029C\u0397\u041D\u045B\u04A2\u04BB\u04C7\u04C9\u0570\u13BB\u13C2\u13F2\u157C\u2C68\u2C8E\uA4E7\uA695\uA795\u{102CF}\u{104CD}\u043D',
  v: '\u028B\u03BD\u0475\u05D8\u0667\u06F7\u142F\u143A\u143B\u1D20\u1D8C\u2228\u22C1\u2C71\u2C74\u2D38\uA4E6\uA6DF\uA75F\uABA9\u{10197}\u{1051D}\u{11706}\u{118C0}\u{16F08}\u{1D20D}\u{1F708}',
  i: '\u0131\u0268\u0269\u026A\u03B9\u0456\u04CF\u1D7B\u1D7C\u1D96\u2373\u2378\uA647\uAB75\u{118C3}\u{1DF1A}',
}
const PLAIN_LETTER = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([plain, others]) =>
    [...others].map((other): [string, string] => [other, plain]),
  ),
)

/** The name in small letters without marks, with look-alikes replaced by the letters that they resemble. */
const skeletonOf = (name: string): string =>
  [...name.normalize('NFKD').replace(/\p{M}/gu, '')]
    .map((character) => {
      const small = character.toLowerCase()
      return PLAIN_LETTER.get(character) ?? PLAIN_LETTER.get(small) ?? small
    })
    .join('')

const BRAND = 'paraph'

/** True if a word of a skeleton has the brand in it, also with signs between its letters, or if words together are the brand. */
function looksLikeBrand(skeleton: string): boolean {
  const words = skeleton.split(/\s+/u).map((word) => word.replace(/[^\p{L}\p{N}]/gu, ''))
  const startsHere = (at: number): boolean => {
    let joined = ''
    for (const word of words.slice(at)) {
      joined += word
      if (joined.length >= BRAND.length) break
    }
    return joined === BRAND
  }
  return words.some((word, at) => word.includes(BRAND) || startsHere(at))
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
  if (normalized.includes('@')) return 'must not contain an @'
  if (URL_LIKE.some((pattern) => pattern.test(normalized))) return 'must not contain a web address'
  const skeleton = skeletonOf(name)
  if (looksLikeBrand(skeleton)) return 'must not contain the name Paraph'
  if (/(?<![\p{L}\p{N}])via[^\p{L}\p{N}]*$/u.test(skeleton)) return 'must not end in "via"'
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
