// Reads bus messages, which are untrusted input. An event belongs to its topic, source and key: otherwise the right to write to one topic
// would be the right to publish every event. Pure. [CloudEvents 1.0, F11, F33]
import { envelopeSchema, readEventData, SOURCES, TOPICS, type Envelope, type Topic } from '@paraph/protocol/events'
import type { ReceivedMessage } from './event-bus.js'

/** An event of a known type with validated data, and the fields of the envelope that a handler may need. */
export type ReceivedEvent = NonNullable<ReturnType<typeof readEventData>> &
  Pick<Envelope, 'id' | 'subject' | 'sequence' | 'time'>

type Reading =
  | { kind: 'event'; event: ReceivedEvent; traceparent: string | undefined }
  | { kind: 'unknown_type'; type: string }
  | { kind: 'unreadable'; reason: string }

interface ParsedMessage {
  message: ReceivedMessage
  reading: Reading
}
export type EventMessage = ParsedMessage & { reading: { kind: 'event' } }

export const parseMessage = (message: ReceivedMessage): ParsedMessage => ({ message, reading: readEvent(message) })
export const isEvent = (parsed: ParsedMessage): parsed is EventMessage => parsed.reading.kind === 'event'

/** Never throws: returns a reading of the kind `unreadable` instead. */
export function readEvent({ topic, key, value }: Pick<ReceivedMessage, 'topic' | 'key' | 'value'>): Reading {
  const unreadable = (reason: string) => ({ kind: 'unreadable', reason }) as const
  if (value === null) return unreadable('The message has no value.')
  let json: unknown
  try {
    json = JSON.parse(value)
  } catch {
    return unreadable('The value is not JSON.')
  }
  const envelope = envelopeSchema.safeParse(json)
  if (!envelope.success)
    return unreadable(`The value is not an envelope of this version: ${pathsOf(envelope.error.issues)}.`)
  const { id, type, source, subject, sequence, time, traceparent } = envelope.data
  try {
    const known = readEventData(envelope.data)
    if (!known) return { kind: 'unknown_type', type }
    if (!isOfTopic(known.type, topic)) return unreadable(`${type} is not an event of this topic.`)
    if (source !== SOURCES[topic]) return unreadable('The source is not the publisher of this topic.')
    const aggregate = 'contractId' in known.data ? known.data.contractId : known.data.accountId
    if (subject !== aggregate || key !== aggregate)
      return unreadable('The subject, the key and the data name different aggregates.')
    return { kind: 'event', event: { ...known, id, subject, sequence, time }, traceparent }
  } catch (error) {
    const issues = (error as { issues?: { path: PropertyKey[] }[] }).issues ?? []
    return unreadable(`The data of ${type} do not fit its schema: ${pathsOf(issues)}.`)
  }
}

const isOfTopic = (type: string, topic: string): topic is Topic =>
  Object.hasOwn(TOPICS, topic) && (TOPICS[topic as Topic] as readonly string[]).includes(type)

/** The paths that do not fit the schema, never their values. */
function pathsOf(issues: { path: PropertyKey[] }[]): string {
  return [...new Set(issues.map((issue) => issue.path.map(String).join('.') || 'the whole'))].slice(0, 5).join(', ')
}
