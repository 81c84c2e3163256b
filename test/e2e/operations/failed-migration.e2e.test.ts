// An upgrade whose migration failed: the processes of the new version are alive, not ready, and touch nothing; those of the version before
// go on serving. When the migration has succeeded, the rollout continues without a restart. [H8, H16]
// Simulates the migration by its row in kysely_migration, so both versions can be the same build.
import { readFile } from 'node:fs/promises'
import { SERVICES } from '@paraph/protocol/services'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { until } from '../../harness/until.js'
import { startRig, type Rig } from '../../rolling/rig.js'
import { CLIENTS, LIMIT, printFigures, ROLLING_SEED } from '../../rolling/rollouts.js'
import { underLoad } from '../../rolling/under-load.js'

const RATE_PER_SECOND = 5
/** A limit for hanging starts: on a busy machine a start takes half a minute. */
const START_MS_MAX = 120_000

let rig: Rig
beforeAll(async () => {
  rig = await startRig({ replicas: 1 })
})
afterAll(() => rig?.close())

const statusOf = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, { headers })
  return { code: answer.status, text: await answer.text() }
}

/** The sessions that hold the relays, consumers and listeners of all services. */
const readWorkSessions = () =>
  rig.query<{ name: string; count: number }>(
    'bus',
    `select usename || ' ' || application_name as name, count(*)::int as count from pg_stat_activity
      where application_name like 'paraph %' group by 1 order by 1`,
  )

it(
  'while the migrations of an upgrade fail, the processes before go on serving and the new ones wait; once they succeed, the new ones are ready [H8, H16]',
  async () => {
    const work = await readWorkSessions()
    const missing = await Promise.all(
      SERVICES.map(async (service) => {
        const [row] = await rig.query<{ name: string; timestamp: string }>(
          service,
          'delete from kysely_migration where name = (select max(name) from kysely_migration) returning name, timestamp',
        )
        return { service, ...row! }
      }),
    )
    const load = { ratePerSecond: RATE_PER_SECOND, clients: CLIENTS, seed: ROLLING_SEED, tag: 'failed-migration' }
    const { faults, figures } = await underLoad(rig, load, async () => {
      const waiting = []
      for (const service of SERVICES) {
        const replica = await rig.launch(service)
        await until(
          `a ${service} that waits for its migration`,
          async () =>
            (await readFile(replica.log, 'utf8').catch(() => '')).includes('database schema behind this version')
              ? true
              : undefined,
          START_MS_MAX,
        )
        waiting.push(replica)
      }
      for (const { service, port, internalPort } of waiting) {
        const at = `http://127.0.0.1:${internalPort}`
        await until(`a ${service} that listens`, async () =>
          (await statusOf(`${at}/livez`).catch(() => undefined))?.code === 200 ? true : undefined,
        )
        expect([service, (await statusOf(`${at}/readyz`)).code]).toEqual([service, 503])
        if (service !== 'gateway') continue
        const status = `http://127.0.0.1:${port}${new URL(rig.stack.apiUrl).pathname}/status`
        await until('a gateway that answers', async () =>
          (await statusOf(status).catch(() => undefined)) ? true : undefined,
        )
        const { code, text } = await statusOf(status, { 'x-api-key': rig.stack.liveKey })
        expect([code, (JSON.parse(text) as { status: string }).status]).toEqual([200, 'degraded'])
      }
      expect(await readWorkSessions()).toEqual(work)

      for (const { service, name, timestamp } of missing)
        await rig.query(service, 'insert into kysely_migration (name, timestamp) values ($1, $2)', [name, timestamp])
      for (const replica of waiting) await rig.untilReady(replica)
    })
    printFigures('failed migration', figures)
    expect(faults).toEqual([])
  },
  LIMIT.timeout,
)
