// What the certificate says, read from the chain itself. PURE. [D29, D30, D39]
// A selection of the entries under their real numbers: when a code was sent stays out, and so do addresses, networks and browsers.
import { z } from 'zod'
import type { Locale } from '@paraph/web/locale'
import { isLocale } from '@paraph/web/locale'
import { sha256Hex } from '../evidence.js'
import type { ChainOpening } from '../openings.js'

/** One entry as a reader follows it. */
export interface Happening {
  seq: number
  at: Date
  what: 'created' | 'mailboxConfirmed' | 'textShown' | 'consentGiven' | 'signed' | 'complete'
  /** Whose, by their index; empty for the contract's own entries. */
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

/** A sentence that was ticked, in the language shown. */
export interface Consent {
  id: string
  language: Locale
  text: string
}

export interface Certificate {
  signers: readonly Signer[]
  consents: readonly Consent[]
  happened: readonly Happening[]
}

const DIGITS = 8
const entrySchema = z.object({ seq: z.int(), at: z.iso.datetime(), type: z.string(), data: z.looseObject({}) })
const ofParty = z.object({ partyIndex: z.int() })
const ofAttempt = ofParty.extend({ attemptId: z.string() })
const acceptedSchema = ofAttempt.extend({ signedAt: z.iso.datetime() })
const consentSchema = ofParty.extend({ consentId: z.string(), consentSha256: z.string(), language: z.string() })

/**
 * The certificate of a chain that is closed by `contract.completed`.
 * @param lines of the chain, in order
 * @param parties as the contract service names them
 * @param consentTexts every sentence that was ever asked for, by id and language
 * @throws Error when the chain does not hold what a certificate says: a signature of each party, a sentence that is known
 */
export function readCertificate(
  lines: readonly string[],
  openings: readonly ChainOpening[],
  parties: readonly { role: string; legalName: string; mailbox: string }[],
  consentTexts: readonly Consent[],
): Certificate {
  const entries = lines.map((line) => ({
    ...entrySchema.parse(JSON.parse(line)),
    digits: sha256Hex(line).slice(0, DIGITS),
  }))
  const openingOf = (seq: number, path: string): string => {
    const found = openings.find((each) => each.seq === seq && each.path === path)
    if (!found) throw new Error(`entry ${seq} has no opening of ${path}`)
    return found.value
  }
  const partyOf = (data: unknown): number[] => [ofParty.parse(data).partyIndex]

  const happened = entries.flatMap(({ seq, at, type, data, digits }): Happening[] => {
    const say = (what: Happening['what'], whose: readonly number[] = []): Happening[] => [
      { seq, at: new Date(at), what, parties: whose, digits },
    ]
    switch (type) {
      case 'contract.created':
        return say('created')
      case 'code.verified': {
        const mailbox = openingOf(seq, 'mailbox')
        return say(
          'mailboxConfirmed',
          parties.flatMap((party, index) => (party.mailbox === mailbox ? [index] : [])),
        )
      }
      case 'text.shown':
        return say('textShown', partyOf(data))
      case 'consent.given':
        return say('consentGiven', partyOf(data))
      case 'signature.accepted':
        return say('signed', partyOf(data))
      case 'contract.completed':
        return say('complete')
      default:
        return []
    }
  })

  const submissions = entries.filter(({ type }) => type === 'signature.submitted')
  const signers = parties.map(({ role, legalName }, index): Signer => {
    const accepted = entries
      .filter(({ type }) => type === 'signature.accepted')
      .map(({ data }) => acceptedSchema.parse(data))
      .find(({ partyIndex }) => partyIndex === index)
    const submitted = submissions.find(({ data }) => ofAttempt.parse(data).attemptId === accepted?.attemptId)
    if (!accepted || !submitted) throw new Error(`the chain holds no signature of party ${index}`)
    return { role, legalName, typedName: openingOf(submitted.seq, 'typedName'), signedAt: new Date(accepted.signedAt) }
  })

  const consents = new Map<string, Consent>()
  for (const { type, data } of entries) {
    if (type !== 'consent.given') continue
    const { consentId, consentSha256, language } = consentSchema.parse(data)
    const known = consentTexts.find(
      (each) =>
        each.id === consentId &&
        isLocale(language) &&
        each.language === language &&
        sha256Hex(each.text) === consentSha256,
    )
    if (!known) throw new Error(`nobody knows the sentence ${consentId}`)
    consents.set(`${consentId} ${language}`, known)
  }
  return { signers, consents: [...consents.values()], happened }
}
