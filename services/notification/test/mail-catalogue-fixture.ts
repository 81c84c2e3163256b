// For tests: every kind of mail in every language, with the shared sample data.
// Each mail has the name of its picture.
import { CANCELLED_AT, CONTRACT_ID } from '@paraph/testing/test/sample-data-fixture'
import { composeMail } from '../src/compose/contract-mail.js'
import type { MailKind } from '../src/database.js'
import type { MailData } from '../src/compose/mail-data.js'
import {
  mailDataFor,
  FROM_ADDRESS,
  MAIL_SETTINGS,
  sampleMailData,
  SENT_AT,
  mailOf,
  sampleOwnerMail,
  type OwnerMailName,
} from './mail-fixture.js'
import { sampleLook } from './sample-brand-fixture.js'
import type { Mail } from '../src/smtp/mailer.js'
import type { OwnerMailData } from '../src/compose/mail-data.js'
import { composeOwnerMail } from '../src/compose/owner-mail.js'

interface CatalogueMail {
  /** Unique; the file name of its picture. */
  name: string
  /** As a mail program shows the sender: `name <address>`. */
  from: string
  to: string
  subject: string
  text: string
  html: string
}

const CANCELLED = { cancelledAt: CANCELLED_AT.toISOString() }
const LONG = {
  senderName: 'The Procurement Department of the Amalgamated Northern Foods and Fisheries Co-operative, Halifax NS',
  accountName: 'Amalgamated Northern Foods and Fisheries Co-operative of Halifax',
  timeZone: 'America/Toronto',
  party: {
    role: 'The party of the third part, its successors and permitted assigns',
    legalName: 'Donaudampfschifffahrtsgesellschaft'.repeat(6).slice(0, 200),
    email: 'jane.roe@example.com',
    hasSigned: false,
    hasDeclined: false,
  },
}
const RIGHT_TO_LEFT = {
  senderName: 'شركة الأغذية الشمالية المحدودة',
  accountName: 'יעל כהן (Yael Cohen) 3',
  party: {
    role: 'מקבל',
    legalName: 'יעל כהן (Yael Cohen) 3',
    email: 'yael@example.com',
    hasSigned: false,
    hasDeclined: false,
  },
}

function catalogued(name: string, kind: MailKind, data: Partial<MailData> = {}, code = '482913'): CatalogueMail {
  const copy = kind === 'completed' ? Buffer.alloc(131_000) : undefined
  const delivery = { kind, contractId: CONTRACT_ID, partyIndex: data.sameMailbox?.[2] ?? 1, sendNumber: 1, code, copy }
  const sent = { ...delivery, sentAt: SENT_AT }
  return asRead(name, mailOf(composeMail(sent, mailDataFor(kind, sampleMailData(data)), MAIL_SETTINGS)))
}

function asRead(name: string, { fromName, to, subject, text, html }: Mail): CatalogueMail {
  const from = `${fromName} <${FROM_ADDRESS}>`
  return { name, from, to: `${to.name} <${to.address}>`.trim(), subject, text, html }
}

/** The mail of an account that writes in both languages, in English, and in French. */
const inEveryLanguage = (name: string, kind: MailKind, data: Partial<MailData> = {}): CatalogueMail[] => [
  catalogued(name, kind, data),
  catalogued(`${name}-english`, kind, { ...data, language: 'en' }),
  catalogued(`${name}-french`, kind, { ...data, language: 'fr' }),
]

const toOwner = (name: string, mail: OwnerMailData): CatalogueMail =>
  asRead(name, mailOf(composeOwnerMail(mail, MAIL_SETTINGS)))

/** A mail to an owner in both languages, in English, and in French. */
const toOwnerInEvery = (name: string, mail: OwnerMailName): CatalogueMail[] => [
  toOwner(name, sampleOwnerMail(mail)),
  toOwner(`${name}-english`, sampleOwnerMail(mail, 'en')),
  toOwner(`${name}-french`, sampleOwnerMail(mail, 'fr')),
]

