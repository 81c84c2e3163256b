// Sample data of mails for tests and pictures: the shared sample as the mails take it.
import type { MailLanguage } from '@paraph/protocol/principal'
import * as shared from '@paraph/testing/test/sample-data-fixture'
import type { Composed } from '../src/compose/contract-mail.js'
import type { MailKind } from '../src/database.js'
import type { MailData } from '../src/compose/mail-data.js'
import type { Mail } from '../src/smtp/mailer.js'
import type { OwnerMailData } from '../src/compose/mail-data.js'

export const MAIL_SETTINGS = { mailDomain: shared.MAIL_DOMAIN, shareBaseUrl: shared.SHARE_BASE_URL, footName: 'Paraph' }
export const FROM_ADDRESS = `sign@${shared.MAIL_DOMAIN}`
export const SHARE_URL = shared.SHARE_URL

export function sampleMailData(overrides: Partial<MailData> = {}): MailData {
  return {
    status: 'pending_signature',
    isErased: false,
    accountId: 'account-1',
    environment: 'production',
    senderName: shared.SENDER_NAME,
    accountName: shared.ACCOUNT_NAME,
    contractType: 'nda',
    contractNumber: shared.CONTRACT_NUMBER,
    expiresAt: shared.EXPIRES_AT.toISOString(),
    completedAt: null,
    cancelledAt: null,
    partyCount: 3,
    parties: shared.PARTIES.map(({ role, legalName }) => ({ role, legalName, hasSigned: false })),
    party: { ...shared.PARTIES[1], hasSigned: false, hasDeclined: false },
    sameMailbox: [1],
    shareUrl: SHARE_URL,
    language: 'en+fr',
    timeZone: 'UTC',
    replyAddress: null,
    remindsParties: true,
    ...overrides,
  }
}

/** The data with the contract in a state in which this kind of mail is sent. */
export function mailDataFor(kind: MailKind, mailData: MailData): MailData {
  if (kind === 'completed')
    return {
      ...mailData,
      status: 'signed',
      completedAt: shared.COMPLETED_AT.toISOString(),
      party: { ...mailData.party, hasSigned: true },
    }
  if (kind !== 'cancelled' && kind !== 'expired') return mailData
  return { ...mailData, status: kind, party: { ...mailData.party, hasSigned: true } }
}

const OWNER = { id: '0190f3a2-6f3e-4c1d-9b57-2f8f0e1c7a44', to: shared.OWNER } as const
const ACCOUNT = { accountName: shared.ACCOUNT_NAME }
const KEY = { ...ACCOUNT, keyName: 'Order system', keyHint: `paraph_live_9fQ2…${shared.KEY_LAST_FOUR}`, by: OWNER.to }

const ACT = { ...ACCOUNT, by: shared.SECOND_OWNER }
const NEW_OWNER = shared.INVITED_OWNER
const JOINED = { ...ACCOUNT, by: NEW_OWNER, owner: NEW_OWNER, role: 'developer' } as const

const OF_CONTRACT = { ...ACCOUNT, contractNumber: shared.CONTRACT_NUMBER }

