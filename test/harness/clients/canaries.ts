// Searches all tables and files for canaries: unique values of a test, in plain text and in common encodings.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { withClient } from '@paraph/database/provision'
import { DATABASES, databaseUrlOf, type Database, type RunningStack } from '../stack/local-stack.js'
import { until } from '../until.js'

/** Runs `work` on a connection to one of the databases, as the superuser. */
export async function inDatabase<T>(
  { stack }: RunningStack,
  name: Database,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  return withClient(databaseUrlOf(stack, name), work)
}

/** @returns the rows by `database.table`, and the values by `database.table.column`; binary values as hex */
export async function dump(running: RunningStack): Promise<Map<string, string[]>> {
  const columns = new Map<string, string[]>()
  for (const database of DATABASES) {
    await inDatabase(running, database, async (client) => {
      const { rows } = await client.query<{ name: string; schema: string; of: string }>(`
        select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as of, n.nspname as schema, c.relname as name
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema') order by 1`)
      for (const table of rows) {
        const { rows: found } = await client.query<{ row: Record<string, unknown> }>(
          // Excludes the last use of a key, which the gateway records up to a minute after the call.
          `select to_jsonb(t) - 'last_used_at' as row from ${table.of} t order by 1`,
        )
        columns.set(
          `${database}.${table.name}`,
          found.map(({ row }) => JSON.stringify(row)),
        )
        for (const [column, value] of found.flatMap(({ row }) => Object.entries(row))) {
          const key = `${database}.${table.name}.${column}`
          const text = typeof value === 'string' ? value : JSON.stringify(value)
          columns.set(key, [...(columns.get(key) ?? []), text])
        }
      }
    })
  }
  return columns
}

/** Matches a value: plain, percent-encoded, in JSON, hex, base64 (at 3 byte offsets); a one-time code also as a hash without a key. */
export function writtenForms(name: string, value: string): RegExp {
  const bytes = Buffer.from(value)
  const base64 = [0, 1, 2].map((phase) => {
    const encoded = Buffer.concat([Buffer.alloc(phase), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    // Removes the first and last characters, which also encode bits of the bytes around the value.
    return encoded.slice([0, 2, 3][phase], (bytes.length + phase) % 3 === 0 ? undefined : -1)
  })
  const forms = [encodeURIComponent(value), JSON.stringify(value).slice(1, -1), bytes.toString('hex')]
  forms.push(...base64, ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')))
  // An attacker can hash all million codes, so a hash without a key does not hide a code.
  if (name === 'one-time code')
    forms.push(...['sha256', 'sha1', 'md5'].map((hash) => createHash(hash).update(value).digest('hex')))
  // The six digits of a code may occur by chance in a time or an id, so only a separate number matches.
  const plain = name === 'one-time code' ? `(?<![0-9a-f])${value}(?![0-9a-f])` : escaped(value)
  const others = forms.filter((form) => form !== value)
  return new RegExp([plain, ...others.map(escaped)].join('|'), 'i')
}

/** The text around a match, to show where the value occurs. */
export const around = (found: RegExpExecArray | null): string[] =>
  found ? [found.input.slice(Math.max(0, found.index - 80), found.index + 80)] : []

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

/** The text of every file below `folder`, by path. Omits files that a running database deletes during the search. */
export async function filesBelow(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = new Map<string, string>()
  for (const entry of names.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const text = await readFile(path, 'latin1').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return undefined
    })
    if (text !== undefined) files.set(path, text)
  }
  return files
}

/**
 * Queries that return a row per pending piece of work, in the order in which one kind of work causes the next. Once the result of a
 * query is empty, it stays empty while no client sends calls.
 */
const PENDING_WORK: readonly (readonly [Database, string])[] = [
  ['gateway', 'select 1 from outbox where published_at is null'],
  ['gateway', 'select 1 from account where summary_at is null or summary_at <= clock_timestamp()'],
  ['gateway', 'select 1 from audit_entry e where not exists (select from audit_chain c where c.entry_id = e.id)'],
  ['contract', 'select 1 from outbox where published_at is null'],
  unconsumed('contract.events.v1', ['signing', 'notification']),
  unconsumed('account.events.v1', ['signing', 'notification']),
  ['signing', 'select 1 from code_send where finished_at is null'],
  ['signing', "select 1 from sign_attempt where state = 'submitted'"],
  ['signing', 'select 1 from evidence_task where done_at is null'],
  ['signing', 'select 1 from seal_task where done_at is null'],
  ['signing', 'select 1 from outbox where published_at is null'],
  unconsumed('signing.events.v1', ['notification']),
  ['notification', "select 1 from delivery where state = 'due'"],
  ['notification', 'select 1 from outbox where published_at is null'],
  unconsumed('notification.events.v1', ['contract']),
]

/** A query for the consumer groups of `groups` that have not consumed all messages of a topic. */
function unconsumed(topic: string, groups: readonly string[]): readonly [Database, string] {
  const names = groups.map((group) => `('${group}')`).join(', ')
  return [
    'bus',
    `select 1 from bus.partition p cross join (values ${names}) as consumer(name)
      left join bus.group_position g on (g.group_name, g.topic, g.partition) = (consumer.name, p.topic, p.partition)
      where p.topic = '${topic}' and g.next_offset is distinct from p.end_offset`,
  ]
}

/** Waits until no work is pending in any database. @returns `dump` of all databases */
export async function dumpWhenIdle(running: RunningStack): Promise<Map<string, string[]>> {
  for (const [database, statement] of PENDING_WORK) {
    await until(`the end of ${statement}`, () =>
      inDatabase(running, database, async (client) =>
        (await client.query(statement)).rows.length === 0 ? true : undefined,
      ),
    )
  }
  return dump(running)
}
