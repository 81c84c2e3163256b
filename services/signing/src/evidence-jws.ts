// The signature over a chain: a compact JWS whose payload is the chain's lines. [D30, RFC 7515, RFC 8037]
// Checked with openssl and a shell alone, so: nothing detached, nothing compressed, one signature.
import { CompactSign, compactVerify } from 'jose'
import type { KeyObject } from 'node:crypto'

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

/**
 * The lines that `jws` was made over, each without its newline; whether they are a chain is `faultOfChain`'s to say.
 * @throws Error when the signature is not that key's, or what it covers is not lines
 */
export async function openEvidence(jws: string, publicKey: KeyObject): Promise<string[]> {
  const { payload, protectedHeader } = await compactVerify(jws.trim(), publicKey, { algorithms: ['EdDSA'] })
  if (protectedHeader.typ !== TYPE) throw new Error(`this is no ${TYPE}`)
  const text = Buffer.from(payload).toString('utf8')
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  return text.slice(0, -1).split('\n')
}
