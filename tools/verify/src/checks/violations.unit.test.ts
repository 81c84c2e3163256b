// The pure parts of the checks: correct rows that they must accept, and violations that a test cannot write into a database.
// test/e2e/operations/invariants.e2e.test.ts writes the other violations into the databases of a real stack.
import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { busTimesOf } from '../rows/bus-times.js'
import type { ContractRow, DeliveryRow } from '../rows/contract-rows.js'
import { deliveryViolations, skipViolations, lacksInvitation } from './deliveries.js'
import { chainViolations, lacking } from './evidence.js'
import { sequenceViolations, type PublishedEvent } from './sequences.js'
import { endViolations, stateViolations } from './states.js'

const at = (minutes: number): Date => new Date(Date.UTC(2026, 2, 1) + minutes * 60_000)
const contract = (changed: Partial<ContractRow>): ContractRow => ({
  id: 'contract-1',
  accountId: 'acc_1',
  contractNumber: 'EXT-1',
  contentSha256: '',
  status: 'pending_signature',
  version: 1,
  createdAt: at(0),
  expiresAt: at(60),
  changedAt: at(0),
  completedAt: null,
  cancelledAt: null,
  erasedAt: null,
  now: at(30),
  partyCount: 2,
  mailboxes: ['jane', 'ben'],
  signatures: [],
  declines: [],
  readdresses: [],
  ...changed,
})
const signature = (partyIndex: number, minutes: number) => ({
  partyIndex,
  attemptId: `attempt-${partyIndex}`,
  signedAt: at(minutes),
})

describe('the check of states and ends [I2-I4, I10]', () => {
  it.each<[string, Partial<ContractRow>]>([
    ['no signature', {}],
    ['one signature of two', { status: 'partially_signed', version: 2, signatures: [signature(1, 5)] }],
    [
      'both signatures, the last at the time of completion',
      { status: 'signed', version: 4, completedAt: at(9), signatures: [signature(1, 5), signature(0, 9)] },
    ],
    [
      'a cancellation in the millisecond of a signature',
      { status: 'cancelled', version: 3, cancelledAt: at(5), signatures: [signature(1, 5)] },
    ],
    ['an expiry that was stored a day late', { status: 'expired', version: 2, now: at(1_500), changedAt: at(60) }],
  ])('accepts a contract with %s', (_, changed) => {
    expect(stateViolations(contract(changed))).toEqual([])
    expect(endViolations(contract(changed), 60)).toEqual([])
  })

  it('reports two signatures of one party, which the primary key forbids', () => {
    const twice = {
      status: 'partially_signed',
      version: 3,
      partyCount: 3,
      signatures: [signature(1, 5), signature(1, 6)],
    }
    expect(stateViolations(contract(twice))).toMatchObject([
      { invariant: 'I2', fault: 'has two signatures of one party' },
    ])
  })

  it('reports a signature at expiresAt, and accepts one a millisecond before', () => {
    const signedAt = (instant: Date) => contract({ signatures: [{ ...signature(0, 0), signedAt: instant }] })
    expect(endViolations(signedAt(at(60)), 60)).toMatchObject([{ invariant: 'I10', kind: 'broken' }])
    expect(endViolations(signedAt(new Date(at(60).getTime() - 1)), 60)).toEqual([])
  })
})

