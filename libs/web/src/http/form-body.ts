// Reads a posted form. Owns content type, size limit and decoding.
// Stricter than URLSearchParams, which turns broken UTF-8 into U+FFFD: the stored value must be the value that was sent.
import type { Context } from 'koa'
import { DomainError } from '@paraph/protocol/errors'
import { isUnstorable } from '@paraph/protocol/text-rules'

/** Maximum size of a posted form. The longest form is a report of 2,000 characters: 8,000 bytes of UTF-8, each encoded as up to three. */
export const FORM_BYTES_MAX = 65_536
const FIELDS_MAX = 50

/** The fields of a form by name; a field that was not sent reads as undefined. */
export type FormFields = ReadonlyMap<string, string>

/**
 * Reads `application/x-www-form-urlencoded` from the request.
 * Throws DomainError `unsupported_media_type` (415), `body_too_large` (413, and the connection closes), `invalid_request` (400).
 * @param body the bytes, if something has read them already
 */
export async function readForm(ctx: Context, body?: Promise<Buffer>): Promise<FormFields> {
  if (!ctx.is('application/x-www-form-urlencoded') || (ctx.get('content-encoding') || 'identity') !== 'identity') {
    throw new DomainError('unsupported_media_type', 'Send the form as application/x-www-form-urlencoded.')
  }
  return parseForm(decodeUtf8(await (body ?? readBytes(ctx))))
}

/** The fields of an encoded form. Throws DomainError `invalid_request` for broken encoding, NUL, half a surrogate pair, a field sent twice. */
export function parseForm(body: string): FormFields {
  const fields = new Map<string, string>()
  const pairs = body === '' ? [] : body.split('&', FIELDS_MAX + 1)
  if (pairs.length > FIELDS_MAX) throw unreadable()
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    const name = decode(at === -1 ? pair : pair.slice(0, at))
    if (fields.has(name)) throw unreadable()
    fields.set(name, at === -1 ? '' : decode(pair.slice(at + 1)))
  }
  return fields
}

function decode(encoded: string): string {
  try {
    const text = decodeURIComponent(encoded.replaceAll('+', ' '))
    if (!isUnstorable(text)) return text
  } catch {
    // URIError: broken percent-encoding or bytes that are not UTF-8.
  }
  throw unreadable()
}

async function readBytes(ctx: Context): Promise<Buffer> {
  if (Number(ctx.get('content-length')) > FORM_BYTES_MAX) throw tooLarge()
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > FORM_BYTES_MAX) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function decodeUtf8(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    throw unreadable()
  }
}

/** The whole number of a form field or query parameter; NaN, which equals nothing, unless it has one to fifteen digits and nothing else. */
export const wholeNumberOf = (value: unknown): number =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN

const tooLarge = () =>
  new DomainError('body_too_large', 'The form is too long. Send at most 64 KiB.', { headers: { Connection: 'close' } })

const unreadable = () => new DomainError('invalid_request', 'The form could not be read. Go back and send it again.')
