// Runs the SQL queries and the read-only commands of the runbooks on a stack.
import { execFile } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { inDatabase } from '../../harness/clients/canaries.js'
import {
  DATABASES,
  databaseUrlOf,
  makeDataFolder,
  startStack,
  type Database,
  type RunningStack,
} from '../../harness/stack/local-stack.js'
import { paraphCommandsOf, RUNBOOK_PAGES, statementsOf } from '../../docs-in-sync/runbook-pages.js'

const LOOKS = [
  'outbox status',
  'dead-letter list',
  'mail check',
  'audit list',
  'key list',
  'report list',
  'verify invariants',
]

/** A database user with the rights of `paraph_verify` in the README. */
const READER = { name: 'runbook_reader', password: 'reads' }

let running: RunningStack
beforeAll(async () => {
  running = await startStack(await makeDataFolder())
  await inDatabase(running, 'gateway', async (admin) => {
    await admin.query(`create role ${READER.name} login password '${READER.password}' in role pg_read_all_stats`)
    await admin.query(`grant connect on database ${DATABASES.join(', ')} to ${READER.name}`)
    await admin.query(`alter role ${READER.name} set search_path = verify, public`)
  })
  for (const database of DATABASES)
    await inDatabase(running, database, async (admin) => {
      const schema = database === 'bus' ? 'bus' : 'verify'
      await admin.query(`grant usage on schema ${schema} to ${READER.name}`)
      await admin.query(`grant select on all tables in schema ${schema} to ${READER.name}`)
    })
})
afterAll(async () => running?.close())

/** Runs one statement of a page as a read-only user. */
async function ask(database: Database, statement: string) {
  const url = new URL(databaseUrlOf(running.stack, database))
  url.username = READER.name
  url.password = READER.password
  return withClient(url.href, (client) => client.query<Record<string, unknown>>(statement))
}

const STATEMENTS = RUNBOOK_PAGES.flatMap((page) =>
  statementsOf(page).map((each) => [page.name, each.database, each.statement] as const),
)

it.each(STATEMENTS)('the query of %s works on the database %s for a read-only user', async (_, database, statement) => {
  expect(DATABASES).toContain(database)
  expect((await ask(database as Database, statement)).fields.length).toBeGreaterThan(0)
})

const statementOf = (page: string): [Database, string] => {
  const [, database, statement] = STATEMENTS.find(([name]) => name === page)!
  return [database as Database, statement]
}

it('the query of ParaphPoolExhausted lists the session that blocks other sessions first', async () => {
  await inDatabase(running, 'contract', async (holder) => {
    await holder.query('begin')
    await holder.query('lock table party in access exclusive mode')
    const { rows } = await ask(...statementOf('ParaphPoolExhausted'))
    expect(rows[0]).toMatchObject({ begins: 'lock table party in access exclusive mode' })
  })
})

it('the query of ParaphConsumerStalled shows which sessions own partitions, and which sessions block them', async () => {
  const [database, statement] = statementOf('ParaphConsumerStalled')
  const { rows } = await ask(database, statement)
  const members = rows.map(({ application_name, waits_for, partitions }) => [application_name, waits_for, partitions])
  expect(members.toSorted()).toEqual([
    ['paraph contract', [], 8],
    ['paraph notification', [], 24],
    ['paraph signing', [], 16],
  ])
})

const COMMANDS = [...new Set(RUNBOOK_PAGES.flatMap(paraphCommandsOf).map((argv) => argv.join(' ')))]
const LOOKING = COMMANDS.filter((line) => LOOKS.some((name) => line.startsWith(name)) && !/ [A-Z]{2,}$/.test(line))

it.each(LOOKING)('the command paraph %s exits with 0 and prints something', async (line) => {
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
    const env = { ...process.env, PARAPH_DATA_DIR: running.folder }
    execFile('npm', ['run', '-s', 'paraph', '--', ...line.split(' ')], { env }, (error, out) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: out }),
    )
  })
  expectWithMessage(code, output).toBe(0)
  expect(output.trim()).not.toBe('')
})
