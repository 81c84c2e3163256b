import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase } from '@paraph/database/test-database'
import { openLine } from '@paraph/database/test/database-line-fixture'
import { createLogger } from '@paraph/telemetry/logger'
import { COMMAND_LINE } from '../accounts/audit.js'
import { createAccountStore } from '../accounts/account-store.js'
import { fingerprintOf } from './api-key.js'
import type { GatewayDatabase } from '../database.js'
import { NO_NOTIFIERS, until } from '../../test/gateway-fixture.js'
import { createKeyCache } from './key-cache.js'
import { createKeyChanges } from './key-changes.js'
import { createKeyStore } from './key-store.js'

const logger = createLogger('gateway', 'silent')

/** The key caches of two gateways over one database; the second can lose its connection for notifications. */
async function openTwo() {
  const clone = await cloneTestDatabase('gateway')
  const line = await openLine(clone.url)
  const database = createDatabase<GatewayDatabase>(openPool(clone.url, logger))
  const store = createKeyStore({ database, ...NO_NOTIFIERS })
  const gateways = [clone.url, line.url].map((url) => {
    let changeCount = 0
    const cache = createKeyCache({ load: store.find })
    const onChange = () => {
      changeCount += 1
      cache.expireAll()
    }
    return { ...cache, changeCount: () => changeCount, changes: createKeyChanges({ url, logger, onChange }) }
  })
  for (const { changes } of gateways) changes.start()
  await until(() => gateways.every(({ changeCount }) => changeCount() > 0))
  const account = { name: 'Nordic Foods', email: 'owner@nordicfoods.example', tier: 'growth' }
  const { id: accountId } = await createAccountStore({ database, ...NO_NOTIFIERS }).create(account, COMMAND_LINE)
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

it('a revoked key is refused by every gateway as soon as it is notified [D28, D48]', async () => {
  const { id, fingerprint } = await two.newKey()
  for (const { find } of two.gateways) expect(await find(fingerprint)).toMatchObject({ id })
  const changeCount = two.gateways.map((gateway) => gateway.changeCount())
  await two.store.revoke(id, COMMAND_LINE)
  await until(() => two.gateways.every((gateway, at) => gateway.changeCount() > changeCount[at]!))
  for (const { find } of two.gateways) expect(await find(fingerprint)).toBeUndefined()
})

it('a revoked or rotated key is refused within 5 s by a gateway without notifications [D28]', async () => {
  const [connected, disconnected] = two.gateways
  const [revoked, rotated] = [await two.newKey(), await two.newKey()]
  two.line.cut()
  for (const { fingerprint } of [revoked, rotated])
    for (const { find } of two.gateways) expect(await find(fingerprint)).toBeDefined()
  const changedAtMs = performance.now()
  await two.store.revoke(revoked.id, COMMAND_LINE)
  await two.store.rotate(rotated.id, { overlapDays: 0, expiresInDays: undefined }, COMMAND_LINE)
  const goneAfterMs = async (find: typeof connected.find, { fingerprint }: typeof revoked) => {
    await until(async () => (await find(fingerprint)) === undefined)
    return performance.now() - changedAtMs
  }
  const connectedMs = await Promise.all([goneAfterMs(connected.find, revoked), goneAfterMs(connected.find, rotated)])
  const disconnectedMs = await Promise.all([
    goneAfterMs(disconnected.find, revoked),
    goneAfterMs(disconnected.find, rotated),
  ])
  for (const ms of disconnectedMs) expect(ms).toBeLessThan(5_300)
  for (const ms of connectedMs) expect(ms).toBeLessThan(Math.min(...disconnectedMs))
})
