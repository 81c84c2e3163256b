import { expect, it } from '@jest/globals'
import { readEvent } from './event-reader.js'

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
  expect(readEvent(JSON.stringify(envelope))).toEqual({
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
    const reading = readEvent(value)
    expect(reading.kind).toBe('unreadable')
    expect(JSON.stringify(reading)).not.toContain('secret')
  }
})

it('the event reader does not accept an inherited property name as an event type', () => {
  expect(readEvent(JSON.stringify({ ...envelope, type: 'constructor' }))).toEqual({
    kind: 'unknown_type',
    type: 'constructor',
  })
})
