// What a client gets to see of a contract, and its validators. Pure. [Contract (response of GET), D1, D20, D22]
import { createHash } from 'node:crypto'
import type { ContractView } from '@paraph/protocol/contract'
import { isFinal, progress, statusAt } from './contract.js'
import type { ContractRecord } from './contract-record.js'

/** The answer to GET /contracts/{id} at one instant of the database's clock. */
export interface Representation {
  body: { success: true; contract: ContractView }
  /** Strong, with its quotes: a hash of the body's bytes. The clock alone changes it at `expiresAt`, swept or not. */
  etag: string
  /** As HTTP writes it, in whole seconds. */
  lastModified: string
}

/** What `record` looks like at the instant it was read. */
export function representationOf(record: ContractRecord): Representation {
  const body = { success: true as const, contract: viewOf(record) }
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('base64url')
  return { body, etag: `"${hash}"`, lastModified: changedAt(record).toUTCString() }
}

/** The contract as its owner sees it. Its fields stand in the order of the answer's schema: the tag is of the bytes sent. */
export function viewOf(record: ContractRecord): ContractView {
  const signed = record.parties.filter((party) => party.signedAt !== null)
  return {
    id: record.id,
    status: statusAt(record, record.readAt),
    parties: record.parties.map(({ role, legalName, email, signedAt }) => ({
      ...{ role, legalName, email },
      hasSigned: signedAt !== null,
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
  }
}

/** Milliseconds until the clock alone changes what is seen; undefined where it will not. */
export function expiresInMs(record: ContractRecord): number | undefined {
  return isFinal(statusAt(record, record.readAt)) ? undefined : Number(record.expiresAt) - Number(record.readAt)
}

/** The later of the last change and, unless signed or cancelled, a passed `expiresAt`. */
function changedAt(record: ContractRecord): Date {
  const isExpired = statusAt(record, record.readAt) === 'expired'
  return isExpired && record.expiresAt > record.changedAt ? record.expiresAt : record.changedAt
}
