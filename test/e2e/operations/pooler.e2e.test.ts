// PgBouncer between the services and their databases: what works in which mode. [D48, docs/reference/ports-and-transport.md]
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDirectConnection } from '@paraph/database/direct-connection'
import { withClient } from '@paraph/database/provision'
import { databaseUrl } from '@paraph/paraph/installation/environment'
import { SERVICES } from '@paraph/protocol/services'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Infrastructure, Undo } from '../../faults/base-stack.js'
import { createApiClient } from '../../harness/clients/api-client.js'
import { databaseUrlOf } from '../../harness/stack/local-stack.js'
import { until } from '../../harness/until.js'
import { documentedSettings, startPooler, type Pooler } from '../../rolling/pooler.js'
import { startRig, type Rig } from '../../rolling/rig.js'
import { LIMIT, playRollouts } from '../../rolling/rollouts.js'

const RATE_PER_SECOND = 10
const REPLICAS = 2
/** The connections of PgBouncer to each database, and of each process to PgBouncer. */
const [POOL_SIZE, POOL_MAX] = [6, 4]

let rig: Rig
let pooler: Pooler
let open: (poolMode: string, size: number) => Promise<Pooler>
let urlOf: (service: 'contract') => string

async function prepare(undo: Undo, { folder, ports, secrets }: Infrastructure) {
  const { uid, gid } = await stat(join(folder, 'postgres'))
  const passwords = Object.fromEntries(
    SERVICES.map((service) => [`${service}_runtime`, secrets.rolePasswords[service].runtime]),
  )
  const documented = await documentedSettings()
  open = async (poolMode, size) => {
    const settings = [...documented, `pool_mode = ${poolMode}`, `default_pool_size = ${size}`]
    const started = await startPooler({ port: ports.postgres, user: { uid, gid }, passwords, settings })
    undo.push(started.close)
    return started
  }
  pooler = await open('transaction', POOL_SIZE)
  urlOf = (service) => databaseUrl({ ports, secrets }, service, 'runtime')
  await withClient(
    `postgres://postgres:${secrets.superuserPassword}@127.0.0.1:${ports.postgres}/postgres`,
    async (admin) => {
      for (const service of SERVICES)
        await admin.query(`alter role ${service}_runtime set statement_timeout = '10s';
                         alter role ${service}_runtime set idle_in_transaction_session_timeout = '30s'`)
    },
  )
  const settingsOf = (service: (typeof SERVICES)[number]) => ({
    DATABASE_URL: pooler.through(databaseUrl({ ports, secrets }, service, 'runtime')),
    DATABASE_POOL_MAX: String(POOL_MAX),
  })
  return Object.fromEntries(SERVICES.map((service) => [service, settingsOf(service)]))
}

beforeAll(async () => {
  rig = await startRig({ replicas: REPLICAS, prepare })
})
afterAll(() => rig?.close())

/** Reads `count` again and again while `work` runs. @returns the greatest value, and the result of `work` */
async function mostDuring<T>(count: () => Promise<number>, work: (most: () => number) => Promise<T>) {
  let [most, isOver] = [0, false]
  const watch = async (): Promise<void> => {
    while (!isOver) {
      most = Math.max(most, await count())
      await sleep(50)
    }
  }
  const end = async (): Promise<T> => {
    try {
      return await work(() => most)
    } finally {
      isOver = true
    }
  }
  const [result] = await Promise.all([end(), watch()])
  return { most, result }
}

/**
 * The sessions of the database that has most of them, as Postgres counts them. A session whose client is gone lives until its statement
 * ends, for at most 10 s. So a session counts from its 15th second on. `serversMax` counts the pooler's own from their first moment.
 */
async function sessions(): Promise<number> {
  const rows = await rig.query<{ count: number }>(
    'bus',
    `select count(*)::int as count from pg_stat_activity
      where usename like '%\\_runtime' and datname <> 'bus' and application_name not like 'paraph %'
        and backend_start < clock_timestamp() - interval '15 seconds' group by datname`,
  )
  return Math.max(0, ...rows.map(({ count }) => count))
}

describe('PgBouncer in transaction mode in front of DATABASE_URL', () => {
  it(
    'loses and doubles nothing during a rollout under load, and opens no more sessions than its pool has [D48, F17]',
    async () => {
      const { most, result: mostOfPooler } = await mostDuring(sessions, async () => {
        const { most } = await mostDuring(pooler.serversMax, () => playRollouts(rig, RATE_PER_SECOND))
        return most
      })
      for (const count of [most, mostOfPooler]) {
        expect(count).toBeGreaterThan(0)
        expect(count).toBeLessThanOrEqual(POOL_SIZE)
      }
    },
    LIMIT.timeout,
  )

  it('sees at most DATABASE_POOL_MAX connections from the main pool of a process', async () => {
    const { key } = await rig.createAccount('Fills the pools')
    const client = createApiClient(rig.stack.apiUrl, key)
    const party = { role: 'Buyer', legalName: 'Jane Roe', email: 'jane@example.test' }
    const body = { contractType: 'nda', content: 'We agree.', parties: [party, { ...party, role: 'Seller' }] }
    // While the table is locked, the waiting calls occupy every connection that the pools may open.
    const { most, result } = await mostDuring(
      () => pooler.clientsOf('contract'),
      (mostSoFar) =>
        withClient(databaseUrlOf(rig.stack, 'contract'), async (admin) => {
          await admin.query('begin; lock table contract in access exclusive mode')
          const calls = Promise.all(Array.from({ length: 40 }, () => client.create(body)))
          await until('full pools', () => (mostSoFar() >= REPLICAS * POOL_MAX ? true : undefined))
          await admin.query('commit')
          return calls
        }),
    )
    expect(new Set(result.map(({ status }) => status))).toEqual(new Set([201]))
    expect(most).toBe(REPLICAS * POOL_MAX)
  })

  it('keeps the time limits of the roles, which it does not pass on from the services', async () => {
    await withClient(pooler.through(urlOf('contract')), async (client) => {
      expect((await client.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '10s' }])
    })
  })

  it('gives a session lock to two clients at once, so DATABASE_DIRECT_URL must not lead through it [D48]', async () => {
    const through = (await open('transaction', 2)).through(urlOf('contract'))
    expect(await lockTwice(through, 1)).toEqual([true, true])
  })
})

describe('PgBouncer in session mode', () => {
  it('keeps session locks and notifications, at the cost of a session for each client [D48]', async () => {
    const through = (await open('session', 4)).through(urlOf('contract'))
    // Another lock: the pooler of the test before still holds its own, although no client does.
    expect(await lockTwice(through, 2)).toEqual([true, false])
    const heard: string[] = []
    const listener = await openDirectConnection(through, 'paraph test', (payload) => void heard.push(payload))
    await listener.query('listen a_channel')
    await withClient(urlOf('contract'), (client) => client.query(`notify a_channel, 'a change'`))
    await until('a notification', () => (heard.length > 0 ? true : undefined))
    await listener.close()
    expect(heard).toEqual(['a change'])
  })
})

/** Two clients that are connected at the same time try to take the session lock `lock`, one after the other. */
async function lockTwice(url: string, lock: number): Promise<boolean[]> {
  const locked: boolean[] = []
  const tryLock = `select pg_try_advisory_lock(${lock}) as locked`
  await withClient(url, (first) =>
    withClient(url, async (second) => {
      for (const client of [first, second])
        locked.push((await client.query<{ locked: boolean }>(tryLock)).rows[0]!.locked)
    }),
  )
  return locked
}
