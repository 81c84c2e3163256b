// Checks a sealed PDF, or the evidence alone, without database or network. [D30, docs/explanation/evidence.md]
// Owns the checks, their order and what each proves. The commands of the document check the same.
import { elementAt } from '@paraph/protocol/element-at'
import { PDF } from '@libpdf/core'
import { createHash, createPublicKey } from 'node:crypto'
import { openEvidence } from '../sealing/jws.js'
import { readChain, readSignatures, type Entry } from '../chain/chain-reader.js'
import { checkDisclosures, lacksName } from '../chain/disclosures.js'
import { certificatesIn, faultOfDay, keysIn, type KeyNote, noteText } from '../sealing/key-list.js'
import { ATTACHED } from '../sealing/pdf/pdf-input.js'
import { readSeal } from '../sealing/pdf/pdf-seal.js'

export type CheckName =
  | 'seal'
  | 'certificate'
  | 'attachments'
  | 'signature'
  | 'key'
  | 'chain'
  | 'signatures'
  | 'text'
  | 'given text'
  | 'names'
  | 'openings'
  | 'environment'
  | 'day'

/** The result of one check. */
export interface Check {
  name: CheckName
  holds: boolean
  /** The proof or the error, in one sentence. */
  says: string
}

/** A check that was skipped: nothing was given to compare with, or what was given does not decide it. */
export interface Open {
  name: 'certificate' | 'key' | 'list' | 'compromised'
  /** The reason, in one sentence. */
  says: string
}

export interface EvidenceReport {
  checks: Check[]
  open: Open[]
  /** Read from the evidence, like `contractNumber`; undefined when the evidence is unreadable. */
  environment: string | undefined
  contractNumber: string | undefined
  partyCount: number | undefined
  /** RFC 7638 thumbprint of the key that signed the evidence. */
  keyId: string | undefined
  /** SHA-256 of the certificate that sealed the PDF. */
  sealFingerprint: string | undefined
}

/** Files to compare with: the published keys and certificates in PEM, the expected text, and disclosures. */
export interface Beside {
  knownKeysPem?: string | undefined
  knownSealsPem?: string | undefined
  /** The expected text of the contract. */
  content?: Buffer | undefined
  /** A file of disclosures. */
  disclosures?: string | undefined
}

/** Checks `file`, a PDF or a JWS. Trusts nothing in the file, and quotes no text of the file in a sentence. */
export async function checkEvidence(file: Buffer, beside: Beside = {}): Promise<EvidenceReport> {
  const list = createList()
  return isPdf(file) ? checkPdf(list, file, beside) : checkJws(list, file.toString('utf8'), beside)
}

const isPdf = (file: Buffer): boolean => file.subarray(0, 5).toString('latin1') === '%PDF-'

/** False for a file that is neither a PDF nor begins like a JWS, whose header is JSON in base64. */
export const isEvidenceFile = (file: Buffer): boolean => isPdf(file) || file.subarray(0, 3).toString('latin1') === 'eyJ'

type List = ReturnType<typeof createList>

function createList() {
  const found = {
    checks: [] as Check[],
    open: [] as Open[],
    contractNumber: undefined,
    partyCount: undefined,
    environment: undefined,
    keyId: undefined,
    sealFingerprint: undefined,
  }
  return {
    /** The report so far: of the values in the file, none. */
    found,
    /** @returns whether the check holds */
    add(name: CheckName, fault: string | undefined, proves: string): boolean {
      found.checks.push({ name, holds: fault === undefined, says: fault ?? proves })
      return fault === undefined
    },
    skip: (name: Open['name'], says: string): void => void found.open.push({ name, says }),
  }
}

