// Replicas in processes of their own share the slots of an outbox and the partitions of the embedded bus.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createDatabase, openPool } from '@paraph/database/pool'
import { withClient } from '@paraph/database/provision'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { createLogger } from '@paraph/telemetry/logger'
import { FROM_SOURCES } from '@paraph/testing/test/from-sources-fixture'
import { waitFor } from '@paraph/testing/wait-for'
import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { createInboxTables } from './inbox.js'
import { appendToOutbox, createOutboxTables } from './outbox.js'

const KEYS = Array.from({ length: 40 }, (_, index) => `contract-${index}`)
const AT = '2026-11-20T14:03:00.000Z'
const WAIT = { timeout: 60_000, interval: 50 }

let busClone: TestDatabase
let clone: TestDatabase
let database: Kysely<unknown>
const replicas: ChildProcess[] = []

beforeEach(async () => {
  ;[busClone, clone] = await Promise.all([cloneTestDatabase('bus', 'contract'), cloneTestDatabase('bus')])
  await withClient(clone.ownerUrl, (owner) =>
    owner.query('create table effect (id bigint generated always as identity, subject text, sequence bigint)'),
  )
  const owner = createDatabase<unknown>(openPool(clone.ownerUrl, { warn: () => undefined }, { max: 1 }))
  await createOutboxTables(owner)
  await createInboxTables(owner)
  await owner.destroy()
  database = createDatabase<unknown>(openPool(clone.url, createLogger('test', 'silent')))
})

afterEach(async () => {
  await Promise.all(replicas.splice(0).map(kill))
  await database.destroy()
  await Promise.all([busClone.drop(), clone.drop()])
})

it('two replicas hold some slots and partitions each, a third joins, one is killed, one freezes and returns: the effects of each contract happen once and in order [D48, D50, P5, F16, I9]', async () => {
  const [writing, end] = startWriters()
  const [, second] = [startReplica(), startReplica()]
  await expectShares([8, 8], [4, 4])
  const third = startReplica()
  await expectShares([6, 6, 4], [3, 3, 2])
  await kill(third)
  await expectShares([8, 8], [4, 4])
  second.kill('SIGSTOP')
  await expectShares([16], [8])
  second.kill('SIGCONT')
  await expectShares([8, 8], [4, 4])
  end()
  const written = await writing
  await waitFor(async () => expect(await effects()).toEqual(written), WAIT)
}, 240_000)

function startReplica(): ChildProcess {
  const file = fileURLToPath(new URL('../test/replica-process-fixture.ts', import.meta.url))
  const child = spawn(process.execPath, [...FROM_SOURCES, file, clone.url, busClone.url], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { PATH: '/usr/bin:/bin', NODE_ENV: 'production' },
  })
  replicas.push(child)
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'close')
}

/** Appends events to each key, one after the other, until `end`. */
function startWriters() {
  let isOver = false
  const write = async (key: string): Promise<[string, number[]]> => {
    const sequences: number[] = []
    while (!isOver) {
      const sequence = sequences.push(sequences.length + 1)
      await database
        .transaction()
        .execute((trx) =>
          appendToOutbox(trx, {
            topic: 'contract.events.v1',
            type: 'contract.expired',
            subject: key,
            sequence,
            data: { contractId: key, accountId: 'a', environment: 'sandbox', at: AT },
          }),
        )
      await sleep(50)
    }
    return [key, sequences]
  }
  const written = Promise.all(KEYS.map(write)).then((entries) => Object.fromEntries(entries))
  return [written, () => void (isOver = true)] as const
}

/** Waits until this many sessions own these numbers of slots and of partitions. */
const expectShares = (slots: number[], partitions: number[]) =>
  waitFor(
    async () =>
      expect({ slots: await locksIn(clone), partitions: await locksIn(busClone) }).toEqual({ slots, partitions }),
    WAIT,
  )

/** The number of advisory locks of each session that owns any, the largest first. */
const locksIn = (where: TestDatabase): Promise<number[]> =>
  withClient(where.adminUrl, async (client) => {
    const { rows } = await client.query<{ locks: number }>(
      `select count(*)::int as locks from pg_locks
        where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())
        group by pid order by 1 desc`,
    )
    return rows.map(({ locks }) => locks)
  })

/** Key → the sequence numbers in the order of their effects. */
async function effects(): Promise<Record<string, number[]>> {
  const { rows } = await sql<{ subject: string; sequences: string[] }>`
    select subject, array_agg(sequence order by id)::text[] as sequences from effect group by subject`.execute(database)
  return Object.fromEntries(rows.map(({ subject, sequences }) => [subject, sequences.map(Number)]))
}
