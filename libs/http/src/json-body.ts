// Reads a JSON body: media type, byte limit, depth, UTF-8, an object. [D5, D7, D11]
// Owns: everything between the socket and a plain object. Does not own: the meaning of the fields.
import type { IncomingMessage } from 'node:http'
import { DomainError } from '@paraph/protocol/errors'
import { BODY_BYTES_MAX, JSON_DEPTH_MAX } from '@paraph/protocol/contract'

const tooLarge = (bytesMax: number) =>
  new DomainError('body_too_large', `The body has more than ${bytesMax} bytes. Send a smaller one.`, {
    headers: { Connection: 'close' },
  })

/** @throws DomainError 415 unless the headers declare an uncompressed `application/json`, with no parameter but charset=utf-8 */
export function requireJsonMediaType(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new DomainError('unsupported_media_type', 'Compressed bodies are not supported. Send the JSON uncompressed.')
  }
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const onlyUtf8 = parameters.every((parameter) => /^(?:charset=(?:utf-8|"utf-8"))?$/.test(parameter))
  if (type !== 'application/json' || !onlyUtf8) {
    throw new DomainError(
      'unsupported_media_type',
      'Send the body as JSON with the header Content-Type: application/json.',
    )
  }
}

/**
 * The raw bytes of a body. Refused as soon as Content-Length or the bytes received exceed `bytesMax`.
 * @throws DomainError 413; DomainError 400 when the client disconnects first
 */
export async function readBody(request: IncomingMessage, bytesMax = BODY_BYTES_MAX): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
  return new Promise((resolve, reject) => {
    const broken = () =>
      reject(new DomainError('invalid_request', 'The body ended before it was complete. Send it again.'))
    // If the connection is already destroyed, no further event will fire.
    if (request.destroyed) return broken()
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > bytesMax) {
        // Stop reading but leave the socket open, so that the answer can still be read.
        request.pause()
        request.removeAllListeners('data')
        reject(tooLarge(bytesMax))
        return
      }
      chunks.push(chunk)
    })
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request.once('aborted', broken)
    request.once('error', broken)
  })
}

/**
 * Parses bytes as a JSON object. The last of duplicate keys counts; `__proto__` stays an own property and is ignored later.
 * @throws DomainError 400 for malformed UTF-8, malformed JSON, more than 20 levels, or anything but an object
 */
export function parseJsonObject(body: Buffer): Record<string, unknown> {
  const text = decodeUtf8(body)
  if (depthOf(text) > JSON_DEPTH_MAX)
    throw malformed(`The JSON is nested more than ${JSON_DEPTH_MAX} levels deep. Send it flatter.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw malformed('The body is not valid JSON. Check its quotes, commas and brackets.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw malformed('The body must be a JSON object.')
  return value as Record<string, unknown>
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeUtf8(body: Buffer): string {
  try {
    return strictUtf8.decode(body)
  } catch {
    throw malformed('The body is not valid UTF-8. Encode it as UTF-8 and send it again.')
  }
}

/** Deepest nesting of brackets outside strings. Checked before JSON.parse, so that depth costs no stack. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (inString) {
      if (unit === 0x5c) at += 1
      else if (unit === 0x22) inString = false
    } else if (unit === 0x22) inString = true
    else if (unit === 0x7b || unit === 0x5b) deepest = Math.max(deepest, (depth += 1))
    else if (unit === 0x7d || unit === 0x5d) depth -= 1
  }
  return deepest
}

const malformed = (sentence: string) =>
  new DomainError('invalid_request', sentence, { issues: [{ path: '', message: sentence }] })
