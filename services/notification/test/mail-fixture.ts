// Facts of one mail for tests; the pictures' example.
import type { MailLanguage } from '@paraph/protocol/caller'
import type { Composed } from './compose-mail.js'
import type { MailKind } from './database.js'
import type { MailFacts } from './mail-facts.js'
import type { Mail } from './mailer.js'
import type { OwnerLetter } from './owner-letter.js'

export const MAIL_SETTINGS = { mailDomain: 'mail.paraph.example', shareBaseUrl: 'https://sign.paraph.example' }
export const FROM_ADDRESS = 'sign@mail.paraph.example'
export const SHARE_URL = 'https://sign.paraph.example/contract/vX2nQ7b0c9TtKfR4yL1sWm8aZ3hJ6uEoPdGiNxV5kBq'

export function mailFacts(overrides: Partial<MailFacts> = {}): MailFacts {
  return {
    status: 'pending_signature',
    isErased: false,
    environment: 'production',
    senderName: 'Nordic Foods procurement',
    accountName: 'Nordic Foods Ltd.',
    contractType: 'nda',
    contractNumber: 'EXT-20261120-7KQ4MXTA',
    expiresAt: '2026-12-04T14:03:00.000Z',
    completedAt: null,
    cancelledAt: null,
    partyCount: 3,
    parties: [
      { role: 'Discloser', legalName: 'Nordic Foods Ltd.' },
      { role: 'Recipient', legalName: 'Jane Roe' },
      { role: 'Recipient', legalName: 'Harbour Analytics Inc.' },
    ],
    party: { role: 'Recipient', legalName: 'Jane Roe', email: 'jane.roe@example.com', hasSigned: false },
    isFirstOfMailbox: true,
    shareUrl: SHARE_URL,
    language: 'en+fr',
    timeZone: 'UTC',
    replyAddress: null,
    ...overrides,
  }
}

/** The same facts in a state in which this kind of mail is sent. */
export function factsFor(kind: MailKind, facts: MailFacts): MailFacts {
  if (kind === 'completed')
    return {
      ...facts,
      status: 'signed',
      completedAt: '2026-11-25T16:41:09.314Z',
      party: { ...facts.party, hasSigned: true },
    }
  if (kind !== 'cancelled' && kind !== 'expired') return facts
  return { ...facts, status: kind, party: { ...facts.party, hasSigned: true } }
}

const OWNER = { id: '0190f3a2-6f3e-4c1d-9b57-2f8f0e1c7a44', to: 'amelie.tremblay@nordicfoods.example' } as const
const ACCOUNT = { accountName: 'Nordic Foods Ltd.' }
const KEY = { ...ACCOUNT, keyName: 'Order system', keyHint: 'paraph_live_9fQ2…w4Xz', by: OWNER.to }

/** Every letter to an owner, once, by what it is called. */
export const OWNER_LETTERS = {
  signIn: { ...OWNER, kind: 'code', purpose: 'sign_in', code: '482913', lapsesInSeconds: 595 },
  replyAddress: { ...OWNER, kind: 'code', purpose: 'reply_address', code: '482913', lapsesInSeconds: 595, ...ACCOUNT },
  approved: { ...OWNER, kind: 'application_approved', facts: ACCOUNT },
  refused: {
    ...{ ...OWNER, kind: 'application_refused' as const },
    facts: { ...ACCOUNT, reason: 'Your website does not answer. Tell us when it does, and who signs for you.' },
  },
  keyCreated: { ...OWNER, kind: 'key_created', facts: KEY },
  keyRevoked: { ...OWNER, kind: 'key_revoked', facts: KEY },
  keyCreatedByOperator: { ...OWNER, kind: 'key_created', facts: { ...KEY, by: null } },
  keyRevokedByOperator: { ...OWNER, kind: 'key_revoked', facts: { ...KEY, by: null } },
  invited: { ...OWNER, kind: 'owner_invited', facts: { ...ACCOUNT, by: 'paul.roy@nordicfoods.example' } },
} as const satisfies Record<string, WithoutLanguage<OwnerLetter>>

/** Of each member of a union. */
type WithoutLanguage<Letter> = Letter extends unknown ? Omit<Letter, 'language'> : never

export type OwnerLetterName = keyof typeof OWNER_LETTERS
export const OWNER_LETTER_NAMES = Object.keys(OWNER_LETTERS) as OwnerLetterName[]

export const ownerLetter = (name: OwnerLetterName, language: MailLanguage = 'en+fr'): OwnerLetter => ({
  ...OWNER_LETTERS[name],
  language,
})

/** @throws Error when no mail was composed, with the reason */
export function mailOf(composed: Composed): Mail {
  if (!('mail' in composed)) throw new Error(`not sent: ${JSON.stringify(composed)}`)
  return composed.mail
}
