import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createLogger } from '@paraph/telemetry/logger'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import type { Kysely } from 'kysely'
import { NO_NOTIFIERS } from '../../test/gateway-fixture.js'
import type { GatewayDatabase } from '../database.js'
import { createAccountStore, type AccountStore } from './account-store.js'
import { listActs, COMMAND_LINE } from './audit.js'
import { createContractErasures } from './contract-erasures.js'

type Contract = Parameters<typeof createContractErasures>[0]['contract']

let clone: TestDatabase
let database: Kysely<GatewayDatabase>
let accounts: AccountStore
beforeAll(async () => {
  clone = await cloneTestDatabase('gateway')
  database = createDatabase<GatewayDatabase>(openPool(clone.url, { warn: () => undefined }))
  accounts = createAccountStore({ database, ...NO_NOTIFIERS })
})
afterAll(async () => {
  await database.destroy()
  await clone.drop()
})

const createAccount = async () =>
  (await accounts.create({ name: 'Nordic Foods Ltd.', email: 'owner@example.test', tier: 'growth' }, COMMAND_LINE)).id

/** The contract service with these due requests, two in a batch. `finishFails`: the next calls of `finish` fail. */
function contractServiceWith(accountOf: Record<string, string>, options: { finishFails?: number; kept?: string } = {}) {
  const due = new Set(Object.keys(accountOf))
  const erased = new Set<string>()
  let failures = options.finishFails ?? 0
  const calls = {
    due: {
      query: async ({ after = '' }) => ({
        contracts: [...due]
          .filter((id) => id > after)
          .toSorted()
          .slice(0, 2)
          .map((id) => ({ id, accountId: accountOf[id]! })),
      }),
    },
    carryOut: {
      mutate: async ({ id }: { id: string }) => {
        if (id === options.kept) return { isErased: false }
        erased.add(id)
        return { isErased: true }
      },
    },
    finish: {
      mutate: async ({ id }: { id: string }) => {
        failures -= 1
        if (failures >= 0) throw new Error('the contract service stopped')
        due.delete(id)
      },
    },
    hold: { mutate: async ({ id }: { id: string }) => ({ accountId: accountOf[id]! }) },
    release: { mutate: async ({ id }: { id: string }) => ({ accountId: accountOf[id]! }) },
  }
  const contract = calls as unknown as Contract
  return { erased, due, ...createContractErasures({ database, contract, logger: createLogger('gateway', 'silent') }) }
}

const actsOf = async (accountId: string) =>
  (await listActs(database, { accountId })).entries
    .filter(({ act }) => act.startsWith('contract.'))
    .map(({ act, actor, subject, facts }) => ({ act, actor, subject, facts }))

const erasedBy = (subject: string) => ({ act: 'contract.erased', actor: 'service', subject, facts: {} })

describe('the erasures that owners requested [D43, P32]', () => {
  it('are carried out in every batch, each with one entry of the audit log', async () => {
    const accountId = await createAccount()
    const ids = ['a', 'b', 'c', 'd', 'e'].map((name) => `contract-${name}`)
    const service = contractServiceWith(Object.fromEntries(ids.map((id) => [id, accountId])))
    await service.carryOutDue()
    expect([...service.erased].toSorted()).toEqual(ids)
    expect(service.due.size).toBe(0)
    expect((await actsOf(accountId)).toReversed()).toEqual(expect.arrayContaining(ids.map(erasedBy)))
    expect(await actsOf(accountId)).toHaveLength(ids.length)
  })

  it('pause while the account is suspended, and do not stop those of others', async () => {
    const [suspended, other] = [await createAccount(), await createAccount()]
    await accounts.setStatus(suspended, 'suspended', COMMAND_LINE)
    const service = contractServiceWith({ 'c-1': suspended, 'c-2': suspended, 'c-3': other })
    await service.carryOutDue()
    expect([...service.erased]).toEqual(['c-3'])
    expect(await actsOf(suspended)).toEqual([])
    await accounts.setStatus(suspended, 'active', COMMAND_LINE)
    await service.carryOutDue()
    expect([...service.erased].toSorted()).toEqual(['c-1', 'c-2', 'c-3'])
  })

  it('have one entry after a repeated round, and none if an owner kept the contract meanwhile', async () => {
    const accountId = await createAccount()
    const service = contractServiceWith({ 'r-1': accountId, 'r-2': accountId }, { finishFails: 1, kept: 'r-2' })
    await service.carryOutDue()
    expect(service.due.has('r-1')).toBe(true)
    await service.carryOutDue()
    expect(service.due.has('r-1')).toBe(false)
    expect(await actsOf(accountId)).toEqual([erasedBy('r-1')])
  })
})

it('a hold and its release are in the audit log, without the reason, which owners must not read [P32]', async () => {
  const accountId = await createAccount()
  const service = contractServiceWith({ 'h-1': accountId })
  await service.hold('h-1', 'secret inquiry', COMMAND_LINE)
  await service.release('h-1', COMMAND_LINE)
  expect(await actsOf(accountId)).toEqual([
    { act: 'contract.released', actor: 'command_line', subject: 'h-1', facts: {} },
    { act: 'contract.held', actor: 'command_line', subject: 'h-1', facts: {} },
  ])
})
