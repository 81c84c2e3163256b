// The search language of the mailbox, a part of Mailpit's: `to:"a@b.c" subject:code word`. Pure.
import type { MailAddress } from './message.js'
import type { MessageSummary } from './store.js'

const TERM = /(?:(to|from|subject|message-id):)?(?:"([^"]*)"|(\S+))/gi

/** True when a message matches every term of `query`. A term matches a part of its field, ignoring case. */
export function matches(message: MessageSummary, query: string): boolean {
  for (const [, field = '', quoted, bare = ''] of query.matchAll(TERM)) {
    const wanted = (quoted ?? bare).toLowerCase()
    if (!fieldsOf(message, field.toLowerCase()).some((text) => text.toLowerCase().includes(wanted))) return false
  }
  return true
}

function fieldsOf(message: MessageSummary, field: string): string[] {
  const people = (addresses: readonly MailAddress[]) => addresses.map(({ name, address }) => `${name} <${address}>`)
  switch (field) {
    case 'to':
      return people(message.to)
    case 'from':
      return people([message.from])
    case 'subject':
      return [message.subject]
    case 'message-id':
      return [message.messageId]
    default:
      return [message.subject, message.snippet, ...people([message.from, ...message.to, ...message.cc, ...message.bcc])]
  }
}
