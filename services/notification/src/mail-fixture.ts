// Facts of one mail for tests; the pictures' example.
import type { Composed } from './compose-mail.js'
import type { MailKind } from './database.js'
import type { MailFacts } from './mail-facts.js'
import type { Mail } from './mailer.js'

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

/** @throws Error when no mail was composed, with the reason */
export function mailOf(composed: Composed): Mail {
  if (!('mail' in composed)) throw new Error(`not sent: ${JSON.stringify(composed)}`)
  return composed.mail
}
