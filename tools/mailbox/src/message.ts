// Parses one e-mail: addresses, texts, attachments, the original headers. The only importer of postal-mime.
import PostalMime, { type Address } from 'postal-mime'

const SNIPPET_CHARACTERS = 250

export interface MailAddress {
  name: string
  address: string
}

interface Attachment {
  /** Identifies the part within its message. */
  partId: string
  fileName: string
  contentType: string
  contentId: string
  isInline: boolean
  bytes: Buffer
}

export interface ParsedMessage {
  messageId: string
  from: MailAddress
  to: MailAddress[]
  cc: MailAddress[]
  replyTo: MailAddress[]
  subject: string
  /** The message's own date, ISO 8601 UTC; undefined without one. */
  sentAt: string | undefined
  text: string
  html: string
  /** The first words, for a list. */
  snippet: string
  headers: { name: string; value: string }[]
  attachments: Attachment[]
}

/** Parses a raw message. Missing parts are empty: the mailbox shows broken mail too. */
export async function parseMessage(raw: Buffer): Promise<ParsedMessage> {
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'arraybuffer' })
  const [from = { name: '', address: '' }] = flatten(mail.from ? [mail.from] : [])
  const text = mail.text ?? ''
  const html = mail.html ?? ''
  return {
    messageId: (mail.messageId ?? '').replace(/^<|>$/g, ''),
    from,
    to: flatten(mail.to),
    cc: flatten(mail.cc),
    replyTo: flatten(mail.replyTo),
    subject: mail.subject ?? '',
    sentAt: instantOf(mail.date),
    text,
    html,
    snippet: snippetOf(text || textOf(html)),
    headers: mail.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    attachments: mail.attachments.map((part, at) => ({
      partId: String(at + 1),
      fileName: part.filename ?? `part-${at + 1}`,
      contentType: part.mimeType,
      contentId: (part.contentId ?? '').replace(/^<|>$/g, ''),
      isInline: part.disposition === 'inline' || part.related === true,
      bytes: Buffer.from(part.content as ArrayBuffer),
    })),
  }
}

// A group such as `undisclosed-recipients:;` holds its members one level down.
function flatten(addresses: readonly Address[] = []): MailAddress[] {
  return addresses.flatMap((each) =>
    each.group ? flatten(each.group) : [{ name: each.name, address: each.address ?? '' }],
  )
}

function instantOf(date: string | undefined): string | undefined {
  const time = date === undefined ? NaN : Date.parse(date)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

function textOf(html: string): string {
  return html.replace(/<(style|title)\b[^]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ')
}

function snippetOf(text: string): string {
  return [...text.replace(/\s+/g, ' ').trim()].slice(0, SNIPPET_CHARACTERS).join('')
}
