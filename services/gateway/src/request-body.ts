// The body of a request, asked for only when everything before it is in order. [D5, D7]
import type { Context } from 'koa'
import { BODY_BYTES_MAX } from '@paraph/protocol/contract'
import { readBody } from '@paraph/service/json-body'

/**
 * The raw bytes of a body, at most `bytesMax`. A client that waits for `100 Continue` is told to go on first, unless what
 * it announces is too long.
 * @throws DomainError 413; DomainError 400 when the client broke off
 */
export function askForBody({ req, res }: Pick<Context, 'req' | 'res'>, bytesMax = BODY_BYTES_MAX): Promise<Buffer> {
  const isWaiting = req.httpVersion === '1.1' && req.headers.expect !== undefined
  if (isWaiting && Number(req.headers['content-length'] ?? 0) <= bytesMax) res.writeContinue()
  return readBody(req, bytesMax)
}
