// Values that occur nowhere else, and the search for them: in every table and file, in clear and in common encodings.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { withClient } from '@paraph/database/provision'
import { DATABASES, databaseUrlOf, type Database, type RunningStack } from '../stack/local-stack.js'
import { until } from '../until.js'

/** Runs `work` on a connection to one of the databases, as their owner. */
export async function inDatabase<T>(
  { stack }: RunningStack,
  name: Database,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  return withClient(databaseUrlOf(stack, name), work)
}

/** `database.table` and its rows, and every value: `database.table.column` and its text, binary as hex. */
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
          // A key's last use is recorded within a minute, independent of the test.
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

/** The possible encodings of a value: plain, percent-encoded, in JSON, hex and base64 at each of the three phases, or hashed without a key. */
export function writtenForms(name: string, value: string): RegExp {
  const bytes = Buffer.from(value)
  const base64 = [0, 1, 2].map((phase) => {
    const encoded = Buffer.concat([Buffer.alloc(phase), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    // The first and the last digit of a phase contain bits of the neighbours.
    return encoded.slice([0, 2, 3][phase], (bytes.length + phase) % 3 === 0 ? undefined : -1)
  })
  const forms = [encodeURIComponent(value), JSON.stringify(value).slice(1, -1), bytes.toString('hex')]
  forms.push(...base64, ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')))
  // A million codes are hashed quickly: only a keyed hash hides one.
  if (name === 'one-time code')
    forms.push(...['sha256', 'sha1', 'md5'].map((hash) => createHash(hash).update(value).digest('hex')))
  // Six digits occur by chance in any instant or id: only a separate number counts as a code.
  const plain = name === 'one-time code' ? `(?<![0-9a-f])${value}(?![0-9a-f])` : escaped(value)
  const others = forms.filter((form) => form !== value)
  return new RegExp([plain, ...others.map(escaped)].join('|'), 'i')
}

/** The text around a match, which shows its origin. */
export const around = (found: RegExpExecArray | null): string[] =>
  found ? [found.input.slice(Math.max(0, found.index - 80), found.index + 80)] : []

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

/** Text of every file below `folder`, by its path. A running database deletes files meanwhile: those count as empty. */
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
 * The pending work per database: a row for each. In the order in which one step causes the next, so that a table that was
 * empty stays empty while no client calls.
 */
const PENDING_WORK: readonly (readonly [Database, string])[] = [
  ['gateway', 'select 1 from outbox where published_at is null'],
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
  // No consumer reads the events of mails yet.
  ['notification', 'select 1 from outbox where published_at is null'],
]

/** The groups of `groups` that have not consumed all of a topic. */
function unconsumed(topic: string, groups: readonly string[]): readonly [Database, string] {
  const names = groups.map((group) => `('${group}')`).join(', ')
  return [
    'bus',
    `select 1 from bus.partition p cross join (values ${names}) as consumer(name)
      left join bus.group_position g on (g.group_name, g.topic, g.partition) = (consumer.name, p.topic, p.partition)
      where p.topic = '${topic}' and g.next_offset is distinct from p.end_offset`,
  ]
}

/** All databases, once no work is pending in any of them. */
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
