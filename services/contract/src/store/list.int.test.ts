// The filters of an account's list, against a naive filter in memory. [D71]
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { sql } from 'kysely'
import { withClient } from '@paraph/database/provision'
import { CONTRACT_TYPES, type CreateContract } from '@paraph/protocol/contract'
import { LISTED_STATUSES, PROBLEMS, type ListedStatus } from '@paraph/protocol/contract-list'
import type { Environment } from '@paraph/protocol/environment'
import type { Principal } from '@paraph/protocol/principal'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createSeededRandom } from '@paraph/testing/test/seeded-random-fixture'
import { bodyOf, openContractFixture, PRINCIPAL, requestOf, type ContractFixture } from '../../test/contract-fixture.js'
import { isFinal, statusAt } from '../domain/contract.js'
import type { ContractRecord } from './contract-record.js'
import { createContractList, type ContractList } from './list.js'
import type { Filter, Position } from './list-sources.js'

let fixture: ContractFixture
beforeAll(async () => {
  fixture = await openContractFixture()
})
afterAll(() => fixture.close())

const newOwner = (environment: Environment = 'production'): Principal => ({
  ...PRINCIPAL,
  environment,
  accountId: `acc_${randomUUID()}`,
})
const create = async (principal: Principal, body: Partial<CreateContract> = {}) =>
  (await fixture.creation.create({ ...bodyOf(2), ...body }, requestOf({ principal }))).contract
const change = (statement: string, ...values: unknown[]) =>
  withClient(fixture.clone.ownerUrl, (client) => client.query(statement, values))

/** More find nothing more, and every page of a list is a few statements. */
const CONTRACTS = 120
const FILTERS = 60

type Wanted = Filter & { search?: string }

/** All pages of a list, older and older, then back from the first contract of the last page. */
async function readAll({ list }: ContractList, owner: Principal, wanted: Wanted, limit: number) {
  const forth: string[] = []
  let lastPage: Position[] = []
  // Every look goes on by at least one contract.
  let looks = 0
  for (let older: Position | undefined; ;) {
    expect((looks += 1)).toBeLessThanOrEqual(CONTRACTS + 1)
    const { contracts, next } = await list(owner, wanted, { limit, older })
    forth.push(...contracts.map(({ id }) => id))
    expect(contracts.length).toBeLessThanOrEqual(limit)
    lastPage = contracts
    if (!next) break
    older = next
  }
  const back: string[] = []
  for (let newer: Position | undefined = lastPage[0]; newer;) {
    const { contracts, next } = await list(owner, wanted, { limit, newer })
    back.unshift(...contracts.map(({ id }) => id))
    newer = next
  }
  return { forth, back, before: lastPage.length > 0 ? forth.slice(0, -lastPage.length) : [] }
}