async function checkPdf(list: List, pdf: Buffer, beside: Beside): Promise<EvidenceReport> {
  const seal = readSeal(pdf)
  const fault = faultIn(seal)
  list.add('seal', fault && `${capital(fault)}.`, 'Not one byte of the PDF has changed since it was sealed.')
  const fingerprint = 'certificate' in seal ? seal.certificate.fingerprint256 : undefined
  const certificateNotes = fingerprint === undefined ? [] : checkCertificate(list, fingerprint, beside)
  const attached = await readAttached(pdf)
  const isWhole = list.add('attachments', faultOfAttached(attached), 'The PDF has its four attachments and no others.')
  const textOf = (name: string): string => attached.get(name)?.toString('utf8') ?? ''
  if (!isWhole && !attached.has(ATTACHED.evidence)) return { ...list.found, sealFingerprint: fingerprint }
  const report = await checkJws(list, textOf(ATTACHED.evidence), beside, {
    certificateNotes,
    keyPem: textOf(ATTACHED.key),
    content: attached.get(ATTACHED.content) ?? Buffer.alloc(0),
    names: textOf(ATTACHED.names),
  })
  return { ...report, sealFingerprint: fingerprint }
}

/** Checks that the PDF's certificate is a known certificate. @returns what the list says of it */
function checkCertificate(list: List, fingerprint: string, { knownSealsPem }: Beside): Notes {
  if (knownSealsPem === undefined) {
    list.skip(
      'certificate',
      'The certificate of the seal was not compared with published ones. Anybody can make a seal with their own.',
    )
    return []
  }
  const notes = notesOf(certificatesIn(knownSealsPem), fingerprint)
  const fault = notes.length > 0 ? undefined : 'The certificate of the seal is not in the list that you gave.'
  list.add('certificate', fault, `The PDF was sealed with a certificate in the list that you gave${inBrackets(notes)}.`)
  return notes
}

/** What lists say of a key, once for each time that it stands there; undefined where a list does not say. */
type Notes = readonly (KeyNote | undefined)[]

const notesOf = (listed: ReturnType<typeof keysIn>, name: string): Notes =>
  listed.filter((each) => each.name === name).map(({ note }) => note)

