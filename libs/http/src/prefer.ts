// The preferences of a request that the interface knows: `wait` and `handling`. Pure. [RFC 7240, D22, D55]
// An unreadable preference is not an error; it counts as absent.

/** A longer wait counts as this one. [D22] */
export const WAIT_SECONDS_MAX = 30

/**
 * The wait that `Prefer` requests, in whole seconds from 1 to 30. Undefined when it is absent or invalid.
 * @param prefer the header's value; repeated headers are joined with commas, as Node does
 */
export function waitSecondsOf(prefer: string | undefined): number | undefined {
  const value = preferenceOf(prefer, 'wait') ?? ''
  return /^\d+$/.test(value) ? Math.min(WAIT_SECONDS_MAX, Number(value)) || undefined : undefined
}

/** True if the client prefers an error to an answer that ignores what it sent. @param prefer as above */
export const isStrict = (prefer: string | undefined): boolean =>
  preferenceOf(prefer, 'handling')?.toLowerCase() === 'strict'

/** The value of the first preference `wanted`, without quotes; undefined without one. */
function preferenceOf(prefer: string | undefined, wanted: string): string | undefined {
  for (const preference of splitOutsideQuotes(prefer ?? '', ',')) {
    const [first = ''] = splitOutsideQuotes(preference, ';')
    const sign = first.indexOf('=')
    const name = sign === -1 ? first : first.slice(0, sign)
    // Only the first preference of a name counts, whether readable or not. [RFC 7240, 2]
    if (name.trim().toLowerCase() === wanted) return sign === -1 ? '' : unquote(first.slice(sign + 1).trim())
  }
  return undefined
}

/** Reads the text once, so that 16 KiB of quotes and backslashes cost no more than any other header. */
function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    if (isQuoted && text[at] === '\\') at += 1
    else if (text[at] === '"') isQuoted = !isQuoted
    else if (!isQuoted && text[at] === separator) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}

/** Removes the quotes and backslashes of a quoted string. Does not change an unclosed quoted string, which is then not a number. */
const unquote = (word: string): string =>
  /^"(?:[^"\\]|\\.)*"$/.test(word) ? word.slice(1, -1).replace(/\\(.)/g, '$1') : word
