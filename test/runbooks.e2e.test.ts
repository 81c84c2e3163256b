// What the runbooks ask of a stack it answers: each statement runs in its database, each command that only looks says something.
import { execFile } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inDatabase } from './canaries.js'
import { DATABASES, makeDataFolder, startStack, type Database, type RunningStack } from './local-stack.js'
import { paraphCommandsOf, RUNBOOK_PAGES, statementsOf } from './runbook-pages.js'

const LOOKS = [
  'outbox status',
  'dead-letter list',
  'mail check',
  'audit list',
  'key list',
  'report list',
  'verify invariants',
]

let running: RunningStack
beforeAll(async () => {
  running = await startStack(await makeDataFolder())
})
afterAll(async () => running?.close())

const STATEMENTS = RUNBOOK_PAGES.flatMap((page) =>
  statementsOf(page).map((each) => [page.name, each.database, each.statement] as const),
)

it.each(STATEMENTS)(
  '%s asks the database %s what it can answer, and changes nothing',
  async (_, database, statement) => {
    expect(DATABASES).toContain(database)
    await inDatabase(running, database as Database, async (client) => {
      await client.query('begin transaction read only')
      expect((await client.query(statement)).fields.length).toBeGreaterThan(0)
      await client.query('rollback')
    })
  },
)

const COMMANDS = [...new Set(RUNBOOK_PAGES.flatMap(paraphCommandsOf).map((words) => words.join(' ')))]
const LOOKING = COMMANDS.filter((line) => LOOKS.some((name) => line.startsWith(name)) && !/ [A-Z]{2,}$/.test(line))

it.each(LOOKING)('paraph %s says how it is', async (line) => {
  const { code, said } = await new Promise<{ code: number; said: string }>((resolve) => {
    const env = { ...process.env, PARAPH_DATA_DIR: running.folder }
    execFile('npm', ['run', '-s', 'paraph', '--', ...line.split(' ')], { env }, (error, out) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: out }),
    )
  })
  expect(code, said).toBe(0)
  expect(said.trim()).not.toBe('')
})