const LONG_KEY = {
  accountName: LONG.senderName,
  keyName: 'www.evil.example/pay ' + 'Donaudampfschifffahrtsgesellschaft'.repeat(3).slice(0, 79),
  keyHint: 'paraph_live_9fQ2…w4Xz',
  by: `${'amelie.tremblay.'.repeat(4).slice(0, 63)}@procurement.amalgamated-northern-foods-and-fisheries.example`,
}
const LONG_REASON = [
  'We looked at https://amalgamated-northern-foods.example and found three things:',
  '- nobody at the address that you gave knows of the application;',
  `- ${'Donaudampfschifffahrtsgesellschaft'.repeat(3)} is in no register;`,
  '- שם החברה אינו תואם.',
].join('\n')

/** The mails to owners, about an account. */
export const ownerMails: CatalogueMail[] = [
  ...toOwnerInEvery('mail-08-owner-code', 'signIn'),
  toOwner('mail-08l-owner-code-12-digits', { ...sampleOwnerMail('signIn'), code: '482913057264' } as OwnerMailData),
  ...toOwnerInEvery('mail-09-reply-code', 'replyAddress'),
  toOwner('mail-09l-reply-code-12-digits', {
    ...sampleOwnerMail('replyAddress'),
    accountName: LONG.senderName,
    code: '482913057264',
  } as OwnerMailData),
  ...toOwnerInEvery('mail-10-application-approved', 'approved'),
  ...toOwnerInEvery('mail-11-application-refused', 'refused'),
  toOwner('mail-11l-application-refused-long', {
    ...sampleOwnerMail('refused'),
    data: { accountName: LONG.senderName, reason: LONG_REASON },
  } as OwnerMailData),
  ...toOwnerInEvery('mail-12-key-created', 'keyCreated'),
  toOwner('mail-12l-key-created-long-names', { ...sampleOwnerMail('keyCreated'), data: LONG_KEY } as OwnerMailData),
  toOwner('mail-12o-key-created-by-operator', sampleOwnerMail('keyCreatedByOperator')),
  ...toOwnerInEvery('mail-13-key-revoked', 'keyRevoked'),
  toOwner('mail-13o-key-revoked-by-operator', sampleOwnerMail('keyRevokedByOperator')),
  ...toOwnerInEvery('mail-14-owner-invited', 'invited'),
  ...toOwnerInEvery('mail-15-codes-locked', 'codesLocked'),
  ...toOwnerInEvery('mail-16-new-browser', 'newBrowser'),
  toOwner('mail-16o-owner-new-browser', sampleOwnerMail('ownerNewBrowser')),
  toOwner('mail-08p-proof-code', sampleOwnerMail('prove')),
  ...toOwnerInEvery('mail-30-passkey-added', 'passkeyAdded'),
  toOwner('mail-30r-passkey-removed', sampleOwnerMail('passkeyRemoved')),
  toOwner('mail-30c-recovery-codes-replaced', sampleOwnerMail('recoveryCodesReplaced')),
  toOwner('mail-30u-recovery-code-used', sampleOwnerMail('recoveryCodeUsed')),
  toOwner('mail-30l-recovery-codes-locked', sampleOwnerMail('recoveryCodesLocked')),
  ...toOwnerInEvery('mail-31-passkeys-reset', 'passkeysReset'),
  toOwner('mail-31o-passkeys-reset-by-operator', sampleOwnerMail('passkeysResetByOperator')),
  toOwner('mail-14r-owner-invited-right-to-left', {
    ...sampleOwnerMail('invited'),
    data: { accountName: RIGHT_TO_LEFT.senderName, by: 'yael@example.com', role: 'viewer' },
  } as OwnerMailData),
  toOwner('mail-15-owners-invited', sampleOwnerMail('ownerInvited')),
  toOwner('mail-15j-owners-joined', sampleOwnerMail('ownerJoined')),
  toOwner('mail-15d-owners-declined', sampleOwnerMail('ownerDeclined')),
  toOwner('mail-15r-owners-removed', sampleOwnerMail('ownerRemoved')),
  toOwner('mail-15x-owners-left', sampleOwnerMail('ownerLeft')),
  toOwner('mail-15o-owners-role', sampleOwnerMail('ownerRole')),
  toOwner('mail-16-reply-changed', sampleOwnerMail('replyChanged')),
  toOwner('mail-16r-reply-removed', sampleOwnerMail('replyRemoved')),
  toOwner('mail-17-account-exported', sampleOwnerMail('exported')),
  ...toOwnerInEvery('mail-18-erasure-requested', 'erasureRequested'),
  ...toOwnerInEvery('mail-19-invitation-refused', 'invitationRefused'),
  ...toOwnerInEvery('mail-20-party-declined', 'partyDeclined'),
  toOwner('mail-21-contract-completed', sampleOwnerMail('contractCompleted')),
  toOwner('mail-22-invitations-refused', sampleOwnerMail('invitationsRefused')),
  ...toOwnerInEvery('mail-23-daily-summary', 'dailySummary'),
]

