// What an Idempotency-Key may look like. Pure. [D11, D17]
// No comma: a header that is sent twice reaches us joined by one, here or in a proxy in front, and two keys are no key.
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '@paraph/protocol/contract'
import { DomainError } from '@paraph/protocol/errors'

/** Printable ASCII, the space included, without the comma. */
const PRINTABLE = /^[\x20-\x2b\x2d-\x7e]*$/

/**
 * The key of a request; undefined where the header was not sent.
 * @throws DomainError `invalid_request` for an empty header, two of them, too long a key, or characters beyond ASCII
 */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const fault = faultOf(header)
  if (fault === undefined) return header
  throw new DomainError('invalid_request', fault, { issues: [{ path: 'Idempotency-Key', message: fault }] })
}

function faultOf(header: string): string | undefined {
  if (header === '') return 'Idempotency-Key is empty. Send a value of your own, such as a UUID, or leave it out.'
  if (header.includes(',')) return 'Idempotency-Key must be sent once, without a comma. Send one key.'
  if (!PRINTABLE.test(header)) return 'Idempotency-Key must hold printable ASCII characters only, such as a UUID.'
  if (header.length > IDEMPOTENCY_KEY_LENGTH_MAX)
    return `Idempotency-Key must have at most ${IDEMPOTENCY_KEY_LENGTH_MAX} characters.`
  return undefined
}
