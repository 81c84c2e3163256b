// Parses one e-mail: addresses, texts, attachments, the original headers. The only importer of postal-mime.
import PostalMime, { type Address } from 'postal-mime'

const SNIPPET_CHARACTERS = 250

export interface MailAddress {
  name: string
  address: string
}

export type ParsedMessage = Awaited<ReturnType<typeof parseMessage>>

/** Parses a raw message. Missing parts are empty: the mailbox shows broken mail too. */
export async function parseMessage(raw: Buffer) {
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'arraybuffer' })
  const { text = '', html = '' } = mail
  const [from = { name: '', address: '' }] = flatten(mail.from && [mail.from])
  const sentAtMs = Date.parse(mail.date ?? '')
  return {
    messageId: withoutBrackets(mail.messageId),
    from,
    to: flatten(mail.to),
    cc: flatten(mail.cc),
    replyTo: flatten(mail.replyTo),
    subject: mail.subject ?? '',
    /** The message's own date, ISO 8601 UTC; undefined without one. */
    sentAt: Number.isNaN(sentAtMs) ? undefined : new Date(sentAtMs).toISOString(),
    text,
    html,
    /** The first words, for a list. */
    snippet: snippetOf(text || textOf(html)),
    headers: mail.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    attachments: mail.attachments.map((part, at) => ({
      /** Identifies the part within its message. */
      partId: String(at + 1),
      fileName: part.filename ?? `part-${at + 1}`,
      contentType: part.mimeType,
      contentId: withoutBrackets(part.contentId),
      isInline: part.disposition === 'inline' || part.related === true,
      bytes: Buffer.from(part.content as ArrayBuffer),
    })),
  }
}

// A group such as `undisclosed-recipients:;` contains its members one level down.
function flatten(addresses: readonly Address[] = []): MailAddress[] {
  return addresses.flatMap((each) =>
    each.group ? flatten(each.group) : [{ name: each.name, address: each.address ?? '' }],
  )
}

const withoutBrackets = (id = ''): string => id.replace(/^<|>$/g, '')

const textOf = (html: string): string => html.replace(/<(style|title)\b[^]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ')

const snippetOf = (text: string): string => [...text.replace(/\s+/g, ' ').trim()].slice(0, SNIPPET_CHARACTERS).join('')
