// Stores the newest messages across restarts: `<id>.eml` is the original, `<id>.json` its summary. [local-stack: the mailbox]
// Owns: the files and their order. Does not own: SMTP, and Mailpit's representation of a message (api.ts).
import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readJsonFile, writePrivateFile } from '@paraph/config/private-file'
import { parseMessage, type ParsedMessage } from './message.js'

const MESSAGES_MAX = 1_000
/** An id begins with the milliseconds of the arrival, in base 36. */
const TIME_CHARACTERS = 9

const addressSchema = z.object({ name: z.string(), address: z.string() })

const summarySchema = z.object({
  id: z.string(),
  messageId: z.string(),
  from: addressSchema,
  to: z.array(addressSchema),
  cc: z.array(addressSchema),
  /** Recipients of the SMTP envelope that are not in the headers. */
  bcc: z.array(addressSchema),
  replyTo: z.array(addressSchema),
  subject: z.string(),
  /** Time of arrival, ISO 8601 UTC. */
  receivedAt: z.string(),
  sizeBytes: z.int(),
  snippet: z.string(),
  attachments: z.int(),
  isRead: z.boolean(),
})

export type MessageSummary = z.infer<typeof summarySchema>

export interface StoredMessage {
  summary: MessageSummary
  content: ParsedMessage
}

/** Opens the mailbox in `folder` with the messages of earlier runs. */
export async function openMailStore(
  folder: string,
  { messagesMax = MESSAGES_MAX, now = () => new Date() }: { messagesMax?: number; now?: () => Date } = {},
) {
  // Oldest first: ids sort by arrival.
  const summaries = await readSummaries(folder)
  let last = [...summaries.keys()].at(-1) ?? ''
  await dropOldest()

  const emlPath = (id: string) => join(folder, `${id}.eml`)
  const summaryPath = (id: string) => join(folder, `${id}.json`)

  /** An id greater than every other, even when the clock was set back. */
  function nextId(at: Date): string {
    const time = at.getTime().toString(36).padStart(TIME_CHARACTERS, '0')
    const lastTime = last.slice(0, TIME_CHARACTERS)
    const isLater = time > lastTime
    const count = isLater ? 0 : parseInt(last.slice(TIME_CHARACTERS, TIME_CHARACTERS + 4), 36) + 1
    last = `${isLater ? time : lastTime}${count.toString(36).padStart(4, '0')}${randomBytes(5).toString('hex')}`
    return last
  }

  async function remove(id: string): Promise<void> {
    // Deletes the summary first: a message without a summary does not exist.
    if (!summaries.delete(id)) return
    await rm(summaryPath(id), { force: true })
    await rm(emlPath(id), { force: true })
  }

  async function dropOldest(): Promise<void> {
    const tooMany = [...summaries.keys()].slice(0, Math.max(0, summaries.size - messagesMax))
    for (const id of tooMany) await remove(id)
  }

  return {
    /** Stores a message and resolves when it is on disk. `recipients` are those of the SMTP envelope. */
    async add(raw: Buffer, recipients: readonly string[]): Promise<MessageSummary> {
      const content = await parseMessage(raw)
      const at = now()
      const arrival = { id: nextId(at), receivedAt: at.toISOString(), sizeBytes: raw.length }
      const summary = summaryOf(content, recipients, arrival)
      await writeFile(emlPath(summary.id), raw, { mode: 0o600 })
      await writePrivateFile(summaryPath(summary.id), JSON.stringify(summary))
      summaries.set(summary.id, summary)
      await dropOldest()
      return summary
    },
    /** Every message, newest first. */
    list: (): MessageSummary[] => [...summaries.values()].reverse(),
    unread: (): number => [...summaries.values()].filter(({ isRead }) => !isRead).length,
    /** One message with its parts, or undefined. */
    async get(id: string): Promise<StoredMessage | undefined> {
      const summary = summaries.get(id)
      return summary && { summary, content: await parseMessage(await readFile(emlPath(id))) }
    },
    /** The original text of one message, or undefined. */
    raw: async (id: string): Promise<Buffer | undefined> => (summaries.has(id) ? readFile(emlPath(id)) : undefined),
    async markRead(id: string): Promise<void> {
      const summary = summaries.get(id)
      if (!summary || summary.isRead) return
      summary.isRead = true
      await writePrivateFile(summaryPath(id), JSON.stringify(summary))
    },
    /** Removes the named messages, or all. */
    async clear(ids: readonly string[] = [...summaries.keys()]): Promise<void> {
      for (const id of ids) await remove(id)
    },
  }
}

export type MailStore = Awaited<ReturnType<typeof openMailStore>>

function summaryOf(
  content: ParsedMessage,
  recipients: readonly string[],
  arrival: Pick<MessageSummary, 'id' | 'receivedAt' | 'sizeBytes'>,
): MessageSummary {
  const named = new Set([...content.to, ...content.cc].map(({ address }) => address.toLowerCase()))
  const hidden = recipients.filter((address) => !named.has(address.toLowerCase()))
  const bcc = hidden.map((address) => ({ name: '', address }))
  return summarySchema.parse({ ...content, ...arrival, bcc, attachments: content.attachments.length, isRead: false })
}

/** Rebuilds a summary whose file is broken, as after a power loss. Loses the recipients that are only in the envelope. */
async function readAgain(folder: string, id: string): Promise<MessageSummary | undefined> {
  const receivedAt = new Date(parseInt(id.slice(0, TIME_CHARACTERS), 36))
  const raw = await readFile(join(folder, `${id}.eml`))
  if (raw.length === 0 || Number.isNaN(receivedAt.getTime())) return undefined
  const content = await parseMessage(raw).catch(() => undefined)
  if (!content) return undefined
  const summary = summaryOf(content, [], { id, receivedAt: receivedAt.toISOString(), sizeBytes: raw.length })
  await writePrivateFile(join(folder, `${id}.json`), JSON.stringify(summary))
  return summary
}

async function readSummaries(folder: string): Promise<Map<string, MessageSummary>> {
  const names = (await readdir(folder)).sort()
  const present = new Set(names)
  const summaries = new Map<string, MessageSummary>()
  for (const name of names.filter((each) => each.endsWith('.json'))) {
    const id = name.slice(0, -'.json'.length)
    if (!present.has(`${id}.eml`)) continue
    const kept = summarySchema.safeParse(await readJsonFile(join(folder, `${id}.json`)).catch(() => undefined))
    const summary = kept.success && kept.data.id === id ? kept.data : await readAgain(folder, id)
    if (summary) summaries.set(id, summary)
  }
  // A killed process may leave one file of a message without the other, or drafts of either.
  const half = names.filter((name) => !summaries.has(name.replace(/\.(eml|json)$/, '')))
  await Promise.all(half.map((name) => rm(join(folder, name), { force: true })))
  return summaries
}
