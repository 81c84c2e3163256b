// The preference `wait` of a request: for how long its sender would rather wait than hear that nothing has changed. Pure.
// [RFC 7240, D22] Preferences never fail: what cannot be read counts as not sent.

/** More counts as this. [D22] */
export const WAIT_SECONDS_MAX = 30

/**
 * Whole seconds from 1 to 30 that `Prefer` asks to wait; undefined where it does not ask, or asks nonsense.
 * @param prefer the header's value; repeated headers joined with commas, as Node does
 */
export function waitSecondsOf(prefer: string | undefined): number | undefined {
  for (const preference of splitOutsideQuotes(prefer ?? '', ',')) {
    const [first = ''] = splitOutsideQuotes(preference, ';')
    const sign = first.indexOf('=')
    const name = sign === -1 ? first : first.slice(0, sign)
    if (name.trim().toLowerCase() !== 'wait') continue
    // The first of a name counts and those behind it do not, readable or not. [RFC 7240, 2]
    const value = sign === -1 ? '' : unquote(first.slice(sign + 1).trim())
    return /^\d+$/.test(value) ? Math.min(WAIT_SECONDS_MAX, Number(value)) || undefined : undefined
  }
  return undefined
}

/** One pass, so that a header of 16 KiB of quotes and backslashes costs what any other does. */
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

/** A token as it is, a quoted string without quotes and backslashes; an unclosed one stays as it is and is no number. */
const unquote = (word: string): string =>
  /^"(?:[^"\\]|\\.)*"$/.test(word) ? word.slice(1, -1).replace(/\\(.)/g, '$1') : word
