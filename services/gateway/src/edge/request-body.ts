// The body of a request, asked for only when everything before it is in order. [D5, D7]
import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { BODY_BYTES_MAX } from '@paraph/protocol/contract'
import { DomainError } from '@paraph/protocol/errors'
import { readBody } from '@paraph/service/json-body'

/** Requests of which no more will come, though their socket is open. */
const broken = new WeakSet<IncomingMessage>()

/** Tells whoever reads this body, or asks for it later, that its bytes broke the rules of HTTP. The answer still goes out. */
export function breakBody(request: IncomingMessage): void {
  broken.add(request)
  request.emit('aborted')
}

/**
 * The raw bytes of a body, at most `bytesMax`. A client that waits for `100 Continue` is told to go on first, unless what
 * it announces is too long.
 * @throws DomainError 415 for two media types, of which Node would keep the first, and for a transfer coding but chunked;
 * DomainError 413; DomainError 400 when the client broke off
 */
export async function askForBody(
  { req, res }: Pick<Context, 'req' | 'res'>,
  bytesMax = BODY_BYTES_MAX,
): Promise<Buffer> {
  if ((req.headersDistinct['content-type'] ?? []).length > 1) {
    throw new DomainError('unsupported_media_type', 'There are two headers Content-Type. Send one: application/json.')
  }
  // Node undoes the chunks alone.
  if ((req.headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
    throw new DomainError('unsupported_media_type', 'Compressed bodies are not taken. Send the JSON as it is.')
  }
  if (broken.has(req)) throw new DomainError('invalid_request', 'The body is not valid HTTP. Send the request again.')
  const isWaiting = req.httpVersion === '1.1' && req.headers.expect !== undefined
  if (isWaiting && Number(req.headers['content-length'] ?? 0) <= bytesMax) res.writeContinue()
  return readBody(req, bytesMax)
}
