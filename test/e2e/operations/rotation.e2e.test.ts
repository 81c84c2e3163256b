// Rotates every secret under load, following docs/how-to/operators/secrets.md step by step, and clients notice nothing. [F25, D28, D45]
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startRig, type Rig } from '../../rolling/rig.js'
import { planRotation } from '../../rolling/rotation.js'
import { underLoad } from '../../rolling/under-load.js'

const SEED = Number(process.env['ROLLING_SEED'] ?? Date.now() % 2 ** 31)
const RATE_PER_SECOND = Number(process.env['ROLLING_RATE'] ?? 10)
/** The documented time within which every gateway refuses a revoked key. [D28] */
const REVOKED_WITHIN_MS = 5_000

/** Three rollouts take minutes, so only `npm run test:release -- rotation` runs them. */
const long = process.env['ROTATE_ALL'] === '1' ? it : it.skip

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig?.close())

long(
  'every secret is rotated under load, step by step, and no call fails [F25]',
  async () => {
    const steps = await planRotation(rig)
    await steps.begin()
    const load = { ratePerSecond: RATE_PER_SECOND, clients: 2, seed: SEED, tag: 'rotation' }
    const { faults, figures } = await underLoad(rig, load, async () => {
      await steps.addNew()
      await steps.useNew()
      await steps.dropOld()
    })
    process.stdout.write(`rotation: ${JSON.stringify({ seed: SEED, ...figures })}\n`)
    expect(faults).toEqual([])
    // Both the old and the new evidence keys are published.
    const published = await (await fetch(`${rig.stack.shareUrl}/.well-known/paraph-evidence.pem`)).text()
    expect(published.match(/^# \S+ (production|sandbox|retired-(production|sandbox):\S+)$/gm)).toHaveLength(4)
  },
  900_000,
)

it('a new key works immediately, and every gateway refuses a revoked key after five seconds [F25, D28]', async () => {
  const { accountId, key } = await rig.createAccount('Keys')
  const create = () =>
    rig.operator.gateway.key.create.mutate({ accountId, environment: 'live', scopes: ['contracts:read'] })
  const { key: old } = await create()
  const statusOf = async (secret: string) => {
    // Each call uses a new connection, which may reach either gateway.
    const answer = await fetch(`${rig.stack.apiUrl}/status`, { headers: { 'x-api-key': secret, connection: 'close' } })
    await answer.body?.cancel()
    return answer.status
  }
  // Puts the key into the caches of both gateways.
  for (let count = 0; count < 8; count += 1) expect(await statusOf(old.secret)).toBe(200)
  const { key: next } = await create()
  for (let count = 0; count < 8; count += 1) expect(await statusOf(next.secret)).toBe(200)
  await rig.operator.gateway.key.revoke.mutate({ id: old.id })
  const revokedAt = performance.now()
  let lastTakenMs = 0
  for (let refusedInARow = 0; refusedInARow < 20;) {
    const askedMs = performance.now() - revokedAt
    const status = await statusOf(old.secret)
    if (status === 200) lastTakenMs = askedMs
    refusedInARow = status === 401 ? refusedInARow + 1 : 0
    expect(await statusOf(next.secret)).toBe(200)
    await sleep(20)
  }
  expect(lastTakenMs).toBeLessThan(REVOKED_WITHIN_MS)
  expect(await statusOf(key)).toBe(200)
})
