import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { sampleChain, SAMPLE_KEYS } from '../../test/evidence-fixture.js'
import { openEvidence, signEvidence } from './jws.js'

const { lines } = sampleChain()
const { evidence: key } = SAMPLE_KEYS
const jws = await signEvidence(lines, key)

describe('evidence.jws [D30, RFC 7515, RFC 8037]', () => {
  it('is a compact EdDSA JWS of type evidence+jws, and names its key by the RFC 7638 thumbprint', () => {
    const [header = ''] = jws.split('.')
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
      alg: 'EdDSA',
      kid: key.keyId,
      typ: 'evidence+jws',
    })
  })

  it('contains the lines of the chain, each with its newline', () => {
    const [, payload = ''] = jws.split('.')
    expect(Buffer.from(payload, 'base64url').toString()).toBe(lines.map((line) => `${line}\n`).join(''))
  })

  it('is the same for the same chain and key, so that a second worker creates the same bytes', async () => {
    expect(await signEvidence(lines, key)).toBe(jws)
  })

  it('is an Ed25519 signature over its first two parts, verifiable without a JOSE library', () => {
    const [header, payload, signature = ''] = jws.split('.')
    const bytes = Buffer.from(signature, 'base64url')
    expect(verify(null, Buffer.from(`${header}.${payload}`), createPublicKey(key.publicPem), bytes)).toBe(true)
  })

  it('verifies with its own key only', async () => {
    expect(await openEvidence(`${jws}\n`, createPublicKey(key.publicPem))).toEqual(lines)
    await expect(openEvidence(jws, generateKeyPairSync('ed25519').publicKey)).rejects.toThrow()
  })

  it('is valid only if the header names its key, and only as a compact JWS without additional characters', async () => {
    const publicKey = createPublicKey(key.publicPem)
    const other = await signEvidence(lines, { ...key, keyId: 'another' })
    await expect(openEvidence(other, publicKey)).rejects.toThrow('names another key')
    for (const loose of [`${jws} `, ` ${jws}`, jws.replace('.', '.\n'), '.'.repeat(10_000_000)])
      await expect(openEvidence(loose, publicKey)).rejects.toThrow('not a compact JWS')
  })

  it('is not valid with another type in the header, even from the same key', async () => {
    const { CompactSign } = await import('jose')
    const other = await new CompactSign(Buffer.from('{}\n'))
      .setProtectedHeader({ alg: 'EdDSA', kid: key.keyId, typ: 'JWT' })
      .sign(key.privateKey)
    await expect(openEvidence(other, createPublicKey(key.publicPem))).rejects.toThrow('evidence+jws')
  })
})