describe('the checks of deliveries [I8]', () => {
  const delivery = (changed: Partial<DeliveryRow>): DeliveryRow => ({
    id: 1,
    contractId: 'contract-1',
    accountId: 'acc_1',
    partyIndex: 0,
    kind: 'invitation',
    sendNumber: 1,
    state: 'accepted',
    outcome: null,
    attempts: 1,
    createdAt: at(0),
    finishedAt: at(1),
    lapsesAt: at(10),
    isHeld: false,
    now: at(30),
    ...changed,
  })

  it('report two mails of one party, kind and number, which the unique constraint forbids', () => {
    expect(deliveryViolations([delivery({}), delivery({ id: 2 })], 60)).toMatchObject([
      { invariant: 'I8', kind: 'broken' },
    ])
  })

  it('allow the mails of a suspended account to wait [D37]', () => {
    const waiting = { state: 'due', finishedAt: null }
    expect(deliveryViolations([delivery({ ...waiting, isHeld: true })], 60)).toEqual([])
    expect(deliveryViolations([delivery(waiting)], 60)).toMatchObject([{ kind: 'late' }])
  })

  const both = [signature(0, 5), signature(1, 9)]
  it.each<[outcome: string, kind: string, facts: Partial<ContractRow>]>([
    ['contract cancelled', 'invitation', { status: 'cancelled' }],
    ['contract signed', 'invitation', { status: 'signed', signatures: both }],
    ['contract expired', 'invitation', { now: at(60) }],
    ['contract expired', 'invitation', { status: 'signed', signatures: both, now: at(60) }],
    ['party has signed', 'invitation', { signatures: [signature(0, 5)] }],
    ['share link is gone', 'invitation', { now: at(60) }],
    ['party had not signed', 'cancelled', { status: 'cancelled', signatures: [signature(1, 5)] }],
    ['contract erased', 'completed', { status: 'signed', signatures: both, erasedAt: at(20) }],
  ])('allow a mail to be skipped for "%s" (%s) if that reason is true [D24, D46]', (outcome, kind, facts) => {
    expect(skipViolations(contract(facts), [delivery({ state: 'skipped', kind, outcome })])).toEqual([])
  })

  it.each<[outcome: string | null, kind: string, facts: Partial<ContractRow>]>([
    ['unknown contract or party', 'invitation', { status: 'cancelled' }],
    ['unknown contract or party', 'code', { status: 'signed', signatures: both }],
    ['contract signed', 'invitation', {}],
    ['contract cancelled', 'invitation', { status: 'signed', signatures: both }],
    ['contract partially_signed', 'invitation', { status: 'cancelled' }],
    ['contract expired', 'invitation', { now: new Date(at(60).getTime() - 1) }],
    ['party has signed', 'invitation', { signatures: [signature(1, 5)] }],
    ['share link is gone', 'invitation', { status: 'cancelled' }],
    ['party had not signed', 'invitation', { status: 'cancelled' }],
    ['party had not signed', 'expired', { status: 'expired', signatures: [signature(0, 5)] }],
    [null, 'invitation', { status: 'cancelled' }],
    ['contract erased', 'completed', { status: 'signed', signatures: both }],
    ['the copy is gone', 'completed', { status: 'signed', signatures: both }],
    ['same mailbox as a party before', 'completed', { status: 'signed', signatures: both, mailboxes: ['a', 'a'] }],
  ])('report a mail that was skipped for "%s" (%s) if that reason is false', (outcome, kind, facts) => {
    expect(skipViolations(contract(facts), [delivery({ state: 'skipped', kind, outcome })])).toMatchObject([
      { invariant: 'I8', kind: 'broken', subject: 'contract-1' },
    ])
  })

  it('allow that the second of two parties with one mailbox, and no other party, gets no copy [D24]', () => {
    const row = { state: 'skipped', kind: 'completed', outcome: 'same mailbox as a party before' }
    const facts = { status: 'signed', signatures: both, mailboxes: ['jane', 'jane'] }
    expect(skipViolations(contract(facts), [delivery({ ...row, partyIndex: 1 })])).toEqual([])
    expect(skipViolations(contract(facts), [delivery({ ...row, partyIndex: 0 })])).toHaveLength(1)
    expect(
      skipViolations(contract({ ...facts, mailboxes: ['jane', 'ben'] }), [delivery({ ...row, partyIndex: 1 })]),
    ).toHaveLength(1)
  })

  it('allow that the fourth of four parties with one mailbox, and no party before it, is named in another invitation [P24]', () => {
    const row = { state: 'skipped', outcome: 'named in another invitation' }
    const facts = { partyCount: 4, mailboxes: ['jane', 'jane', 'jane', 'jane'] }
    expect(skipViolations(contract(facts), [delivery({ ...row, partyIndex: 3 })])).toEqual([])
    expect(skipViolations(contract(facts), [delivery({ ...row, partyIndex: 2 })])).toHaveLength(1)
  })

  it('do not report the mail of a party that does not exist, which the check of I7 reports', () => {
    const row = { state: 'skipped', outcome: 'unknown contract or party', partyIndex: 2 }
    expect(skipViolations(contract({}), [delivery(row)])).toEqual([])
  })

  it('report no missing invitation of a young contract, or of a contract whose deliveries may be deleted', () => {
    expect(lacksInvitation(contract({ now: at(1) }), [], 90)).toEqual([])
    expect(lacksInvitation(contract({ now: at(2) }), [], 90)).toMatchObject([{ kind: 'late' }])
    expect(lacksInvitation(contract({ now: at(81 * 1_440) }), [], 90)).toEqual([])
  })
})

