// The syntax of an Idempotency-Key. Pure. [D11, D17]
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '@paraph/protocol/contract'
import { DomainError } from '@paraph/protocol/errors'

/** Printable ASCII, spaces included, without the comma: Node and proxies join repeated headers with one. */
const PRINTABLE = /^[\x20-\x2b\x2d-\x7e]*$/

/**
 * The key of a request; undefined if the header is absent.
 * @throws DomainError `invalid_request` for an empty or repeated header, a key that is too long, or characters beyond ASCII
 */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const message = keyError(header)
  if (message === undefined) return header
  throw new DomainError('invalid_request', message, { issues: [{ path: 'Idempotency-Key', message }] })
}

function keyError(key: string): string | undefined {
  if (key === '') return 'Idempotency-Key is empty. Send a value of your own, such as a UUID, or leave it out.'
  if (key.includes(',')) return 'Idempotency-Key must be sent once, without a comma. Send one key.'
  if (!PRINTABLE.test(key)) return 'Idempotency-Key must hold printable ASCII characters only, such as a UUID.'
  if (key.length > IDEMPOTENCY_KEY_LENGTH_MAX)
    return `Idempotency-Key must have at most ${IDEMPOTENCY_KEY_LENGTH_MAX} characters.`
  return undefined
}
