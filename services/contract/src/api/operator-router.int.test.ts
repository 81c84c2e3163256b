// The contract procedures of the operator's command line. [D19, D45]
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { createMessagingRouter } from '@paraph/messaging/operator-router'
import type { Principal } from '@paraph/protocol/principal'
import { refusalOf } from '@paraph/rpc/link'
import { openRpcFixture } from '@paraph/rpc/test/caller-fixture'
import { openContractFixture, PRINCIPAL, type ContractFixture } from '../../test/contract-fixture.js'
import { createContractList } from '../store/list.js'
import { createOperatorRouter, type OperatorRouter } from './operator-router.js'

let fixture: ContractFixture
let operator: Awaited<ReturnType<typeof openRpcFixture<OperatorRouter>>>
beforeAll(async () => {
  fixture = await openContractFixture()
  const { store, database } = fixture
  const messaging = createMessagingRouter({ database })
  const router = createOperatorRouter({ store, list: createContractList(database), messaging })
  operator = await openRpcFixture({ caller: 'operator', callee: 'contract', router })
})
afterAll(async () => {
  await operator.close()
  await fixture.close()
})

/** Each test has an account of its own. */
let owner: Principal
beforeEach(() => void (owner = { ...PRINCIPAL, accountId: `acc_${randomUUID()}` }))

const create = (principal = owner) => fixture.createContract(2, { principal }).then(({ id }) => id)
const list = (input: Partial<Parameters<typeof operator.rpc.contract.list.query>[0]> = {}) =>
  operator.rpc.contract.list.query({ accountId: owner.accountId, environment: owner.environment, ...input })
const idsOf = ({ contracts }: Awaited<ReturnType<typeof list>>) => contracts.map(({ id }) => id)
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => refusalOf(error)?.message,
  )

it('an operator finds every contract of an account and environment page by page, newest first, and no other contract', async () => {
  const created: string[] = []
  for (let at = 0; at < 5; at += 1) created.unshift(await create())
  await create({ ...owner, environment: 'sandbox' })
  await create({ ...owner, accountId: `acc_${randomUUID()}` })
  const found: string[] = []
  for (;;) {
    const page = await list({ limit: 2, before: found.at(-1) })
    found.push(...idsOf(page))
    if (!page.hasMore) break
  }
  expect(found).toEqual(created)
})

it('an operator lists only the contracts with a status', async () => {
  const [pending, cancelled] = [await create(), await create()]
  await fixture.store.execute(cancelled, { type: 'cancel', actor: 'operator' })
  expect(idsOf(await list({ status: 'cancelled' }))).toEqual([cancelled])
  expect(idsOf(await list({ status: 'pending_signature' }))).toEqual([pending])
})

it('a page does not begin at a contract of another account or environment, or at an unknown contract', async () => {
  const elsewhere = [
    await create({ ...owner, accountId: `acc_${randomUUID()}` }),
    await create({ ...owner, environment: 'sandbox' }),
    'contract-1795183380000-k3v9x2m1q',
  ]
  for (const before of elsewhere)
    expect(await refusal(list({ before }))).toBe('before must be the id of a contract of the same list.')
})

it('an operator who names an unknown contract reads where to find its id, and nothing of keys', async () => {
  const id = 'contract-1795183380000-k3v9x2m1q'
  const { show, cancel, erase } = operator.rpc.contract
  for (const call of [() => show.query({ id }), () => cancel.mutate({ id }), () => erase.mutate({ id })])
    expect(await refusal(call())).toBe(
      'There is no contract with this id. List the contracts of its account to find it.',
    )
})