/** Every mail to an owner, by name. */
export const OWNER_MAILS = {
  signIn: { ...OWNER, kind: 'code', purpose: 'sign_in', code: '48291365', lapsesInSeconds: 595 },
  prove: { ...OWNER, kind: 'code', purpose: 'prove', code: '48291365', lapsesInSeconds: 595 },
  replyAddress: {
    ...OWNER,
    kind: 'code',
    purpose: 'reply_address',
    code: '48291365',
    lapsesInSeconds: 595,
    ...ACCOUNT,
  },
  approved: { ...OWNER, kind: 'application_approved', data: ACCOUNT },
  refused: {
    ...OWNER,
    kind: 'application_refused' as const,
    data: { ...ACCOUNT, reason: 'Your website does not answer. Tell us when it does, and who signs for you.' },
  },
  brandApproved: { ...OWNER, kind: 'brand_approved', data: ACCOUNT },
  brandRefused: {
    ...OWNER,
    kind: 'brand_refused',
    data: { ...ACCOUNT, reason: 'The logo is the one of another company.' },
  },
  keyCreated: { ...OWNER, kind: 'key_created', data: KEY },
  keyRevoked: { ...OWNER, kind: 'key_revoked', data: KEY },
  keyCreatedByOperator: { ...OWNER, kind: 'key_created', data: { ...KEY, by: null } },
  keyRevokedByOperator: { ...OWNER, kind: 'key_revoked', data: { ...KEY, by: null } },
  codesLocked: { ...OWNER, kind: 'codes_locked', data: {} },
  newBrowser: { ...OWNER, kind: 'new_browser', data: { network: '203.0.113.0/24' } },
  ownerNewBrowser: {
    ...OWNER,
    kind: 'owner_new_browser',
    data: { ...ACCOUNT, owner: shared.SECOND_OWNER, network: '203.0.113.0/24' },
  },
  passkeyAdded: { ...OWNER, kind: 'sign_in_changed', data: { change: 'passkey_added' } },
  passkeyRemoved: { ...OWNER, kind: 'sign_in_changed', data: { change: 'passkey_removed' } },
  recoveryCodesReplaced: { ...OWNER, kind: 'sign_in_changed', data: { change: 'codes_replaced' } },
  recoveryCodeUsed: { ...OWNER, kind: 'sign_in_changed', data: { change: 'code_used' } },
  recoveryCodesLocked: { ...OWNER, kind: 'sign_in_changed', data: { change: 'codes_locked' } },
  passkeysReset: { ...OWNER, kind: 'passkeys_reset', data: { owner: shared.SECOND_OWNER, by: OWNER.to } },
  passkeysResetByOperator: { ...OWNER, kind: 'passkeys_reset', data: { owner: OWNER.to, by: null } },
  invited: { ...OWNER, to: NEW_OWNER, kind: 'owner_invited', data: { ...ACT, role: 'developer' } },
  ownerInvited: {
    ...OWNER,
    kind: 'owners_changed',
    data: { ...ACT, owner: NEW_OWNER, role: 'developer', change: 'invited' },
  },
  ownerJoined: { ...OWNER, kind: 'owners_changed', data: { ...JOINED, change: 'joined' } },
  ownerDeclined: { ...OWNER, kind: 'owners_changed', data: { ...JOINED, change: 'declined' } },
  ownerRemoved: {
    ...OWNER,
    kind: 'owners_changed',
    data: { ...ACT, owner: NEW_OWNER, role: 'developer', change: 'removed' },
  },
  ownerLeft: { ...OWNER, kind: 'owners_changed', data: { ...JOINED, change: 'left' } },
  ownerRole: {
    ...OWNER,
    kind: 'owners_changed',
    data: { ...ACT, owner: NEW_OWNER, role: 'viewer', change: 'role_changed' },
  },
  replyChanged: { ...OWNER, kind: 'reply_address_changed', data: { ...ACT, address: shared.REPLY_ADDRESS } },
  replyRemoved: { ...OWNER, kind: 'reply_address_changed', data: { ...ACT, address: null } },
  exported: { ...OWNER, kind: 'account_exported', data: ACT },
  webhookDisabled: { ...OWNER, kind: 'webhook_disabled', data: ACCOUNT },
  invitationRefused: { ...OWNER, kind: 'invitation_refused', data: OF_CONTRACT },
  partyDeclined: { ...OWNER, kind: 'party_declined', data: OF_CONTRACT },
  contractCompleted: { ...OWNER, kind: 'contract_completed', data: OF_CONTRACT },
  invitationsRefused: { ...OWNER, kind: 'invitations_refused', data: { ...ACCOUNT, count: 132 } },
  dailySummary: { ...OWNER, kind: 'daily_summary', data: { ...ACCOUNT, completed: 12, expired: 1 } },
  erasureRequested: {
    ...OWNER,
    kind: 'erasure_requested',
    data: {
      ...ACT,
      contractNumber: shared.CONTRACT_NUMBER,
      at: shared.ERASED_AT.toISOString(),
      timeZone: 'America/Toronto',
    },
  },
} as const satisfies Record<string, WithoutLanguage<OwnerMailData>>

/** Distributes over the members of a union. */
type WithoutLanguage<OneMail> = OneMail extends unknown ? Omit<OneMail, 'language'> : never

export type OwnerMailName = keyof typeof OWNER_MAILS
export const OWNER_MAIL_NAMES = Object.keys(OWNER_MAILS) as OwnerMailName[]

export const sampleOwnerMail = (name: OwnerMailName, language: MailLanguage = 'en+fr'): OwnerMailData => ({
  ...OWNER_MAILS[name],
  language,
})

/** @throws Error with the reason when no mail was composed */
export function mailOf(composed: Composed): Mail {
  if (!('mail' in composed)) throw new Error(`not sent: ${JSON.stringify(composed)}`)
  return composed.mail
}

/** Soon after the sample contract was created, 14 days before it expires. */
export const SENT_AT = new Date(Date.parse(sampleMailData().expiresAt) - 14 * 86_400_000 + 5_000)

/** For workers whose mails are of no sandbox. */
export const NO_TEST_MAILBOX = { keep: () => Promise.resolve(), sends: true }
