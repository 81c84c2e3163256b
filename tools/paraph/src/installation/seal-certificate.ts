// Creates a key and a self-signed certificate to seal PDFs on this machine; no PDF reader trusts the certificate. [D30]
// For production, an operator installs a certificate of a certificate authority (docs/how-to/operators/secrets.md).
import * as asn1 from 'asn1js'
import { randomBytes, webcrypto } from 'node:crypto'
import { AttributeTypeAndValue, Certificate, CryptoEngine, ExtKeyUsage, Extension } from 'pkijs'

const YEARS = 10
const COMMON_NAME = '2.5.4.3'
const KEY_USAGE = '2.5.29.15'
const EXTENDED_KEY_USAGE = '2.5.29.37'
/** digitalSignature and contentCommitment. */
const SIGNS = Uint8Array.of(0b1100_0000)
/** Document signing [RFC 9336], and email protection for readers that do not know document signing. */
const PURPOSES = ['1.3.6.1.5.5.7.3.36', '1.3.6.1.5.5.7.3.4']

/** A new P-256 key in PKCS#8 PEM, and its self-signed certificate in PEM, valid for ten years from `now`. */
export async function makeSealCertificate(name: string, now: Date): Promise<{ key: string; certificate: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const { privateKey, publicKey } = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const engine = new CryptoEngine({ name: 'node', crypto: webcrypto as unknown as Crypto })
  const certificate = new Certificate()
  certificate.version = 2
  // Positive and unique. [RFC 5280 4.1.2.2]
  certificate.serialNumber = asn1.Integer.fromBigInt(BigInt(`0x01${randomBytes(15).toString('hex')}`))
  for (const party of [certificate.issuer, certificate.subject])
    party.typesAndValues.push(
      new AttributeTypeAndValue({ type: COMMON_NAME, value: new asn1.Utf8String({ value: name }) }),
    )
  certificate.notBefore.value = now
  certificate.notAfter.value = new Date(new Date(now).setUTCFullYear(now.getUTCFullYear() + YEARS))
  await certificate.subjectPublicKeyInfo.importKey(publicKey as CryptoKey, engine)
  const usage = new asn1.BitString({ valueHex: SIGNS.buffer, unusedBits: 6 })
  certificate.extensions = [
    new Extension({ extnID: KEY_USAGE, critical: true, extnValue: usage.toBER() }),
    new Extension({
      extnID: EXTENDED_KEY_USAGE,
      extnValue: new ExtKeyUsage({ keyPurposes: PURPOSES }).toSchema().toBER(),
    }),
  ]
  await certificate.sign(privateKey as CryptoKey, 'SHA-256', engine)
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', privateKey)
  return { key: pemOf('PRIVATE KEY', pkcs8), certificate: pemOf('CERTIFICATE', certificate.toSchema(true).toBER()) }
}

function pemOf(what: string, der: ArrayBuffer): string {
  const lines = Buffer.from(der)
    .toString('base64')
    .replaceAll(/.{1,64}/g, '$&\n')
  return `-----BEGIN ${what}-----\n${lines}-----END ${what}-----\n`
}
