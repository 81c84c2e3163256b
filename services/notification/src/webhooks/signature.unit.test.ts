import { createHmac, createPublicKey, verify } from 'node:crypto'
import { expect, it } from '@jest/globals'
import { newSigningKeys, signatureHeaders } from './signature.js'

const MESSAGE = { id: 'msg_1', timestamp: 1_795_600_000, body: '{"type":"contract.signed"}' }

it('a receiver verifies a message by the secret and by the public key, of both keys during a rotation [D65]', () => {
  const keys = [newSigningKeys(), newSigningKeys()]
  const headers = signatureHeaders(MESSAGE, keys)
  expect(headers).toMatchObject({ 'webhook-id': 'msg_1', 'webhook-timestamp': '1795600000' })
  const sent = headers['webhook-signature'].split(' ')
  const content = Buffer.from(`msg_1.1795600000.${MESSAGE.body}`)
  for (const { secret, publicKey } of keys) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const hmac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(content)
      .digest('base64')
    expect(sent).toContain(`v1,${hmac}`)
    const x = Buffer.from(publicKey.slice(5), 'base64').toString('base64url')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    const valid = sent.filter(
      (each) => each.startsWith('v1a,') && verify(null, content, key, Buffer.from(each.slice(4), 'base64')),
    )
    expect(valid).toHaveLength(1)
  }
})
