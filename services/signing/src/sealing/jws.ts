// The signature over a chain: a compact JWS whose payload is the chain's lines. [D30, RFC 7515, RFC 8037]
// Checked with openssl and a shell alone, so: nothing detached, nothing compressed, one signature.
import { CompactSign, compactVerify } from 'jose'
import type { KeyObject } from 'node:crypto'
import { thumbprintOf } from './evidence-keys.js'

const TYPE = 'evidence+jws'

/** Signs the lines of a chain, in order, each without its newline. The same chain and key give the same bytes. */
export function signEvidence(
  lines: readonly string[],
  { privateKey, keyId }: { privateKey: KeyObject; keyId: string },
): Promise<string> {
  return new CompactSign(Buffer.from(lines.map((line) => `${line}\n`).join('')))
    .setProtectedHeader({ alg: 'EdDSA', kid: keyId, typ: TYPE })
    .sign(privateKey)
}

/** Three parts and nothing between them; a line's end may follow. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+\n?$/

/**
 * The lines that `jws` was made over, each without its newline; whether they are a chain is `readChain`'s to say.
 * @throws Error when the signature is not that key's, the key is another than the header names, or what it covers is not lines
 */
export async function openEvidence(jws: string, publicKey: KeyObject): Promise<string[]> {
  if (!COMPACT.test(jws)) throw new Error('this is no compact JWS')
  const { payload, protectedHeader } = await compactVerify(jws.trimEnd(), publicKey, { algorithms: ['EdDSA'] })
  if (protectedHeader.typ !== TYPE) throw new Error(`this is no ${TYPE}`)
  if (protectedHeader.kid !== thumbprintOf(publicKey)) throw new Error('the header names another key')
  const text = Buffer.from(payload).toString('utf8')
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  return text.slice(0, -1).split('\n')
}
