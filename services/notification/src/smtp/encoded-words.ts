// Encodes names and subjects for headers, with cuts at blanks only. [RFC 2047]
// A header holds text in encoded words of limited length. A reader drops the white space between two of them, but Python's and others show
// it, so a cut inside a word would tear the word.

/** An encoded word fits on a line of 76 characters after "Subject: ". [RFC 2047, section 2] */
const PAYLOAD_MAX = 76 - 'Subject: =?UTF-8?Q??='.length

/** The part of nodemailer's message that encodes headers. */
interface HeaderEncoder {
  encodeHeaderValue: (key: string, value: never) => string
}

/** Makes `message` cut these texts at blanks, wherever they stand in its headers. @param values texts, and addresses with names */
export function cutAtBlanks(message: HeaderEncoder, values: unknown[]): void {
  const encode = message.encodeHeaderValue.bind(message)
  // The library encodes a name as it encodes a subject.
  const encodings = values
    .map((value) => (typeof value === 'string' ? value : ((value as { name?: string } | undefined)?.name ?? '')))
    .filter((text) => /\P{ASCII}/u.test(text) && !/\p{Cc}/u.test(text))
    .map((text) => ({ theirs: encode('Subject', text as never), ours: encodeWords(text) }))
  message.encodeHeaderValue = (key, value) =>
    encodings.reduce((header, { theirs, ours }) => header.replace(theirs, ours), encode(key, value))
}

/** Encoded words that each end at a blank of the text, which belongs to the first of two. Only a longer word is cut, between characters. */
export function encodeWords(text: string): string {
  const pieces: string[] = []
  let piece = ''
  for (const part of text.split(/(?<= )(?! )/).flatMap((word) => (fits(word) ? [word] : [...word]))) {
    if (piece !== '' && !fits(piece + part)) {
      pieces.push(piece)
      piece = ''
    }
    piece += part
  }
  return [...pieces, piece].map(encodeWord).join(' ')
}

const fits = (text: string): boolean => Math.min(quoted(text).length, base64(text).length) <= PAYLOAD_MAX

/** One encoded word, in the shorter of the two encodings. */
function encodeWord(text: string): string {
  const [q, b] = [quoted(text), base64(text)]
  return q.length <= b.length ? `=?UTF-8?Q?${q}?=` : `=?UTF-8?B?${b}?=`
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** The "Q" encoding with the characters that a name may hold. [RFC 2047, section 5 (3)] */
const quoted = (text: string): string =>
  Buffer.from(text)
    .toString('latin1')
    .replace(/[^A-Za-z0-9!*+/-]/g, (byte) =>
      byte === ' ' ? '_' : `=${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
