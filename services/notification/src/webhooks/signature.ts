// The signatures of a webhook: `v1` by a shared secret, `v1a` by a private key. Pure. [D65, Standard Webhooks 1.0]
import { createHmac, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const SECRET_BYTES = 32

/** The keys that sign the messages to one endpoint. The console shows `secret` once and `publicKey` at any time. */
export interface SigningKeys {
  /** `whsec_` and the secret in base64. */
  secret: string
  /** An Ed25519 key: the members `d` and `x` of its JWK, joined by a dot. */
  privateKey: string
  /** `whpk_` and the 32 bytes of the public key in base64. */
  publicKey: string
}

export function newSigningKeys(): SigningKeys {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return {
    secret: `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`,
    privateKey: `${d}.${x}`,
    publicKey: `whpk_${Buffer.from(x, 'base64url').toString('base64')}`,
  }
}

export interface SignedMessage {
  /** The same on every attempt. */
  id: string
  /** When this attempt begins, in seconds since 1970. */
  timestamp: number
  /** The exact bytes of the body. */
  body: string
}

/**
 * The headers that name and sign a message. During a rotation every key signs, so that a receiver may know either.
 * @param keys the current keys first
 */
export function signatureHeaders(message: SignedMessage, keys: readonly Omit<SigningKeys, 'publicKey'>[]) {
  const { id, timestamp, body } = message
  const content = `${id}.${timestamp}.${body}`
  const signatures = keys.flatMap(({ secret, privateKey }) => [
    `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
      .update(content)
      .digest('base64')}`,
    `v1a,${sign(null, Buffer.from(content), ed25519(privateKey)).toString('base64')}`,
  ])
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') }
}

function ed25519(privateKey: string) {
  const [d = '', x = ''] = privateKey.split('.')
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' })
}
