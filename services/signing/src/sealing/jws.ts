// Signs a chain: a compact JWS whose payload is the chain's lines. [D30, RFC 7515, RFC 8037]
// OpenSSL and a shell are enough to verify the JWS: its payload is attached and not compressed, and it has one signature.
// Imports two parts of jose, because each check of a file loads them anew, and the whole library has four times as many modules.
import { CompactSign } from 'jose/jws/compact/sign'
import { compactVerify } from 'jose/jws/compact/verify'
import type { KeyObject } from 'node:crypto'
import { thumbprintOf } from './key-list.js'

const TYPE = 'evidence+jws'

/** Signs the lines of a chain, in order, each without its newline. Deterministic: the same chain and key give the same bytes. */
export function signEvidence(
  lines: readonly string[],
  { privateKey, keyId }: { privateKey: KeyObject; keyId: string },
): Promise<string> {
  return new CompactSign(Buffer.from(lines.map((line) => `${line}\n`).join('')))
    .setProtectedHeader({ alg: 'EdDSA', kid: keyId, typ: TYPE })
    .sign(privateKey)
}

/** Three parts, and at most an LF after the last. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+\n?$/

/**
 * Verifies `jws` and returns its lines, each without its newline. `readChain` checks whether the lines form a chain.
 * @throws Error when the signature does not match the key, the header names another key, or the payload does not end with a newline
 */
export async function openEvidence(jws: string, publicKey: KeyObject): Promise<string[]> {
  if (!COMPACT.test(jws)) throw new Error('not a compact JWS')
  const { payload, protectedHeader } = await compactVerify(jws.trimEnd(), publicKey, { algorithms: ['EdDSA'] })
  if (protectedHeader.typ !== TYPE) throw new Error(`not of type ${TYPE}`)
  if (protectedHeader.kid !== thumbprintOf(publicKey)) throw new Error('the header names another key')
  const text = Buffer.from(payload).toString('utf8')
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  return text.slice(0, -1).split('\n')
}
