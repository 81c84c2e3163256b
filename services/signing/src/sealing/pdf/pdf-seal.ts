// Verifies the seal of a PDF: its coverage, its signature and its certificate. [ISO 32000-1 12.8.1, RFC 5652]
// Trusts nothing in the file: takes the signed bytes by offset, not through a PDF parser.
import { fromBER, OctetString, type BaseBlock } from 'asn1js'
import { createHash, verify, X509Certificate } from 'node:crypto'
import { Certificate, ContentInfo, IssuerAndSerialNumber, SignedData, type SignerInfo } from 'pkijs'

/** The certificate of a valid seal, or the error; `fault` quotes nothing from the file. */
type SealFindings = { certificate: X509Certificate } | { fault: string }

const BYTE_RANGE = /\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g
const ID_SIGNED_DATA = '1.2.840.113549.1.7.2'
const ID_SHA256 = '2.16.840.1.101.3.4.2.1'
/** ECDSA with SHA-256; RSA, and RSA with SHA-256. */
const SIGNATURE_ALGORITHMS = new Set(['1.2.840.10045.4.3.2', '1.2.840.113549.1.1.1', '1.2.840.113549.1.1.11'])
const ID_MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const ID_SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.47'

/** Checks the single signature of `pdf`, which must cover all bytes except its own. */
export function readSeal(pdf: Buffer): SealFindings {
  const ranges = [...pdf.toString('latin1').matchAll(BYTE_RANGE)]
  if (ranges.length > 1) return { fault: 'the file has more than one seal' }
  const range = ranges[0]?.slice(1).map(Number) as [number, number, number, number] | undefined
  if (!range) return { fault: 'the file has no seal' }
  const [from, length, next, rest] = range
  if (from !== 0 || next <= length || next + rest !== pdf.length)
    return { fault: 'the seal does not cover the whole file' }
  // The bytes that are not covered are `<hex>`, with the angle brackets of the PDF syntax.
  if (pdf[length] !== 0x3c || pdf[next - 1] !== 0x3e) return { fault: 'something else stands where the seal should be' }
  const hex = pdf.subarray(length + 1, next - 1).toString('latin1')
  // Upper case only: otherwise a changed letter case would go unnoticed.
  if (!/^(?:[0-9A-F]{2})+$/.test(hex)) return { fault: 'the seal cannot be read' }
  const covered = Buffer.concat([pdf.subarray(0, length), pdf.subarray(next)])
  try {
    return verifySeal(Buffer.from(hex, 'hex'), covered)
  } catch {
    return { fault: 'the seal does not hold' }
  }
}

/** @param seal a CMS signature in DER, padded with zeros @throws Error when the bytes cannot be parsed */
function verifySeal(seal: Buffer, covered: Buffer): SealFindings {
  const digest = createHash('sha256').update(covered).digest()
  if (!seal.includes(digest)) return { fault: 'the file was changed after it was sealed' }
  const { offset, result } = fromBER(seal)
  if (offset === -1) return { fault: 'the seal cannot be read' }
  if (seal.subarray(offset).some((byte) => byte !== 0)) return { fault: 'something stands behind the seal' }
  const content = new ContentInfo({ schema: result })
  if (content.contentType !== ID_SIGNED_DATA) return { fault: 'the seal is of another kind' }
  const signed = new SignedData({ schema: content.content })
  const [signer, ...others] = signed.signerInfos
  const own = signed.certificates?.find((each): each is Certificate => each instanceof Certificate)
  if (!signer || others.length > 0 || !own) return { fault: 'the seal brings no certificate' }
  const certificate = new X509Certificate(Buffer.from(own.toSchema().toBER()))
  if (!namesCertificate(signer, own, certificate)) return { fault: 'the seal was made with another certificate' }
  // DER is canonical: re-encoding finds changes in bytes that no signature covers.
  const rewritten = Buffer.from(
    new ContentInfo({ contentType: ID_SIGNED_DATA, content: signed.toSchema(true) }).toSchema().toBER(),
  )
  if (!hasOurForm(signed, signer) || !rewritten.equals(seal.subarray(0, offset)))
    return { fault: 'the seal was changed' }
  return isSigned(signer, digest, certificate) ? { certificate } : { fault: 'the file was changed after it was sealed' }
}

/** Verifies the digest, and the signature over the signed attributes. OpenSSL accepts an ECDSA signature only in DER. [RFC 5652 5.4] */
function isSigned({ signedAttrs, signature }: SignerInfo, digest: Buffer, { publicKey }: X509Certificate): boolean {
  const [signed] = signedAttrs!.attributes.find(({ type }) => type === ID_MESSAGE_DIGEST)?.values ?? []
  if (!(signed instanceof OctetString) || !digest.equals(Buffer.from(signed.valueBlock.valueHexView))) return false
  const covered = Buffer.from(signedAttrs!.encodedValue)
  return verify('sha256', covered, publicKey, Buffer.from(signature.valueBlock.valueHexView))
}

/** Checks the versions and algorithms that sealPdf writes; another program's seal may differ. */
function hasOurForm({ version, digestAlgorithms }: SignedData, signer: SignerInfo): boolean {
  const digests = [...digestAlgorithms, signer.digestAlgorithm].map(({ algorithmId }) => algorithmId)
  return (
    version === 1 &&
    signer.version === 1 &&
    digests.length === 2 &&
    digests.every((id) => id === ID_SHA256) &&
    SIGNATURE_ALGORITHMS.has(signer.signatureAlgorithm.algorithmId)
  )
}

/** Checks that the signer names this certificate: by issuer and serial number, and by the hash in the signed attributes. [RFC 5035] */
function namesCertificate({ sid, signedAttrs }: SignerInfo, own: Certificate, { raw }: X509Certificate): boolean {
  const expected = new IssuerAndSerialNumber({ issuer: own.issuer, serialNumber: own.serialNumber })
  const [named, wanted] = [sid as IssuerAndSerialNumber, expected].map((each) => Buffer.from(each.toSchema().toBER()))
  const attribute = signedAttrs?.attributes.find(({ type }) => type === ID_SIGNING_CERTIFICATE)
  const [value] = attribute?.values ?? []
  const hash = createHash('sha256').update(raw).digest()
  return named!.equals(wanted!) && value !== undefined && Buffer.from((value as BaseBlock).toBER()).includes(hash)
}
