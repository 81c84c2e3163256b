// The representation of a contract for clients, and its validators. Pure. [Contract (response of GET), D1, D20, D22]
import { createHash } from 'node:crypto'
import { unseal, type Keyring } from '@paraph/config/keyring'
import type { Delivery } from '@paraph/protocol/contract'
import { elementAt } from '@paraph/protocol/element-at'
import { invitedWith } from '@paraph/protocol/shared-mailbox'
import { mailboxOf } from '@paraph/protocol/text-rules'
import { progress, type ContractView } from '@paraph/protocol/contract-views'
import { isFinal, statusAt } from '../domain/contract.js'
import type { ContractRecord } from '../store/contract-record.js'

/** The answer to GET /contracts/{id} at one instant of the database's clock. */
export interface Representation {
  body: { success: true; contract: ContractView }
  /** A strong entity tag with its quotes: a hash of the body's bytes. Changes at `expiresAt`, even before the expiry sweep. */
  etag: string
  /** An HTTP date, in whole seconds. */
  lastModified: string
}

/** The representation of `record` at the instant of its read. */
export function representationOf(record: ContractRecord): Representation {
  const body = { success: true as const, contract: viewOf(record) }
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('base64url')
  return { body, etag: `"${hash}"`, lastModified: changedAt(record).toUTCString() }
}

/** The contract as its owner sees it. The fields are in the order of the schema, because the tag is a hash of the bytes that are sent. */
export function viewOf(record: ContractRecord): ContractView {
  const signed = record.parties.filter((party) => party.signedAt !== null)
  return {
    id: record.id,
    status: statusAt(record, record.readAt),
    parties: record.parties.map(({ role, legalName, email, signedAt, declinedAt }, index) => ({
      role,
      legalName,
      email,
      hasSigned: signedAt !== null,
      delivery: deliveryOf(record, index),
      declinedAt: declinedAt?.toISOString() ?? null,
    })),
    signingProgress: progress(signed.length, record.parties.length),
    signatures: signed
      .toSorted((a, b) => Number(a.signedAt) - Number(b.signedAt))
      .map((party) => ({
        signerEmail: party.email,
        signerName: party.legalName,
        signerRole: party.role,
        signedAt: party.signedAt!.toISOString(),
      })),
    contractNumber: record.contractNumber,
    contractType: record.contractType,
    senderName: record.senderName,
    metadata: record.metadata,
    createdAt: record.createdAt.toISOString(),
    expiresAt: record.expiresAt.toISOString(),
    completedAt: record.completedAt?.toISOString() ?? null,
    endedAt: endedAt(record)?.toISOString() ?? null,
    cancelReason: record.cancelReason,
  }
}

/** When the contract became final, at the instant of its read; null while it is open. */
export function endedAt(record: ContractRecord): Date | null {
  return statusAt(record, record.readAt) === 'expired' ? record.expiresAt : (record.completedAt ?? record.cancelledAt)
}

/** Where the invitation stands that invites this party, perhaps together with others of its mailbox. [D52, P24] */
function deliveryOf({ deliveries, parties }: ContractRecord, index: number): Delivery {
  const own = deliveries[index]
  if (own || parties.length < 3) return own?.[0] ?? 'pending'
  const mailboxes = parties.map(({ email }) => mailboxOf(email))
  const sameMailbox = mailboxes.flatMap((mailbox, at) => (mailbox === mailboxes[index] ? [at] : []))
  return deliveries[elementAt(invitedWith(sameMailbox, index), 0)]?.[0] ?? 'pending'
}

/** Milliseconds until the contract expires, which changes the representation without an event; undefined for a final contract. */
export function expiresInMs(record: ContractRecord): number | undefined {
  return isFinal(statusAt(record, record.readAt)) ? undefined : Number(record.expiresAt) - Number(record.readAt)
}

/** The last change of the contract or of a delivery, or `expiresAt` if the contract expired after that. */
function changedAt(record: ContractRecord): Date {
  const isExpired = statusAt(record, record.readAt) === 'expired'
  const times = [
    record.changedAt,
    record.deliveryAt ?? record.changedAt,
    isExpired ? record.expiresAt : record.changedAt,
  ]
  return new Date(Math.max(...times.map(Number)))
}

/** The fields that the owner's console, the ceremony and the mails show, except parties and times. */
export const dataOf = (record: ContractRecord) => ({
  contractNumber: record.contractNumber,
  contractType: record.contractType,
  status: statusAt(record, record.readAt),
  senderName: record.senderName,
  accountName: record.accountName,
  /** The language of the contract's mails. */
  language: record.mailLanguage,
})

/** The times of a contract for other services. */
export const instantsOf = ({ createdAt, expiresAt, completedAt, cancelledAt }: ContractRecord) => ({
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
  completedAt: completedAt?.toISOString() ?? null,
  cancelledAt: cancelledAt?.toISOString() ?? null,
})

/** The parties for other services; `addressNumber` counts the corrections of the address, `signedAt` is null until the party signs, `declinedAt` unless it has declined and not signed since. */
export const partiesOf = ({ parties, readdresses }: ContractRecord) =>
  parties.map(({ role, legalName, email, signedAt, declinedAt }, index) => ({
    addressNumber: readdresses.filter(({ partyIndex }) => partyIndex === index).length,
    role,
    legalName,
    email,
    signedAt: signedAt?.toISOString() ?? null,
    declinedAt: declinedAt?.toISOString() ?? null,
  }))

/** @returns a function for the share link of a contract, null once the token is deleted. @param shareBaseUrl no slash at the end [D46] */
export const createShareUrls =
  (keys: Keyring, shareBaseUrl: string) =>
  ({ id, shareToken }: ContractRecord): string | null =>
    shareToken && `${shareBaseUrl}/contract/${unseal(keys, shareToken, id)}`

export type ShareUrlOf = ReturnType<typeof createShareUrls>