describe.each(['production', 'sandbox'] as const)('in %s', (environment) => {
  const random = createSeededRandom(71)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const chance = (share: number) => random() < share
  const owner = newOwner(environment)
  const NAMES = ['Jane', 'Janet', 'Zoë', 'Nordic', 'Nordica', 'Foods', 'Ltd.', "O'Brien", 'Smith-Jones', 'Inc.']
  const SEARCHES = [
    'jan',
    'jane',
    'zoe',
    'nord',
    'nordic',
    'foods',
    'ltd',
    'brien',
    "o'brien",
    'jones',
    'inc',
    '10',
    'order',
    'none',
  ]
  /** Contracts are up to so old. */
  const HOURS = environment === 'production' ? 20 * 24 : 3

  interface Model {
    record: ContractRecord
    texts: string[]
    isDeclined: boolean
    hasProblem: boolean
  }
  let models: Model[]
  let now: Date
  beforeAll(async () => {
    const nameOf = () => Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(NAMES)).join(' ')
    const made: { id: string; texts: string[] }[] = []
    for (let n = 0; n < CONTRACTS; n += 1) {
      const parties = [0, 1].map((at) => ({
        role: 'Party',
        legalName: nameOf(),
        email: `${pick(['jane', 'zoe'])}.p${at}@example.test`,
      }))
      const metadata = chance(0.3) ? { order: String(10_000 + (n % 7)) } : {}
      const senderName = chance(0.2) ? 'Foods' : undefined
      const { id, contractNumber } = await create(owner, {
        parties,
        metadata,
        contractType: pick(CONTRACT_TYPES.slice(0, 3)),
        senderName,
      })
      const texts = [
        contractNumber,
        ...parties.flatMap(({ legalName, email }) => [legalName, email]),
        senderName ?? owner.account.senderName,
        ...Object.entries(metadata).flat(),
      ]
      made.push({ id, texts })
      if (chance(0.2)) await fixture.store.execute(id, { type: 'decline', partyIndex: 1, declineId: randomUUID() })
      for (const partyIndex of [0, 1])
        if (chance(0.4)) await fixture.store.execute(id, { type: 'sign', partyIndex, attemptId: randomUUID() })
      if (chance(0.1)) await fixture.store.execute(id, { type: 'cancel', actor: 'owner' })
      if (environment === 'sandbox' && chance(0.1)) await fixture.store.execute(id, { type: 'expire', isEarly: true })
      if (chance(0.2)) {
        const deliveries = { 0: ['sent', 1], 1: [pick(['delayed', 'refused']), 2] }
        await change('update contract set deliveries = $2, has_delivery_problem = true where id = $1', id, deliveries)
      }
      // Some share a millisecond with others, and some are past their expiry without a sweep.
      const halfHours = 1 + Math.floor(random() * HOURS * 2)
      for (const [table, key] of [
        ['contract', 'id'],
        ['contract_word', 'contract_id'],
      ])
        await change(
          `update ${table} set expires_at = date_trunc('minute', expires_at) - $2 * interval '30 minutes' ${
            table === 'contract' ? ", created_at = date_trunc('minute', created_at) - $2 * interval '30 minutes'" : ''
          } where ${key} = $1`,
          id,
          halfHours,
        )
    }
    const records = await Promise.all(made.map(({ id }) => fixture.store.findById(id)))
    now = records[0]!.readAt
    models = records.map((record, index) => {
      const { parties, deliveries } = record!
      return {
        record: record!,
        texts: made[index]!.texts,
        isDeclined: parties.some(({ declinedAt }) => declinedAt !== null),
        hasProblem:
          !isFinal(statusAt(record!, now)) &&
          Object.values(deliveries).some(([state]) => state === 'delayed' || state === 'refused'),
      }
    })
  }, 120_000)

  const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  /** A word, or its part after a sign, begins with the term. */
  const hasWord = (texts: readonly string[], term: string) =>
    texts.some((text) =>
      plain(text)
        .split(' ')
        .some((word) => [...word.matchAll(/[a-z0-9]+/g)].some(({ index }) => word.startsWith(term, index))),
    )
  const hasStatus = ({ record }: Model, wanted: ListedStatus) => {
    const status = statusAt(record, now)
    if (wanted === 'open') return !isFinal(status)
    if (wanted === 'expiring') return !isFinal(status) && record.expiresAt.getTime() <= now.getTime() + 3 * 86_400_000
    return status === wanted
  }
  const matches = (model: Model, { search, status, contractType, problem, createdFrom, createdBefore }: Wanted) =>
    (search ?? '').split(' ').every((term) => hasWord(model.texts, term)) &&
    (status === undefined || hasStatus(model, status)) &&
    (contractType === undefined || model.record.contractType === contractType) &&
    (problem === undefined || (problem === 'declined' ? model.isDeclined : model.hasProblem)) &&
    (createdFrom === undefined || model.record.createdAt >= createdFrom) &&
    (createdBefore === undefined || model.record.createdAt < createdBefore)

  const randomFilter = (): Wanted => {
    const hoursAgo = (most: number) => new Date(now.getTime() - Math.floor(random() * most) * 3_600_000)
    return {
      ...(chance(0.6) && {
        search: Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(SEARCHES)).join(' '),
      }),
      ...(chance(0.4) && { status: pick(LISTED_STATUSES) }),
      ...(chance(0.3) && { contractType: pick(CONTRACT_TYPES.slice(0, 4)) }),
      ...(chance(0.3) && { problem: pick(PROBLEMS) }),
      ...(chance(0.3) && { createdFrom: hoursAgo(HOURS) }),
      ...(chance(0.3) && { createdBefore: hoursAgo(HOURS) }),
    }
  }

  it.each([
    ['small bounds', { window: 7, checks: 3 }],
    ['the bounds of production', undefined],
  ])(
    'each filter finds what a naive filter finds, each contract once, forth and back, with %s',
    async (_, bounds) => {
      const lists = createContractList(fixture.database, bounds)
      let found = 0
      for (let n = 0; n < FILTERS; n += 1) {
        const wanted = randomFilter()
        const expected = models
          .filter((model) => matches(model, wanted))
          .map(({ record }) => record)
          .toSorted((a, b) => Number(b.expiresAt) - Number(a.expiresAt) || (a.id < b.id ? 1 : -1))
          .map(({ id }) => id)
        const { forth, back, before } = await readAll(lists, owner, wanted, 1 + Math.floor(random() * 20))
        expectWithMessage(forth, JSON.stringify(wanted)).toEqual(expected)
        expectWithMessage(back, `back: ${JSON.stringify(wanted)}`).toEqual(before)
        found += expected.length
      }
      // The filters are neither all empty nor all full.
      expect(found).toBeGreaterThan(FILTERS)
    },
    120_000,
  )

  it('the overview counts what the filters find', async () => {
    const overview = await createContractList(fixture.database).overview(owner)
    const countOf = (wanted: Wanted) => ({
      count: models.filter((model) => matches(model, wanted)).length,
      isMore: false,
    })
    const took = models
      .flatMap(({ record: { completedAt, createdAt } }) =>
        completedAt ? [Number(completedAt) - Number(createdAt)] : [],
      )
      .toSorted((a, b) => a - b)
    expect(overview).toMatchObject({
      waiting: countOf({ status: 'open' }),
      expiring: countOf({ status: 'expiring' }),
      delivery: countOf({ problem: 'delivery' }),
      declined: countOf({ problem: 'declined' }),
      completed: { count: took.length, isMore: false },
    })
    const middle = (took.length - 1) / 2
    expect(overview.medianMs).toBeCloseTo((took[Math.floor(middle)]! + took[Math.ceil(middle)]!) / 2, 0)
  })
})

