import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase } from '@paraph/database/test-database'
import { createLogger } from '@paraph/telemetry/logger'
import { COMMAND_LINE } from './audit.js'
import { createAccountStore } from './account-store.js'
import { fingerprintOf } from './api-key.js'
import { openLine } from './database-line-fixture.js'
import type { GatewayDatabase } from './database.js'
import { TELLERS, until } from './gateway-fixture.js'
import { createKeyCache } from './key-cache.js'
import { createKeyChanges } from './key-changes.js'
import { createKeyStore } from './key-store.js'

const logger = createLogger('gateway', 'silent')

/** What two gateways have of keys, over one database; the second can lose its connection for notifications. */
async function openTwo() {
  const clone = await cloneTestDatabase('gateway')
  const line = await openLine(clone.url)
  const database = createDatabase<GatewayDatabase>(openPool(clone.url, logger))
  const store = createKeyStore({ database, ...TELLERS })
  const gateways = [clone.url, line.url].map((url) => {
    let heard = 0
    const cache = createKeyCache({ load: store.find })
    const onChange = () => {
      heard += 1
      cache.expireAll()
    }
    return { ...cache, heard: () => heard, changes: createKeyChanges({ url, logger, onChange }) }
  })
  for (const { changes } of gateways) changes.start()
  await until(() => gateways.every(({ heard }) => heard() > 0))
  const account = { name: 'Nordic Foods', email: 'owner@nordicfoods.example', tier: 'growth' }
  const { id: accountId } = await createAccountStore({ database, ...TELLERS }).create(account, COMMAND_LINE)
  return {
    store,
    line,
    gateways: gateways as [(typeof gateways)[0], (typeof gateways)[0]],
    newKey: async () => {
      const wanted = { accountId, environment: 'production', name: 'Default', scopes: [] } as const
      const { id, secret } = await store.create({ ...wanted, scopes: [], expiresInDays: undefined }, COMMAND_LINE)
      return { id, fingerprint: fingerprintOf(secret) }
    },
    close: async () => {
      for (const { changes } of gateways) await changes.stop()
      line.cut()
      line.close()
      await database.destroy()
      await clone.drop()
    },
  }
}

let two: Awaited<ReturnType<typeof openTwo>>
beforeAll(async () => {
  two = await openTwo()
})
afterAll(() => two.close())

it('ends a revoked key at once in every gateway that is told [D28, D48]', async () => {
  const { id, fingerprint } = await two.newKey()
  for (const { find } of two.gateways) expect(await find(fingerprint)).toMatchObject({ id })
  const heard = two.gateways.map((gateway) => gateway.heard())
  await two.store.revoke(id, COMMAND_LINE)
  await until(() => two.gateways.every((gateway, at) => gateway.heard() > heard[at]!))
  for (const { find } of two.gateways) expect(await find(fingerprint)).toBeUndefined()
})

it('ends it within 5 s in a gateway that is not told, and a rotated one likewise [D28]', async () => {
  const [told, untold] = two.gateways
  const [revoked, rotated] = [await two.newKey(), await two.newKey()]
  two.line.cut()
  for (const { fingerprint } of [revoked, rotated])
    for (const { find } of two.gateways) expect(await find(fingerprint)).toBeDefined()
  const changedAtMs = performance.now()
  await two.store.revoke(revoked.id, COMMAND_LINE)
  await two.store.rotate(rotated.id, { overlapDays: 0, expiresInDays: undefined }, COMMAND_LINE)
  const goneAfterMs = async (find: typeof told.find, { fingerprint }: typeof revoked) => {
    await until(async () => (await find(fingerprint)) === undefined)
    return performance.now() - changedAtMs
  }
  const toldMs = await Promise.all([goneAfterMs(told.find, revoked), goneAfterMs(told.find, rotated)])
  const untoldMs = await Promise.all([goneAfterMs(untold.find, revoked), goneAfterMs(untold.find, rotated)])
  for (const ms of untoldMs) expect(ms).toBeLessThan(5_300)
  for (const ms of toldMs) expect(ms).toBeLessThan(Math.min(...untoldMs))
})
