import { expect, it } from '@jest/globals'
import { readEvent } from './event-reader.js'

const PLACE = { topic: 'contract.events.v1', key: 'contract-1' }
const read = (value: unknown, place = PLACE) =>
  readEvent({ ...place, value: typeof value === 'string' ? value : JSON.stringify(value) })

const envelope = {
  specversion: '1.0',
  id: 'e1',
  source: '/contract',
  type: 'contract.expired',
  subject: 'contract-1',
  time: '2026-11-20T14:03:00.000Z',
  datacontenttype: 'application/json',
  sequence: '4',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  data: { contractId: 'contract-1', accountId: 'a', environment: 'sandbox', at: '2026-11-20T14:03:00.000Z' },
}

it('the event reader reads an event of a known type with its trace [D51]', () => {
  expect(read(envelope)).toEqual({
    kind: 'event',
    traceparent: envelope.traceparent,
    event: {
      id: 'e1',
      subject: 'contract-1',
      sequence: '4',
      time: envelope.time,
      type: envelope.type,
      data: envelope.data,
    },
  })
})

it('the event reader never repeats a value in the reason why a message is unreadable [I14]', () => {
  for (const value of [
    'secret@example.test',
    JSON.stringify({ ...envelope, id: { 'secret@example.test': 1 } }),
    JSON.stringify({ ...envelope, data: { ...envelope.data, environment: 'secret@example.test' } }),
  ]) {
    const reading = read(value)
    expect(reading.kind).toBe('unreadable')
    expect(JSON.stringify(reading)).not.toContain('secret')
  }
})

it('the event reader does not accept an inherited property name as an event type', () => {
  expect(read({ ...envelope, type: 'constructor' })).toEqual({ kind: 'unknown_type', type: 'constructor' })
})

const suspended = {
  ...envelope,
  source: '/gateway',
  type: 'account.suspended',
  subject: 'a',
  data: { accountId: 'a', at: envelope.time },
}
const signed = {
  ...envelope,
  type: 'contract.party_signed',
  data: {
    contractId: 'contract-1',
    accountId: 'a',
    environment: 'sandbox',
    partyIndex: 0,
    attemptId: '0f8fad5b-d9cb-469f-a165-70867728950e',
    signedAt: envelope.time,
    signed: 1,
    total: 2,
  },
}
const created = {
  ...envelope,
  type: 'contract.created',
  data: { ...envelope.data, partyCount: 2, createdAt: envelope.time, expiresAt: envelope.time },
}

it.each<[what: string, value: object, place?: typeof PLACE]>([
  ['a type of another topic', suspended, { topic: 'signing.events.v1', key: 'a' }],
  [
    'a contract’s event on the topic of accounts',
    { ...signed, source: '/gateway' },
    { topic: 'account.events.v1', key: 'contract-1' },
  ],
  ['a topic that no service publishes', envelope, { topic: 'constructor', key: 'contract-1' }],
  ['the source of another service', { ...envelope, source: '/signing' }],
  ['the key of another contract', envelope, { ...PLACE, key: 'contract-2' }],
  ['the subject of another contract', { ...envelope, subject: 'contract-2' }],
  ['the data of another contract', { ...envelope, data: { ...envelope.data, contractId: 'contract-2' } }],
  ['a sequence that is no safe integer', { ...envelope, sequence: '9999999999999999' }],
  ['an attempt that is no UUID', { ...signed, data: { ...signed.data, attemptId: '1; drop' } }],
  ['a party beyond the fiftieth', { ...signed, data: { ...signed.data, partyIndex: 50 } }],
  ['more than fifty parties', { ...created, data: { ...created.data, partyCount: 51 } }],
  ['fewer than two parties', { ...created, data: { ...created.data, partyCount: 1 } }],
])('an event with %s is unreadable [F33]', (_, value, place = PLACE) => {
  expect(read(value, place).kind).toBe('unreadable')
})

it.each<[type: string, value: object, place?: typeof PLACE]>([
  ['contract.created', created],
  ['contract.party_signed', signed],
  ['account.suspended', suspended, { topic: 'account.events.v1', key: 'a' }],
])('%s is readable on its topic, from its source and with its key [F33]', (_, value, place = PLACE) => {
  expect(read(value, place).kind).toBe('event')
})
