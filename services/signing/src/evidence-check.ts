// Checks a sealed PDF, or the evidence alone, from the file and nothing else: no database, no network. [D30, docs/verifying-evidence.md]
// Owns: which checks there are, in which order, what each proves. The same as the commands of the document do.
import { PDF } from '@libpdf/core'
import { createHash, createPublicKey } from 'node:crypto'
import { openEvidence } from './evidence-jws.js'
import { readChain, readSignatures } from './evidence-story.js'
import { checkOpenings } from './openings.js'
import { certificatesIn, keysIn, type KnownKey } from './published-keys.js'
import { readSeal } from './sealed-pdf/pdf-seal.js'

/** One check: what holds, or what does not. */
export interface Check {
  name: string
  holds: boolean
  /** What it proves, or what is wrong. */
  says: string
}

export interface EvidenceReport {
  checks: Check[]
  /** Of the evidence; undefined where it could not be read. */
  contractNumber: string | undefined
  /** RFC 7638 thumbprint of the key that signed the evidence. */
  keyId: string | undefined
  /** SHA-256 of the certificate that sealed the PDF. */
  sealFingerprint: string | undefined
}

/** The files that a sealed PDF brings. */
export const ATTACHED = {
  content: 'contract.txt',
  evidence: 'evidence.jws',
  key: 'paraph.pem',
  names: 'names.txt',
} as const

/** Where an evidence file stands alone, its text and its key beside it may be given. */
export interface Beside {
  /** What the service publishes, or a copy of it: PEM of its keys; each is tried. */
  knownKeysPem?: string | undefined
  /** And of its certificates. */
  knownSealsPem?: string | undefined
  content?: Buffer | undefined
  /** Lines of openings, of names or of a party's own. */
  openings?: string | undefined
}

/** Checks whichever of the two `file` is. */
export async function checkEvidence(file: Buffer, beside: Beside = {}): Promise<EvidenceReport> {
  return file.subarray(0, 5).toString('latin1') === '%PDF-'
    ? checkPdf(file, beside)
    : checkJws(file.toString('utf8'), beside)
}

async function checkPdf(pdf: Buffer, beside: Beside): Promise<EvidenceReport> {
  const seal = readSeal(pdf)
  const sealCheck: Check =
    'fault' in seal
      ? { name: 'seal', holds: false, says: `${capital(seal.fault)}.` }
      : { name: 'seal', holds: true, says: 'Not one byte of the PDF has changed since it was sealed.' }
  const sealFingerprint = 'certificate' in seal ? seal.certificate.fingerprint256 : undefined
  const sealChecks = [sealCheck, ...checkCertificate(sealFingerprint, beside.knownSealsPem)]
  const attached = await readAttached(pdf)
  const evidence = attached.get(ATTACHED.evidence)
  if (!evidence)
    return {
      checks: [
        ...sealChecks,
        { name: 'attachments', holds: false, says: `The PDF does not bring ${ATTACHED.evidence}.` },
      ],
      ...{ contractNumber: undefined, keyId: undefined, sealFingerprint },
    }
  const report = await checkJws(evidence.toString('utf8'), {
    ...beside,
    content: attached.get(ATTACHED.content) ?? Buffer.alloc(0),
    attachedKeyPem: attached.get(ATTACHED.key)?.toString('utf8'),
    openings: beside.openings ?? attached.get(ATTACHED.names)?.toString('utf8') ?? '',
  })
  return { ...report, checks: [...sealChecks, ...report.checks], sealFingerprint }
}

/** Whether the certificate in the PDF is one of those that were named. */
function checkCertificate(fingerprint: string | undefined, knownPem: string | undefined): Check[] {
  if (fingerprint === undefined || knownPem === undefined) return []
  const known = certificatesIn(knownPem).find((each) => each.fingerprint === fingerprint)
  return [
    known
      ? { name: 'certificate', holds: true, says: `The PDF was sealed with a certificate that you named${known.note}.` }
      : { name: 'certificate', holds: false, says: 'The certificate of the seal is none of those that you named.' },
  ]
}

async function readAttached(pdf: Buffer): Promise<Map<string, Buffer>> {
  try {
    const { attachments } = await PDF.load(pdf)
    return new Map(
      [...attachments.list().keys()].flatMap((name) => {
        const bytes = attachments.get(name)
        return bytes ? [[name, Buffer.from(bytes)]] : []
      }),
    )
  } catch {
    return new Map()
  }
}

async function checkJws(
  jws: string,
  { knownKeysPem, content, openings, attachedKeyPem = '' }: Beside & { attachedKeyPem?: string | undefined },
): Promise<EvidenceReport> {
  const checks: Check[] = []
  const add = (name: string, fault: string | undefined, proves: string): boolean => {
    checks.push({ name, holds: fault === undefined, says: fault ?? proves })
    return fault === undefined
  }
  const known = keysIn(knownKeysPem ?? '')
  const signer = await findSigner(jws, [...known, ...keysIn(attachedKeyPem)])
  const report = { checks, contractNumber: undefined, keyId: signer?.keyId, sealFingerprint: undefined }
  if (!signer) {
    add('signature', 'No key at hand has signed this evidence as it is.', '')
    return report
  }
  add('signature', undefined, `The evidence is as the holder of key ${signer.keyId} signed it.`)
  if (knownKeysPem !== undefined) {
    const found = known.find(({ keyId }) => keyId === signer.keyId)
    const fault = found ? undefined : 'The key is none of those that you named as the service’s.'
    add('key', fault, `The key is one of those that you named as the service’s${found?.note}.`)
  }
  const chain = readChain(signer.lines)
  const isChain = add(
    'chain',
    faultIn(chain),
    'Each entry follows the one before it; none was left out, moved or added.',
  )
  if (!isChain || 'fault' in chain) return report
  const [created] = chain.entries
  if (content) {
    const isSame = createHash('sha256').update(content).digest('hex') === created?.data['contentSha256']
    const fault = isSame ? undefined : 'The text is another than the evidence tells of.'
    add('text', fault, 'The text is the one that the evidence tells of.')
  }
  const signed = readSignatures(chain.entries)
  add(
    'signatures',
    faultIn(signed),
    `All ${'count' in signed ? signed.count : 0} parties signed that text, each after a one-time code that was sent to the mailbox on file.`,
  )
  if (openings !== undefined) {
    const opened = checkOpenings(openings, chain.entries)
    add(
      'names',
      faultIn(opened),
      `${'count' in opened ? opened.count : 0} values are those that the entries commit to.`,
    )
  }
  const contractNumber = created?.data['contractNumber']
  return { ...report, contractNumber: typeof contractNumber === 'string' ? contractNumber : undefined }
}

const faultIn = (found: object): string | undefined =>
  'fault' in found && typeof found.fault === 'string' ? found.fault : undefined

async function findSigner(
  jws: string,
  keys: readonly KnownKey[],
): Promise<{ keyId: string; lines: string[] } | undefined> {
  for (const { keyId, pem } of keys) {
    try {
      return { keyId, lines: await openEvidence(jws, createPublicKey(pem)) }
    } catch {
      // Another key's, or nobody's.
    }
  }
  return undefined
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
