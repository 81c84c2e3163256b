// The id of a sign attempt, made from what stays the same until it is refused. PURE. [D41, RFC 9562 5.8]
import { createHash } from 'node:crypto'

/** A UUID of version 8. @param refusedBefore attempts of this session and party that were refused before it */
export function attemptIdOf(sessionId: string, partyIndex: number, refusedBefore: number): string {
  const bytes = createHash('sha256')
    .update(`sign attempt ${sessionId} ${partyIndex} ${refusedBefore}`)
    .digest()
    .subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