function faultOfAttached(attached: ReadonlyMap<string, Buffer>): string | undefined {
  const expected: readonly string[] = Object.values(ATTACHED)
  const missing = expected.find((name) => !attached.has(name))
  if (missing !== undefined) return `The attachment ${missing} is missing.`
  return attached.size > expected.length ? 'The PDF has an attachment that Paraph did not add.' : undefined
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

/** The attachments of a PDF other than the evidence. */
interface Attached {
  certificateNotes: Notes
  keyPem: string
  content: Buffer
  names: string
}

async function checkJws(
  list: List,
  jws: string,
  { knownKeysPem, content, disclosures: openings }: Beside,
  attached?: Attached,
): Promise<EvidenceReport> {
  const known = keysIn(knownKeysPem ?? '')
  const signer = await findSigner(jws, [...known, ...keysIn(attached?.keyPem ?? '')])
  const report: EvidenceReport = { ...list.found, keyId: signer?.keyId }
  const unsigned = signer ? undefined : 'None of the given keys signed this evidence, or it was changed afterwards.'
  list.add('signature', unsigned, `The evidence is unchanged since the key ${signer?.keyId} signed it.`)
  if (!signer) return report
  const keyNotes = notesOf(known, signer.keyId)
  if (knownKeysPem === undefined)
    list.skip('key', 'The key was not compared with published ones. Anybody can sign with a key of their own.')
  else {
    const fault = keyNotes.length === 0 ? 'The key is not in the list that you gave.' : undefined
    list.add('key', fault, `The key is in the list that you gave${inBrackets(keyNotes)}.`)
  }
  const chain = readChain(signer.lines)
  const proves = 'Each entry follows the one before it; none was left out, moved or added.'
  if (!list.add('chain', faultIn(chain), proves) || 'fault' in chain) return report
  const signed = readSignatures(chain.entries)
  const count = 'count' in signed ? signed.count : 0
  const session = 'each in a session that began with a one-time code'
  if (!list.add('signatures', faultIn(signed), `All ${count} parties signed the text of the first entry, ${session}.`))
    return report
  const { contractNumber, contentSha256, environment } = elementAt(chain.entries, 0).data
  if (attached) checkText(list, 'text', attached.content, contentSha256)
  if (content) checkText(list, attached ? 'given text' : 'text', content, contentSha256)
  if (attached) checkNames(list, attached.names, chain.entries)
  if (openings !== undefined) checkGivenDisclosures(list, openings, chain.entries)
  const notes = [...keyNotes, ...(attached?.certificateNotes ?? [])]
  checkEnvironment(list, environment, notes)
  checkDays(list, dayOf(chain.entries), notes)
  return { ...report, contractNumber: String(contractNumber), partyCount: count, environment: String(environment) }
}

function checkText(list: List, name: 'text' | 'given text', content: Buffer, contentSha256: unknown): void {
  const isSame = createHash('sha256').update(content).digest('hex') === contentSha256
  const fault = isSame ? undefined : 'The text differs from the text that the evidence describes.'
  list.add(name, fault, 'The text is the one that the evidence describes.')
}

/** Checks that all roles and names are disclosed exactly once. */
function checkNames(list: List, names: string, entries: readonly Entry[]): void {
  const opened = checkDisclosures(names, entries)
  const lacks = lacksName(names, entries) === undefined ? undefined : 'A role or name is missing or appears twice.'
  list.add('names', faultIn(opened) ?? lacks, 'The roles and names are those that the entries commit to.')
}

function checkGivenDisclosures(list: List, disclosures: string, entries: readonly Entry[]): void {
  const opened = checkDisclosures(disclosures, entries)
  const count = 'count' in opened ? opened.count : 0
  list.add('openings', faultIn(opened), `${count} values are those that the entries commit to.`)
}

/** Checks that contract and keys have the same environment. @param notes what the lists say of key and certificate [D15] */
function checkEnvironment(list: List, environment: unknown, notes: Notes): void {
  const isKnown = environment === 'production' || environment === 'sandbox'
  const isOther = notes.some((note) => note && note.environment !== environment)
  const other = isOther ? 'The contract is of one environment, and its key or certificate of the other.' : undefined
  const fault = isKnown ? other : 'The first entry does not name the environment of the contract.'
  const isSandbox = environment === 'sandbox'
  const proves = isSandbox ? 'A SANDBOX contract, which is not binding.' : 'A production contract.'
  list.add('environment', fault, proves)
}

/** Checks that key and certificate were not retired or in other hands on the day on which the evidence ends. [P38] */
function checkDays(list: List, day: string, notes: Notes): void {
  const said = notes.filter((note) => note !== undefined)
  const [fault] = said.flatMap((note) => faultOfDay(note, day) ?? [])
  if (said.length > 0) list.add('day', fault, `The evidence ends on ${day}, when key and certificate signed.`)
  if (said.length < notes.length)
    list.skip(
      'list',
      'The list does not say which environment the key or certificate belongs to, or when it was retired.',
    )
  if (said.some(({ compromisedSince }) => compromisedSince !== undefined))
    list.skip(
      'compromised',
      'Somebody else has had the key or certificate and can backdate evidence. Compare with an older copy.',
    )
}

/** The last day in a chain: of its last entry, or of the completion that this entry reports. */
function dayOf(entries: readonly Entry[]): string {
  const { at, data } = elementAt(entries, entries.length - 1)
  const completedAt = String(data['completedAt'])
  return (completedAt > at ? completedAt : at).slice(0, 'YYYY-MM-DD'.length)
}

const inBrackets = (notes: Notes): string => {
  const texts = notes.flatMap((note) => (note ? noteText(note) : []))
  return texts.length > 0 ? ` (${texts.join(', ')})` : ''
}

const faultIn = (found: object): string | undefined =>
  'fault' in found && typeof found.fault === 'string' ? found.fault : undefined

async function findSigner(
  jws: string,
  keys: ReturnType<typeof keysIn>,
): Promise<{ keyId: string; lines: string[] } | undefined> {
  for (const { name, pem } of keys) {
    try {
      return { keyId: name, lines: await openEvidence(jws, createPublicKey(pem)) }
    } catch {
      // Another key signed the evidence; tries the next key.
    }
  }
  return undefined
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
