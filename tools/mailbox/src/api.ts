// The part of Mailpit's JSON API that tests and scripts use, so that they also run against Mailpit in compose.
// Field names and shapes are Mailpit's. [local-stack: the mailbox]
import type { Context, Middleware } from 'koa'
import { z } from 'zod'
import { DomainError } from '@paraph/protocol/errors'
import { parseJsonObject, readBody } from '@paraph/http/json-body'
import type { MailAddress } from './message.js'
import type { MailStore, MessageSummary, StoredMessage } from './store.js'

const LIMIT_DEFAULT = 50
const BODY_BYTES_MAX = 262_144
/** A term of a search. Supports a part of Mailpit's language, such as `to:"a@b.c" subject:code word`. */
const TERM = /(?:(to|from|subject|message-id):)?(?:"([^"]*)"|(\S+))/gi

/** Serves every path below `/api/v1/`. */
export function mailboxApi(store: MailStore): Middleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/api/v1/')) return next()
    const [resource = '', id = '', ...rest] = ctx.path.slice('/api/v1/'.length).split('/')
    const route = `${ctx.method} ${resource}`
    if (route === 'GET messages' && id === '') return list(ctx, store, '')
    if (route === 'GET search' && id === '') return list(ctx, store, parameterOf(ctx, 'query') ?? '')
    if (route === 'DELETE messages' && id === '') {
      await store.clear(await idsToDelete(ctx))
      ctx.body = 'ok'
      return
    }
    if (route === 'GET message') return answerMessage(ctx, store, id, rest)
    throw notFound()
  }
}

async function answerMessage(ctx: Context, store: MailStore, idOrLatest: string, rest: string[]): Promise<void> {
  const id = idOrLatest === 'latest' ? (store.list()[0]?.id ?? '') : idOrLatest
  const message = await store.get(id)
  if (!message) throw notFound()
  const [view, partId] = rest
  if (view === undefined) {
    await store.markRead(id)
    ctx.body = detailOf(message)
  } else if (view === 'raw' && rest.length === 1) {
    ctx.type = 'text/plain; charset=utf-8'
    ctx.body = await store.raw(id)
  } else if (view === 'headers' && rest.length === 1) {
    ctx.body = headersOf(message)
  } else if (view === 'part' && rest.length === 2) {
    const part = message.content.attachments.find((each) => each.partId === partId)
    if (!part) throw notFound()
    ctx.attachment(part.fileName)
    // After attachment(), which guesses the type from the name.
    ctx.set('Content-Type', part.contentType)
    ctx.body = part.bytes
  } else throw notFound()
}

function list(ctx: Context, store: MailStore, query: string): void {
  const all = store.list()
  const found = all.filter((message) => matches(message, query))
  const start = numberOf(ctx, 'start', 0)
  const page = found.slice(start, start + numberOf(ctx, 'limit', LIMIT_DEFAULT))
  ctx.body = {
    total: all.length,
    unread: store.unread(),
    count: page.length,
    messages_count: found.length,
    start,
    tags: [],
    messages: page.map(summaryOf),
  }
}

const person = ({ name, address }: MailAddress) => ({ Name: name, Address: address })

function summaryOf(message: MessageSummary) {
  return {
    ID: message.id,
    MessageID: message.messageId,
    Read: message.isRead,
    From: person(message.from),
    To: message.to.map(person),
    Cc: message.cc.map(person),
    Bcc: message.bcc.map(person),
    ReplyTo: message.replyTo.map(person),
    Subject: message.subject,
    Created: message.receivedAt,
    Tags: [],
    Size: message.sizeBytes,
    Attachments: message.attachments,
    Snippet: message.snippet,
  }
}

function detailOf({ summary, content }: StoredMessage) {
  const { Read: _read, Attachments: _count, Created: _created, Snippet: _snippet, ...shared } = summaryOf(summary)
  const parts = (isInline: boolean) =>
    content.attachments
      .filter((part) => part.isInline === isInline)
      .map((part) => ({
        PartID: part.partId,
        FileName: part.fileName,
        ContentType: part.contentType,
        ContentID: part.contentId,
        Size: part.bytes.length,
      }))
  return {
    ...shared,
    ReturnPath: '',
    Date: content.sentAt ?? summary.receivedAt,
    Text: content.text,
    HTML: content.html,
    Inline: parts(true),
    Attachments: parts(false),
  }
}

function headersOf({ content }: StoredMessage): Record<string, string[]> {
  const headers: Record<string, string[]> = {}
  for (const { name, value } of content.headers) (headers[name] ??= []).push(value)
  return headers
}

/** The ids in the body. Undefined without ids: then, as in Mailpit, the call deletes all messages. */
async function idsToDelete(ctx: Context): Promise<string[] | undefined> {
  const bytes = await readBody(ctx.req, BODY_BYTES_MAX)
  if (bytes.length === 0) return undefined
  const body = z.object({ IDs: z.array(z.string()).nullish() }).safeParse(parseJsonObject(bytes))
  if (!body.success) throw new DomainError('invalid_request', 'Send {"IDs": ["…"]}, or no body to empty the mailbox.')
  return body.data.IDs?.length ? body.data.IDs : undefined
}

/** True when a message matches every term of `query`. A term matches a part of its field, ignoring case. */
function matches(message: MessageSummary, query: string): boolean {
  return [...query.matchAll(TERM)].every(([, field = '', quoted, bare = '']) => {
    const wanted = (quoted ?? bare).toLowerCase()
    return fieldsOf(message, field.toLowerCase()).some((text) => text.toLowerCase().includes(wanted))
  })
}

function fieldsOf({ from, to, cc, bcc, subject, snippet, messageId }: MessageSummary, field: string): string[] {
  const people = (...addresses: MailAddress[]) => addresses.map(({ name, address }) => `${name} <${address}>`)
  if (field === 'to') return people(...to)
  if (field === 'from') return people(from)
  if (field === 'subject') return [subject]
  if (field === 'message-id') return [messageId]
  return [subject, snippet, ...people(from, ...to, ...cc, ...bcc)]
}

const parameterOf = (ctx: Context, name: string): string | null => new URLSearchParams(ctx.querystring).get(name)

function numberOf(ctx: Context, name: string, otherwise: number): number {
  const text = parameterOf(ctx, name) ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : otherwise
}

const notFound = () => new DomainError('not_found', 'There is no such message or address in this mailbox.')