describe('a search', () => {
  it('finds only contracts of the account and the environment', async () => {
    const owner = newOwner()
    const { contractNumber, id } = await create(owner)
    const { list } = createContractList(fixture.database)
    const idsFor = async (tenant: Principal) =>
      (await list(tenant, { search: contractNumber }, { limit: 5 })).contracts.map((contract) => contract.id)
    expect(await idsFor(owner)).toEqual([id])
    for (const other of [newOwner(), { ...owner, environment: 'sandbox' as const }])
      expect(await idsFor(other)).toEqual([])
  })

  it('for a beginning of more than ten words finds the whole word alone, and says so', async () => {
    const owner = newOwner()
    for (let n = 0; n < 11; n += 1) await create(owner, { senderName: `Order${n}x` })
    const whole = await create(owner, { senderName: 'Order' })
    const { list } = createContractList(fixture.database)
    const found = async (search: string) => {
      const { contracts, broad } = await list(owner, { search }, { limit: 20 })
      return { ids: contracts.map(({ id }) => id), broad }
    }
    expect(await found('order')).toEqual({ ids: [whole.id], broad: ['ORDER'] })
    expect(await found('orde')).toEqual({ ids: [], broad: ['ORDE'] })
    expect((await found('order1')).ids).toHaveLength(2)
  })

  it.each(['%', '_', ' .-', '\u0000', '\uD800', '🎉', "'; drop table contract_word; --", 'x'.repeat(10_000)])(
    'for %j finds nothing and fails nowhere',
    async (search) => {
      const owner = newOwner()
      await create(owner)
      const { list } = createContractList(fixture.database)
      expect((await list(owner, { search }, { limit: 5 })).contracts).toEqual([])
    },
  )
})

describe('the words of a contract', () => {
  const wordsOf = async (id: string) => {
    const { rows } = await sql<{
      word: string
    }>`select word from contract_word where contract_id = ${id} order by word`.execute(fixture.database)
    return rows.map(({ word }) => word)
  }

  it('are erased with its names, except those of its number, which still finds it [D43]', async () => {
    const owner = newOwner()
    const { id, contractNumber } = await create(owner, { metadata: { customer: 'Müller' } })
    expect(await wordsOf(id)).toEqual(expect.arrayContaining(['PERSON', 'P0@EXAMPLE.TEST', 'CUSTOMER', 'MULLER']))
    await fixture.store.execute(id, { type: 'cancel', actor: 'owner' })
    await fixture.store.execute(id, { type: 'erase' })
    const [, day, end] = contractNumber.split('-')
    expect(await wordsOf(id)).toEqual([`${day}-${end}`, end!, contractNumber].toSorted())
    const { list } = createContractList(fixture.database)
    const idsFor = async (search: string) =>
      (await list(owner, { search }, { limit: 5 })).contracts.map((each) => each.id)
    expect([await idsFor('muller'), await idsFor(end!)]).toEqual([[], [id]])
  })
})

it('a decline counts until the party signs [D57]', async () => {
  const owner = newOwner()
  const { id } = await create(owner)
  const isDeclined = async () => {
    const { list } = createContractList(fixture.database)
    return (await list(owner, { problem: 'declined' }, { limit: 5 })).contracts.map((contract) => contract.isDeclined)
  }
  expect(await isDeclined()).toEqual([])
  const declined = (await fixture.store.execute(id, { type: 'decline', partyIndex: 1, declineId: randomUUID() }))!
  expect('events' in declined && declined.events).toHaveLength(1)
  expect(await isDeclined()).toEqual([true])
  await fixture.store.execute(id, { type: 'sign', partyIndex: 0, attemptId: randomUUID() })
  expect(await isDeclined()).toEqual([true])
  await fixture.store.execute(id, { type: 'sign', partyIndex: 1, attemptId: randomUUID() })
  expect(await isDeclined()).toEqual([])
})
