import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createDatabase, openPool } from '@paraph/database/pool'
import { withClient } from '@paraph/database/provision'
import { pruneBatch } from '@paraph/database/retention'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { createSeededRandom } from '@paraph/testing/test/seeded-random-fixture'
import { createLogger } from '@paraph/telemetry/logger'
import type { GatewayDatabase } from '../database.js'
import { createPostgresWindows } from './postgres-store.js'
import { WINDOW_MS } from './sliding-window.js'
import { RETENTION } from '../retention.js'
import { describeWindowStore } from '../../test/window-store-fixture.js'

const logger = createLogger('gateway', 'silent')
const connect = (url: string, max = 1) => createDatabase<GatewayDatabase>(openPool(url, logger, { max }))

/** An instant in the format of Postgres, with microseconds. */
function instantOf(ms: number): string {
  const us = Math.round(ms * 1_000)
  const whole = new Date(Date.UTC(2026, 0, 1) + Math.floor(us / 1_000)).toISOString().slice(0, -1)
  return `${whole}${String(us % 1_000).padStart(3, '0')}Z`
}

describeWindowStore(
  'postgres',
  async (nowMs) => {
    const clone = await cloneTestDatabase('gateway')
    const database = connect(clone.url)
    return {
      windows: createPostgresWindows({ database, nowMs, storeAt: () => instantOf(nowMs()) }),
      async close() {
        await database.destroy()
        await clone.drop()
      },
    }
  },
  { histories: 15 },
)