describe('the checks of sequences [I9]', () => {
  const event = (
    source: PublishedEvent['source'],
    sequence: number,
    changed: Partial<PublishedEvent> = {},
  ): PublishedEvent => ({
    key: 'contract-1',
    source,
    eventId: `event-${sequence}`,
    sequence,
    traceparent: null,
    publishedAt: at(sequence),
    partition: source === 'bus' ? 3 : null,
    isOld: false,
    ...changed,
  })
  const young = {
    aggregate: { id: 'contract-1', version: 2, isYoung: true },
    firstSequence: 1,
    lost: new Set<string>(),
  }
  const outbox = [event('outbox', 1), event('outbox', 2)]

  it('allow copies on the bus, which guarantees at-least-once delivery only', () => {
    const messages = [1, 2, 1, 2, 2].map((sequence) => event('bus', sequence))
    expect(sequenceViolations('contract-1', [...outbox, ...messages], young)).toEqual([])
  })

  it('allow a late copy, and a missing message whose event was published on another bus [D50]', () => {
    const outOfOrder = (...sequences: number[]) =>
      sequenceViolations('c', [...outbox, ...sequences.map((sequence) => event('bus', sequence))], young)
    expect(outOfOrder(1, 2, 1)).toEqual([])
    expect(outOfOrder(2, 1, 2)).toMatchObject([{ fault: 'has messages out of order on the bus' }])
    const three = { ...young, aggregate: { ...young.aggregate, version: 3 } }
    expect(
      sequenceViolations('c', [...outbox, event('outbox', 3), ...[1, 3].map((n) => event('bus', n))], three),
    ).toEqual([])
  })

  it('allow an event that is not published yet, and a message that outlives its outbox row', () => {
    expect(
      sequenceViolations('c', [event('outbox', 1), event('outbox', 2, { publishedAt: null }), event('bus', 1)], young),
    ).toEqual([])
    const old = { ...young, aggregate: { id: 'c', version: 2, isYoung: false } }
    expect(
      sequenceViolations('c', [event('outbox', 2), event('bus', 1, { isOld: true }), event('bus', 2)], old),
    ).toEqual([])
  })

  it.each<[string, PublishedEvent[], string]>([
    ['two messages in the wrong order', [...outbox, event('bus', 2), event('bus', 1)], 'out of order'],
    ['two partitions', [...outbox, event('bus', 1), event('bus', 2, { partition: 4 })], 'two partitions'],
    [
      'a later event that was published first',
      [event('outbox', 1, { publishedAt: null }), event('outbox', 2)],
      'unpublished event before',
    ],
    ['a first event that is missing', [event('outbox', 2), event('bus', 2)], 'lacks its first event'],
    [
      'a message with another trace than its event',
      [event('outbox', 1, { traceparent: 'a' }), event('outbox', 2), event('bus', 1), event('bus', 2)],
      'trace differs',
    ],
  ])('report %s', (_, rows, part) => {
    expect(sequenceViolations('c', rows, young).map(({ fault }) => fault)).toEqual([expect.stringContaining(part)])
  })
})

describe('the times of the embedded bus [D50]', () => {
  const stepOf = (minutes: number) => at(minutes).getTime() / 10_000
  const times = busTimesOf({ steps: new Set([stepOf(0), stepOf(10)]), keptDays: 1, now: at(1_500) })

  it('require no message that the bus may have pruned or may prune within an hour', () => {
    expect([0, 119, 121, 1_500].map((minutes) => times.isPast(at(minutes)))).toEqual([true, true, false, false])
  })

  it('count the bus as silent unless it stored a message in the same or the previous ten-second step', () => {
    expect([-1, 0, 0.3, 0.4, 5, 10].map((minutes) => times.wasSilent(at(minutes)))).toEqual([
      true,
      false,
      false,
      true,
      true,
      false,
    ])
  })
})

describe('the check of evidence [D30]', () => {
  it('reports a missing chain of a new contract as late and not as broken', () => {
    expect(chainViolations(undefined, [], [])).toEqual([])
    expect(lacking(undefined, [], contract({}))).toEqual(['has no evidence chain'])
  })

  it.each([
    ['hash', { hash: '0'.repeat(64) }],
    ['number', { seq: 2 }],
  ])('reports a chain if only its stored %s differs from its last line [I5]', (_, changed) => {
    const type = 'contract.created'
    const line = JSON.stringify({ at: at(0).toISOString(), data: {}, prev: '0'.repeat(64), seq: 1, type })
    const hash = createHash('sha256').update(line).digest('hex')
    const chain = { contractId: 'contract-1', seq: 1, hash, closedAt: null, isSealed: false }
    const entries = [{ contractId: 'contract-1', seq: 1, type, line }]
    expect(chainViolations(chain, entries, [])).toEqual([])
    expect(chainViolations({ ...chain, ...changed }, entries, [])).toEqual([
      'has a chain whose newest hash or number differs from its last line',
    ])
  })

  it('reports entries without a chain as broken', () => {
    const entry = { contractId: 'contract-1', seq: 1, type: 'contract.created', line: '{}' }
    expect(chainViolations(undefined, [entry], [])).toEqual(['has evidence without a chain'])
  })
})
