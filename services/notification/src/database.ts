// The types of the mail queue: kinds and states of mails, and a claimed delivery. migrations/ defines the tables; queries are SQL.

import type { Brand } from '@paraph/protocol/brand'

/** The kinds of mail to parties. [D24] */
export const MAIL_KINDS = [
  'invitation',
  'reminder',
  'code',
  'completed',
  'cancelled',
  'expired',
  'readdressed',
] as const
export type MailKind = (typeof MAIL_KINDS)[number]

/** Mails to owners: one-time codes, and all others. [D24] */
export type OwnerKind = 'owner_code' | 'owner_mail'

/** True for a one-time code, for which a person waits, and which expires within minutes. */
export const isCode = (kind: MailKind | OwnerKind): boolean => kind === 'code' || kind === 'owner_code'

/** `due` until the delivery ends; all other states are final. `failed`: rejected, or given up after 48 h. `lapsed`: an expired code. */
export type DeliveryState = 'due' | 'accepted' | 'failed' | 'skipped' | 'lapsed'

/** A slot for probes of an unavailable SMTP server. `codes` probes only with codes, but more often, because a person is waiting. */
export type Lane = 'codes' | 'others'

/** Values of `priority`. */
export const PRIORITY_CODE = 0
export const PRIORITY_OTHER = 1

/** How long the worker tries to send a mail; codes expire earlier. [D49] */
export const TRY_HOURS = 48

/** A party of a contract, or an owner, whom only the sealed mail names. */
export type Addressee =
  { kind: MailKind; contractId: string; partyIndex: number } | { kind: OwnerKind; contractId: null; partyIndex: null }

/** A delivery that only this worker may send until its claim ends. */
export type ClaimedDelivery = Addressee & {
  id: number
  claim: string
  /** Null for codes and mails to owners. */
  accountId: string | null
  sendNumber: number
  /** The account of the contract, and its brand, as of the claim; both null while the account is unknown. */
  brandOf: string | null
  brand: Brand | null
  /** Of a reminder, the `sendNumber` of the newest invitation of the party; null for other mails. */
  invitationNumber: number | null
  /** Includes the attempt of this claim. */
  attempts: number
  /** Time left to send the mail. */
  lapsesInMs: number
  ageMs: number
  /** The reason why the last attempt was rescheduled. */
  lastReason: string | null
  traceparent: string | null
  /** The code, or the mail to an owner, as ciphertext under `sealedKeyId`, bound to `requestId`; null for other mails. */
  sealed: Buffer | null
  sealedKeyId: string | null
  requestId: string | null
}
