// Splits a batch into events to handle and messages that can only become dead letters. Pure. [F11]
import type { ReceivedMessage } from './event-bus.js'
import { readEvent, type Reading } from './event-reader.js'

type Read<Kind extends Reading['kind']> = Extract<Reading, { kind: Kind }>

export interface EventMessage {
  message: ReceivedMessage
  reading: Read<'event'>
}

export type ParsedMessage = EventMessage | { message: ReceivedMessage; reading: Read<'unreadable'> }

export const isEvent = (parsed: ParsedMessage): parsed is EventMessage => parsed.reading.kind === 'event'

/** In the order of `messages`. @param onUnknown called for each event of a type that this version does not know; the result omits it */
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