describe('windows that gateways share [D27]', () => {
  let clone: TestDatabase
  beforeAll(async () => {
    clone = await cloneTestDatabase('gateway')
  })
  afterAll(() => clone.drop())

  const admitAt = (names: string[], limit: number, counts: number[], at: string | null) =>
    withClient(clone.url, async (client) => {
      const { rows } = await client.query('select * from admit_to_windows($1, $2, $3, $4)', [
        names,
        names.map(() => limit),
        counts,
        at,
      ])
      return rows as { window_name: string; admitted: number; used: number; reset_ms: number }[]
    })

  it('never admit more than the limit over four gateways, without a deadlock', async () => {
    const pools = Array.from({ length: 4 }, () => connect(clone.url))
    const names = Array.from({ length: 20 }, (_, at) => `crowd-${at} production`)
    const answers = await Promise.all(
      pools.flatMap((database, at) => {
        const windows = createPostgresWindows({ database })
        // Each gateway requests the accounts in a different order.
        const order = at % 2 ? names.toReversed() : names
        return Array.from({ length: 15 }, async () =>
          Promise.all(order.map(async (name) => ({ name, admitted: (await windows.admit(name, 30)).admitted }))),
        )
      }),
    )
    const admitted = answers.flat().filter((answer) => answer.admitted)
    expect(names.map((name) => admitted.filter((answer) => answer.name === name).length)).toEqual(names.map(() => 30))
    await Promise.all(pools.map((database) => database.destroy()))
  })

  it('read the clock under the row lock: the instant of an admission is after the wait for the lock [D20]', async () => {
    await admitAt(['locked production'], 1, [1], null)
    await withClient(clone.url, async (holder) => {
      await holder.query('begin')
      await holder.query(`select from account_window where name = 'locked production' for update`)
      const admission = admitAt(['locked production'], 10, [1], null)
      await withClient(clone.adminUrl, async (admin) => {
        for (let waiting = 0; waiting === 0;) {
          const { rows } = await admin.query(
            `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          )
          waiting = (rows[0] as { n: number }).n
        }
      })
      const { rows } = await holder.query('select clock_timestamp()::text as at')
      await holder.query('commit')
      expect((await admission)[0]).toMatchObject({ admitted: 1, used: 2 })
      const { rows: locked } = await holder.query(
        `select base_at + make_interval(secs => at_ms[2] / 1000.0) >= $1::timestamptz as after from account_window
         where name = 'locked production'`,
        [(rows[0] as { at: string }).at],
      )
      expect(locked).toEqual([{ after: true }])
    })
  })

  it.each([[1_000], [1_000_000]])(
    'fit %i a minute into 2.2 KB, never exceed the limit, and admit at least 99 in 100 of it',
    async (limit) => {
      const random = createSeededRandom(limit)
      const name = `large-${limit} production`
      const admitted: { at: number; count: number }[] = []
      const plain: typeof admitted = []
      const sum = (list: typeof admitted) => list.reduce((total, { count }) => total + count, 0)
      const within = (list: typeof admitted, last: number) =>
        list.filter(({ at }) => at <= last && at > last - WINDOW_MS)
      await withClient(clone.url, async (client) => {
        for (let ms = 0; ms < 4 * WINDOW_MS; ms += random() * 200) {
          const count = Math.ceil(random() * (limit / 120))
          const { rows } = await client.query('select admitted from admit_to_windows($1, $2, $3, $4)', [
            [name],
            [limit],
            [count],
            instantOf(ms),
          ])
          admitted.push({ at: ms, count: (rows[0] as { admitted: number }).admitted })
          plain.push({ at: ms, count: Math.min(count, limit - sum(within(plain, ms))) })
        }
        const { rows } = await client.query(
          'select pg_column_size(w.*) as bytes from account_window w where name = $1',
          [name],
        )
        expect((rows[0] as { bytes: number }).bytes).toBeLessThan(2_200)
      })
      expect(Math.max(...admitted.map(({ at }) => sum(within(admitted, at))))).toBeLessThanOrEqual(limit)
      expect(sum(plain)).toBeGreaterThan(3 * limit)
      expect(sum(admitted) / sum(plain)).toBeGreaterThanOrEqual(0.99)
    },
  )

  it('count every admission of the last minute after a change to a smaller tier', async () => {
    const name = 'downgraded production'
    const at = '2026-01-01T12:00:00Z'
    expect(await admitAt([name], 3_000, [2_000], at)).toMatchObject([{ admitted: 2_000 }])
    expect(await admitAt([name], 1_000, [1], at)).toMatchObject([{ admitted: 0, used: 2_000 }])
  })

  it('refuse for at most 60 s after the clock is set back, and admit no additional calls', async () => {
    const name = 'back production'
    expect(await admitAt([name], 5, [5], '2026-01-01T12:00:00Z')).toMatchObject([{ admitted: 5 }])
    expect(await admitAt([name], 5, [1], '2026-01-01T11:00:00Z')).toMatchObject([{ admitted: 0, reset_ms: 60_000 }])
    expect(await admitAt([name], 5, [1], '2026-01-01T11:00:59Z')).toMatchObject([{ admitted: 0, reset_ms: 1_000 }])
    expect(await admitAt([name], 5, [9], '2026-01-01T11:01:00Z')).toMatchObject([{ admitted: 5 }])
  })

  it('count packs in their larger size after a change of tier, and count exactly after the window has become empty', async () => {
    const name = 'moved production'
    await admitAt([name], 1_000, [800], '2026-01-01T12:00:00Z')
    const [during] = await admitAt([name], 5_000, [5_000], '2026-01-01T12:00:01Z')
    expect(during!.admitted).toBeLessThanOrEqual(4_200)
    expect(await admitAt([name], 5_000, [9_000], '2026-01-01T12:02:00Z')).toMatchObject([{ admitted: 5_000 }])
    expect(await admitAt([name], 60, [9_000], '2026-01-01T12:04:00Z')).toMatchObject([{ admitted: 60 }])
  })

  it('are deleted after minutes without use, but not while they are in use', async () => {
    await admitAt(['idle production'], 5, [1], '2026-01-01T00:00:00Z')
    await admitAt(['locked production'], 5, [1], '2026-01-01T00:00:00Z')
    await admitAt(['busy production'], 5, [1], null)
    const database = connect(clone.url)
    await withClient(clone.url, async (holder) => {
      await holder.query('begin')
      await holder.query(`select from account_window where name = 'locked production' for update`)
      const windows = RETENTION.pruned.find(({ table }) => table === 'account_window')!
      expect(await pruneBatch(database, windows)).toBeGreaterThan(0)
      await holder.query('commit')
      const { rows } = await holder.query(
        `select name from account_window where name ~ '^(idle|locked|busy)' order by 1`,
      )
      expect(rows).toEqual([{ name: 'busy production' }, { name: 'locked production' }])
    })
    await database.destroy()
  })
})
