import { expect, it } from '@jest/globals'
import { contractSchema } from '@paraph/protocol/contract-views'
import type { ContractRecord } from '../store/contract-record.js'
import { expiresInMs, representationOf } from './representation.js'

const EXPIRES_AT = new Date('2026-12-05T10:00:00.500Z')

/** An open contract of two parties. Each call returns new objects, like each read of the database. */
const recordOf = (changes: Partial<ContractRecord> = {}): ContractRecord => ({
  id: 'contract-1-a',
  accountId: 'acc_1',
  environment: 'production',
  contractNumber: 'EXT-20261121-AAAAAAAA',
  contractType: 'nda',
  status: 'pending_signature',
  senderName: 'Nordic',
  accountName: 'Nordic Foods Ltd.',
  mailLanguage: 'en+fr',
  timeZone: 'UTC',
  replyAddress: null,
  cancelsOnDecline: false,
  remindsParties: true,
  contentSha256: Buffer.alloc(32),
  contentBytes: 9,
  metadata: { z: '1', a: '2' },
  shareToken: null,
  createdAt: new Date('2026-11-21T10:00:00.500Z'),
  expiresAt: EXPIRES_AT,
  changedAt: new Date('2026-11-21T10:00:00.500Z'),
  version: 1,
  completedAt: null,
  cancelledAt: null,
  cancelledBy: null,
  cancelReason: null,
  erasedAt: null,
  eraseDueAt: null,
  eraseRequestedBy: null,
  heldAt: null,
  holdReason: null,
  readdresses: [],
  deliveries: {},
  deliveryChanges: 0,
  deliveryAt: null,
  parties: ['a', 'b'].map((name) => ({
    role: 'Party',
    legalName: name,
    email: `${name}@x.test`,
    signedAt: null,
    declinedAt: null,
  })),
  readAt: new Date('2026-11-22T00:00:00.000Z'),
  ...changes,
})

const tagOf = (changes?: Partial<ContractRecord>) => representationOf(recordOf(changes)).etag

it('the same body has the same ETag, at any time and after changes of fields that the body does not contain [D22]', () => {
  expect(tagOf()).toMatch(/^"[A-Za-z0-9_-]{43}"$/)
  expect(
    tagOf({ readAt: new Date(Number(EXPIRES_AT) - 1), version: 7, changedAt: new Date(0), shareToken: null }),
  ).toBe(tagOf())
})

it('the ETag changes with each change that a client can see [D22]', () => {
  const [a, b] = recordOf().parties
  const signedAt = new Date('2026-11-23T10:00:00.000Z')
  const tags = [
    tagOf(),
    tagOf({ status: 'partially_signed', parties: [{ ...a!, signedAt }, b!] }),
    tagOf({ status: 'partially_signed', parties: [{ ...a!, signedAt: new Date(Number(signedAt) + 1) }, b!] }),
    tagOf({ status: 'partially_signed', parties: [a!, { ...b!, signedAt }] }),
    tagOf({ status: 'cancelled', cancelledAt: signedAt }),
    tagOf({ status: 'expired' }),
    tagOf({ metadata: { a: '2', z: '1' } }),
    tagOf({ id: 'contract-1-b' }),
    tagOf({ deliveries: { 0: ['sent', 1] } }),
    tagOf({ deliveries: { 1: ['sent', 1] } }),
    tagOf({ deliveries: { 0: ['refused', 1] } }),
    tagOf({ status: 'cancelled', cancelledAt: signedAt, cancelReason: 'A reason.' }),
  ]
  expect(new Set(tags).size).toBe(tags.length)
})

it('from expiresAt on, a contract has the ETag and last change of an expired contract, even before the sweep [D20, D22]', () => {
  const unswept = representationOf(recordOf({ readAt: EXPIRES_AT }))
  const swept = representationOf(recordOf({ readAt: EXPIRES_AT, status: 'expired', changedAt: EXPIRES_AT, version: 2 }))
  expect(unswept).toEqual(swept)
  expect(unswept.etag).not.toBe(tagOf())
  expect(unswept.lastModified).toBe('Sat, 05 Dec 2026 10:00:00 GMT')
})

it('the last change of a final contract is the change that made it final [D22]', () => {
  const changedAt = new Date('2026-11-25T08:00:00.000Z')
  for (const status of ['signed', 'cancelled'] as const) {
    const late = recordOf({ status, changedAt, readAt: new Date(Number(EXPIRES_AT) + 1) })
    expect(representationOf(late).lastModified).toBe('Wed, 25 Nov 2026 08:00:00 GMT')
  }
})

it.each([
  [{ status: 'pending_signature' }, null],
  [{ status: 'signed', completedAt: new Date('2026-11-23T10:00:00.000Z') }, '2026-11-23T10:00:00.000Z'],
  [{ status: 'cancelled', cancelledAt: new Date('2026-11-24T10:00:00.000Z') }, '2026-11-24T10:00:00.000Z'],
  [{ status: 'expired' }, EXPIRES_AT.toISOString()],
  [{ status: 'partially_signed', readAt: EXPIRES_AT }, EXPIRES_AT.toISOString()],
] as const)('%j ended at %j [D52]', (changes, endedAt) => {
  expect(representationOf(recordOf(changes)).body.contract.endedAt).toBe(endedAt)
})

it('the last change of a contract is that of a delivery, if it is later [D22, D52]', () => {
  const deliveryAt = new Date('2026-11-21T10:07:00.000Z')
  expect(representationOf(recordOf({ deliveryAt })).lastModified).toBe('Sat, 21 Nov 2026 10:07:00 GMT')
})

it('expiresInMs is the time until expiresAt, and undefined once the contract is final [D20]', () => {
  expect(expiresInMs(recordOf({ readAt: new Date(Number(EXPIRES_AT) - 7) }))).toBe(7)
  for (const changes of [{ readAt: EXPIRES_AT }, { status: 'signed' }, { status: 'cancelled' }] as const) {
    expect(expiresInMs(recordOf(changes))).toBeUndefined()
  }
})

it('the fields have the order of the schema, so that the ETag is a hash of the bytes sent [D22]', () => {
  const { contract } = representationOf(recordOf()).body
  expect(JSON.stringify(contractSchema.parse(contract))).toBe(JSON.stringify(contract))
})
