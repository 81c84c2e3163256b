import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase } from '@paraph/database/test-database'
import { openLine } from '@paraph/database/test/database-line-fixture'
import { createLogger } from '@paraph/telemetry/logger'
import { COMMAND_LINE } from '../accounts/audit.js'
import { createAccountStore } from '../accounts/account-store.js'
import type { GatewayDatabase } from '../database.js'
import { NO_NOTIFIERS, until } from '../../test/gateway-fixture.js'
import { createKeyLastUse } from './key-last-use.js'
import { createKeyStore } from './key-store.js'

const logger = createLogger('gateway', 'silent')
/** Longer than the test takes: writes happen only at the stop. */
const NEVER_MS = 600_000

let fixture: Awaited<ReturnType<typeof openFixture>>
async function openFixture() {
  const clone = await cloneTestDatabase('gateway')
  const line = await openLine(clone.url)
  const database = createDatabase<GatewayDatabase>(openPool(line.url, logger))
  const keys = createKeyStore({ database, ...NO_NOTIFIERS })
  const account = { name: 'Nordic Foods', email: 'owner@nordicfoods.example', tier: 'growth' }
  const { id: accountId } = await createAccountStore({ database, ...NO_NOTIFIERS }).create(account, COMMAND_LINE)
  let statements = 0
  const counted = createDatabase<GatewayDatabase>(openPool(line.url, logger))
  const pool = counted.withPlugin({
    transformQuery: ({ node }) => ((statements += 1), node),
    transformResult: ({ result }) => Promise.resolve(result),
  })
  return {
    line,
    open: (writeEveryMs: number) => createKeyLastUse({ database: pool, logger, writeEveryMs }),
    statements: () => statements,
    newKey: async () =>
      (
        await keys.create(
          { accountId, environment: 'production', name: 'Default', scopes: [], expiresInDays: undefined },
          COMMAND_LINE,
        )
      ).id,
    lastUseOf: async (id: string) => (await keys.list(accountId)).find((key) => key.id === id)?.lastUsedAt ?? null,
    close: async () => {
      await Promise.all([database.destroy(), counted.destroy()])
      line.cut()
      line.close()
      await clone.drop()
    },
  }
}
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

it('the times of last use of all keys are written in one statement, and no call causes a write [D28]', async () => {
  const [used, usedToo, idle] = [await fixture.newKey(), await fixture.newKey(), await fixture.newKey()]
  const lastUse = fixture.open(NEVER_MS)
  lastUse.start()
  const before = fixture.statements()
  for (let call = 0; call < 1_000; call += 1) lastUse.record(call % 2 ? used : usedToo)
  const notedAtMs = performance.now()
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(fixture.statements()).toBe(before)
  await lastUse.stop()
  expect(fixture.statements()).toBe(before + 1)
  const ageMs = performance.now() - notedAtMs
  for (const id of [used, usedToo]) {
    const shownAgeMs = Date.now() - (await fixture.lastUseOf(id))!.getTime()
    // The test and the store share one clock. The stored use has the time of the call, not that of the write.
    expect(shownAgeMs).toBeGreaterThan(290)
    expect(shownAgeMs).toBeLessThan(ageMs + 1_000)
  }
  expect(await fixture.lastUseOf(idle)).toBeNull()
})

it('the latest use of a key is kept, whichever gateway writes last [D28]', async () => {
  const id = await fixture.newKey()
  const [early, late] = [fixture.open(NEVER_MS), fixture.open(NEVER_MS)]
  early.record(id)
  await new Promise((resolve) => setTimeout(resolve, 30))
  late.record(id)
  await late.stop()
  const shown = await fixture.lastUseOf(id)
  await early.stop()
  expect(await fixture.lastUseOf(id)).toEqual(shown)
})

it('a failed write of last uses is retried, and never fails a call [D28]', async () => {
  const [first, second] = [await fixture.newKey(), await fixture.newKey()]
  const lastUse = fixture.open(20)
  fixture.line.cut()
  lastUse.start()
  lastUse.record(first)
  const before = fixture.statements()
  await until(() => fixture.statements() > before)
  lastUse.record(second)
  fixture.line.restore()
  await until(async () => (await fixture.lastUseOf(first).catch(() => null)) !== null)
  await until(async () => (await fixture.lastUseOf(second)) !== null)
  await lastUse.stop()
})
