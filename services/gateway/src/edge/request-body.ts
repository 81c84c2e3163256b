// Reads the body of a request, after all checks that precede the body. [D5, D7]
import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { BODY_BYTES_MAX } from '@paraph/protocol/contract'
import { DomainError } from '@paraph/protocol/errors'
import { readBody } from '@paraph/http/json-body'

/** Requests whose body violates HTTP, on a socket that is still open. */
const broken = new WeakSet<IncomingMessage>()

/** Fails the current or next read of a body whose bytes violate HTTP. The answer can still be sent. */
export function markBodyBroken(request: IncomingMessage): void {
  broken.add(request)
  request.emit('aborted')
}

/**
 * The raw bytes of a body, at most `bytesMax`. Sends `100 Continue` first if the client expects it and announces at most `bytesMax`.
 * @throws DomainError 415 for two media types, of which Node keeps the first, and for a transfer coding other than chunked;
 * DomainError 413 for a body that is too long; DomainError 400 for a body that breaks off
 */
export async function requestBody({ req, res }: Pick<Context, 'req' | 'res'>, bytesMax = BODY_BYTES_MAX) {
  if ((req.headersDistinct['content-type'] ?? []).length > 1)
    throw new DomainError('unsupported_media_type', 'There are two headers Content-Type. Send one: application/json.')
  // Node decodes no transfer coding but chunked.
  if ((req.headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked')
    throw new DomainError('unsupported_media_type', 'Compressed bodies are not supported. Send the JSON uncompressed.')
  if (broken.has(req)) throw new DomainError('invalid_request', 'The body is not valid HTTP. Send the request again.')
  const expectsContinue = req.httpVersion === '1.1' && req.headers.expect !== undefined
  if (expectsContinue && Number(req.headers['content-length'] ?? 0) <= bytesMax) res.writeContinue()
  return readBody(req, bytesMax)
}
