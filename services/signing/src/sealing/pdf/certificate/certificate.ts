// Reads the content of the certificate from the chain. PURE. [D29, D30, D39]
// Shows every entry but those of sent codes, which it names; omits mailboxes, network addresses and browsers.
import { z } from 'zod'
import type { Locale } from '@paraph/web/locale'
import { sha256Hex, type EntryType } from '../../../chain/entry.js'
import type { ChainDisclosure } from '../../../chain/disclosures.js'

type What =
  | 'created'
  | 'addressConfirmed'
  | 'codesLocked'
  | 'textShown'
  | 'consentGiven'
  | 'submitted'
  | 'signed'
  | 'refused'
  | 'declined'
  | 'readdressed'
  | 'complete'

/** One entry of the certificate's timeline. */
export interface Happening {
  seq: number
  at: Date
  what: What
  /** Indexes of the parties; empty for the contract's own entries. */
  parties: readonly number[]
  /** The first digits of the line's SHA-256. */
  digits: string
}

export interface Signer {
  role: string
  legalName: string
  typedName: string
  signedAt: Date
}

/** A consent that was given, in the language shown. */
export interface Consent {
  id: string
  language: Locale
  text: string
}

/** Entries of one type that the timeline leaves out. */
export interface LeftOut {
  what: 'codeSent'
  seqs: readonly number[]
}

export interface Certificate {
  signers: readonly Signer[]
  consents: readonly Consent[]
  happened: readonly Happening[]
  leftOut: readonly LeftOut[]
}

const DIGITS = 8
/** The type of an entry of a chain that `contract.completed` closed. */
type CompletedType = Exclude<EntryType, 'contract.expired' | 'contract.cancelled'>
const SHOWN: Record<Exclude<CompletedType, 'code.sent'>, What> = {
  'contract.created': 'created',
  'code.verified': 'addressConfirmed',
  'code.locked': 'codesLocked',
  'text.shown': 'textShown',
  'consent.given': 'consentGiven',
  'signature.submitted': 'submitted',
  'signature.accepted': 'signed',
  'signature.refused': 'refused',
  'party.declined': 'declined',
  'party.readdressed': 'readdressed',
  'contract.completed': 'complete',
}
const LEFT_OUT: Record<Exclude<CompletedType, keyof typeof SHOWN>, LeftOut['what']> = { 'code.sent': 'codeSent' }
const typeSchema = z.enum([...Object.keys(SHOWN), ...Object.keys(LEFT_OUT)] as CompletedType[])
const entrySchema = z.object({ seq: z.int(), at: z.iso.datetime(), type: typeSchema, data: z.looseObject({}) })
const ofParty = z.object({ partyIndex: z.int() })
const ofAttempt = ofParty.extend({ attemptId: z.string() })
const acceptedSchema = ofAttempt.extend({ signedAt: z.iso.datetime() })
const consentSchema = ofParty.extend({ consentId: z.string(), consentSha256: z.string(), language: z.string() })

/**
 * The certificate of a chain that `contract.completed` closed.
 * @param lines of the chain, in order
 * @param parties as the contract service names them
 * @param consentTexts every version of the consent, by id and language
 * @throws Error when the chain lacks a party's signature or a disclosure, or contains an unknown consent or type of entry
 */
export function readCertificate(
  lines: readonly string[],
  disclosures: readonly ChainDisclosure[],
  parties: readonly { role: string; legalName: string; mailbox: string }[],
  consentTexts: readonly Consent[],
): Certificate {
  const entries = lines.map((line) => ({
    ...entrySchema.parse(JSON.parse(line)),
    digits: sha256Hex(line).slice(0, DIGITS),
  }))
  const disclosedAt = (seq: number, path: string): string => {
    const found = disclosures.find((each) => each.seq === seq && each.path === path)
    if (!found) throw new Error(`entry ${seq} has no disclosure of ${path}`)
    return found.value
  }
  const happened = entries.flatMap(({ seq, at, type, data, digits }): Happening[] => {
    if (isLeftOut(type)) return []
    const what = SHOWN[type]
    return [{ seq, at: new Date(at), what, parties: partiesOf(seq, what, data), digits }]
  })
  function partiesOf(seq: number, what: What, data: unknown): number[] {
    if (what === 'created' || what === 'complete') return []
    if (what !== 'addressConfirmed' && what !== 'codesLocked') return [ofParty.parse(data).partyIndex]
    const mailbox = disclosedAt(seq, 'mailbox')
    return parties.flatMap((party, index) => (party.mailbox === mailbox ? [index] : []))
  }
  const leftOut = Object.entries(LEFT_OUT).flatMap(([type, what]): LeftOut[] => {
    const seqs = entries.filter((entry) => entry.type === type).map(({ seq }) => seq)
    return seqs.length === 0 ? [] : [{ what, seqs }]
  })

  const acceptances = entries
    .filter(({ type }) => type === 'signature.accepted')
    .map(({ data }) => acceptedSchema.parse(data))
  const submissions = entries.filter(({ type }) => type === 'signature.submitted')
  const signers = parties.map(({ role, legalName }, index): Signer => {
    const accepted = acceptances.find(({ partyIndex }) => partyIndex === index)
    const submitted = submissions.find(({ data }) => ofAttempt.parse(data).attemptId === accepted?.attemptId)
    if (!accepted || !submitted) throw new Error(`the chain holds no signature of party ${index}`)
    const typedName = disclosedAt(submitted.seq, 'typedName')
    return { role, legalName, typedName, signedAt: new Date(accepted.signedAt) }
  })

  const consents = new Map<string, Consent>()
  for (const { type, data } of entries) {
    if (type !== 'consent.given') continue
    const { consentId, consentSha256, language } = consentSchema.parse(data)
    const known = consentTexts.find(
      (each) => each.id === consentId && each.language === language && sha256Hex(each.text) === consentSha256,
    )
    if (!known) throw new Error(`unknown consent ${consentId}`)
    consents.set(`${consentId} ${language}`, known)
  }
  return { signers, consents: [...consents.values()], happened, leftOut }
}

const isLeftOut = (type: CompletedType): type is keyof typeof LEFT_OUT => type in LEFT_OUT
