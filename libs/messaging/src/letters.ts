// A batch of messages, read: which of them are events to handle and which can only be kept as dead letters. Pure. [F11]
import type { ReceivedMessage } from './event-bus.js'
import { readEvent, type Reading } from './event-reader.js'

type Read<Kind extends Reading['kind']> = Extract<Reading, { kind: Kind }>

export interface EventLetter {
  message: ReceivedMessage
  reading: Read<'event'>
}

export type Letter = EventLetter | { message: ReceivedMessage; reading: Read<'unreadable'> }

export const isEvent = (letter: Letter): letter is EventLetter => letter.reading.kind === 'event'

/** In the order of the messages. @param onUnknown told of each event of a type this version does not know; it is no letter */
export function readLetters(
  messages: readonly ReceivedMessage[],
  onUnknown: (message: ReceivedMessage, type: string) => void,
): Letter[] {
  return messages.flatMap((message): Letter[] => {
    const reading = readEvent(message.value)
    switch (reading.kind) {
      case 'event':
        return [{ message, reading }]
      case 'unreadable':
        return [{ message, reading }]
      case 'unknown_type':
        onUnknown(message, reading.type)
        return []
      default:
        return reading satisfies never
    }
  })
}
