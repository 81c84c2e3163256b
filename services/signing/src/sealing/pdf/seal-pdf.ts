// Seals a PDF with an embedded CMS signature over its bytes. [ISO 32000-1 12.8, RFC 5652]
// The signature covers the whole file except its own bytes.
import { CryptoKeySigner, P12Signer, PDF, type Signer } from '@libpdf/core'
import { createPrivateKey, webcrypto } from 'node:crypto'
import type { SealKey } from '../keys.js'

/** Space for the signature and its attributes, in addition to the certificates. */
const SIGNATURE_BYTES = 2_048

/** Returns `pdf` with an embedded signature. */
export async function sealPdf(
  pdf: Uint8Array,
  key: SealKey,
  { sealedAt, reason }: { sealedAt: Date; reason: string },
): Promise<Uint8Array> {
  const document = await PDF.load(pdf)
  const signer = key.kind === 'p12' ? await P12Signer.create(key.bytes, key.password) : await signerOf(key)
  const estimatedSize = SIGNATURE_BYTES + key.certificates.reduce((sum, { length }) => sum + length, 0)
  const { bytes } = await document.sign({ signer, signingTime: sealedAt, reason, estimatedSize })
  return bytes
}

async function signerOf({ privatePem, certificates }: Extract<SealKey, { kind: 'pem' }>): Promise<Signer> {
  const key = createPrivateKey(privatePem)
  const isRsa = key.asymmetricKeyType === 'rsa'
  const name = isRsa ? 'RSASSA-PKCS1-v1_5' : 'ECDSA'
  const algorithm = isRsa ? { name, hash: 'SHA-256' } : { name, namedCurve: 'P-256' }
  const der = key.export({ type: 'pkcs8', format: 'der' })
  const cryptoKey = await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign'])
  const [own, ...chain] = certificates.map((each) => new Uint8Array(each))
  return new CryptoKeySigner(cryptoKey as CryptoKey, own!, isRsa ? 'RSA' : 'EC', name, chain)
}