/** The third of fifty parties of one mailbox. */
const MANY_ROLES: Partial<MailData> = {
  partyCount: 50,
  sameMailbox: Array.from({ length: 50 }, (_, index) => index),
  parties: Array.from({ length: 50 }, (_, index) => ({
    role: `Guarantor ${index + 1}`,
    legalName: 'Jane Roe',
    hasSigned: false,
  })),
}

/** An approved name of 100 characters that tries to leave its attribute, and the direction of its line. */
export const HOSTILE_NAME = `"><script>alert('x')</script> שמים "onerror="alert(1) ${'Donaudampfschifffahrt'.repeat(3)}`
  .slice(0, 100)
  .trim()
const HOSTILE = { accountName: HOSTILE_NAME, look: sampleLook({ accountName: HOSTILE_NAME }) }

/** The mails of accounts with an approved brand. [D59] */
export const brandedMails: CatalogueMail[] = [
  ...inEveryLanguage('mail-24-brand-invitation', 'invitation', { look: sampleLook() }),
  catalogued('mail-24a-brand-invitation-accent', 'invitation', { look: sampleLook({ logo: null }) }),
  catalogued('mail-24b-brand-invitation-logo', 'invitation', { look: sampleLook({ accent: null }) }),
  catalogued('mail-24s-brand-invitation-sandbox', 'invitation', { look: sampleLook(), environment: 'sandbox' }),
  catalogued('mail-24l-brand-invitation-long-hostile-name', 'invitation', HOSTILE),
  catalogued('mail-24m-brand-invitation-accent-long-hostile-name', 'invitation', {
    ...HOSTILE,
    look: { ...HOSTILE.look, logo: null },
  }),
  catalogued('mail-24o-brand-invitation-other-foot', 'invitation', { look: sampleLook({ footName: 'Nordic Sign' }) }),
  ...inEveryLanguage('mail-25-brand-code', 'code', { look: sampleLook() }),
  catalogued('mail-26-brand-completion', 'completed', { look: sampleLook() }),
  catalogued('mail-27-brand-reminder', 'reminder', { look: sampleLook() }),
  catalogued('mail-28-brand-cancelled', 'cancelled', { ...CANCELLED, look: sampleLook() }),
  catalogued('mail-29-brand-expired', 'expired', { look: sampleLook() }),
  catalogued('mail-30-brand-readdressed', 'readdressed', { sameMailbox: [], look: sampleLook() }),
]

/** The mails about a contract. */
export const contractMails: CatalogueMail[] = [
  ...inEveryLanguage('mail-01-invitation', 'invitation'),
  catalogued('mail-01s-invitation-sandbox', 'invitation', { environment: 'sandbox' }),
  catalogued('mail-01l-invitation-long-names', 'invitation', LONG),
  catalogued('mail-01r-invitation-right-to-left', 'invitation', RIGHT_TO_LEFT),
  ...inEveryLanguage('mail-01m-invitation-long-list-of-roles', 'invitation', MANY_ROLES),
  ...inEveryLanguage('mail-04-reminder', 'reminder'),
  ...inEveryLanguage('mail-07-readdressed', 'readdressed', { sameMailbox: [] }),
  ...inEveryLanguage('mail-02-code', 'code'),
  catalogued('mail-02l-code-12-digits', 'code', {}, '482913057264'),
  catalogued('mail-02s-code-sandbox', 'code', { environment: 'sandbox' }),
  ...inEveryLanguage('mail-03-completion', 'completed'),
  catalogued('mail-03s-completion-sandbox', 'completed', { environment: 'sandbox' }),
  catalogued('mail-03l-completion-long-names', 'completed', { ...LONG, parties: [LONG.party, LONG.party, LONG.party] }),
  ...inEveryLanguage('mail-06-cancelled', 'cancelled', CANCELLED),
  ...inEveryLanguage('mail-07-expired', 'expired'),
  ...brandedMails,
]

export const mailCatalogue: CatalogueMail[] = [...contractMails, ...ownerMails]
