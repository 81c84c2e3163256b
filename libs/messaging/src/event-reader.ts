// Reads the values of bus messages, which are untrusted input. Pure. [CloudEvents 1.0, F11]
import { envelopeSchema, readEventData, type Envelope } from '@paraph/protocol/events'
import type { ReceivedMessage } from './event-bus.js'

/** An event of a known type with validated data, and the fields of the envelope that a handler may need. */
export type ReceivedEvent = NonNullable<ReturnType<typeof readEventData>> &
  Pick<Envelope, 'id' | 'subject' | 'sequence' | 'time'>

type Reading =
  | { kind: 'event'; event: ReceivedEvent; traceparent: string | undefined }
  | { kind: 'unknown_type'; type: string }
  | { kind: 'unreadable'; reason: string }

interface MessageOf<Kind extends Reading['kind']> {
  message: ReceivedMessage
  reading: Extract<Reading, { kind: Kind }>
}
export type EventMessage = MessageOf<'event'>
type ParsedMessage = EventMessage | MessageOf<'unreadable'>

export const isEvent = (parsed: ParsedMessage): parsed is EventMessage => parsed.reading.kind === 'event'

/**
 * Splits a batch into events to handle and messages that can only become dead letters, in the order of `messages`.
 * @param onUnknown called for each event of a type that this version does not know; the result omits it
 */
export function parseMessages(
  messages: readonly ReceivedMessage[],
  onUnknown: (message: ReceivedMessage, type: string) => void,
): ParsedMessage[] {
  return messages.flatMap((message): ParsedMessage[] => {
    const reading = readEvent(message.value)
    if (reading.kind === 'event') return [{ message, reading }]
    if (reading.kind === 'unreadable') return [{ message, reading }]
    onUnknown(message, reading.type)
    return []
  })
}

/** Never throws: an unreadable value is a result. */
export function readEvent(value: string | null): Reading {
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
  const { id, type, subject, sequence, time, traceparent } = envelope.data
  try {
    const known = readEventData(envelope.data)
    if (!known) return { kind: 'unknown_type', type }
    return { kind: 'event', event: { ...known, id, subject, sequence, time }, traceparent }
  } catch (error) {
    const issues = (error as { issues?: { path: PropertyKey[] }[] }).issues ?? []
    return unreadable(`The data of ${type} do not fit its schema: ${pathsOf(issues)}.`)
  }
}

/** The paths that do not fit the schema, never their values. */
function pathsOf(issues: { path: PropertyKey[] }[]): string {
  return [...new Set(issues.map((issue) => issue.path.map(String).join('.') || 'the whole'))].slice(0, 5).join(', ')
}
