import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createDatabase, openPool } from '@paraph/database/pool'
import { withClient } from '@paraph/database/provision'
import type { Principal } from '@paraph/protocol/principal'
import { CONTRACT_STATUSES, type ContractType } from '@paraph/protocol/contract'
import { openRpcFixture } from '@paraph/rpc/test/caller-fixture'
import { refusalOf } from '@paraph/rpc/link'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { waitFor } from '@paraph/testing/wait-for'
import type { Command } from '../domain/contract.js'
import { bodyOf, openContractFixture, PRINCIPAL, requestOf, type ContractFixture } from '../../test/contract-fixture.js'
import { createContractList } from '../store/list.js'
import type { ContractDatabase } from '../database.js'
import { expireDue } from '../store/expiry.js'
import type { RpcRouter } from './rpc-router.js'

const RACES = 200

type Line = Awaited<ReturnType<typeof openRpcFixture<RpcRouter>>>
let fixture: ContractFixture
let gateway: Line
let signing: Line
beforeAll(async () => {
  fixture = await openContractFixture()
  gateway = await openRpcFixture({ caller: 'gateway', callee: 'contract', router: fixture.rpcRouter })
  signing = await openRpcFixture({ caller: 'signing', callee: 'contract', router: fixture.rpcRouter })
})
afterAll(async () => {
  await Promise.all([gateway.close(), signing.close()])
  await fixture.close()
})

let accounts = 0
/** Each test has an account of its own. */
let owner: Principal
beforeEach(() => {
  accounts += 1
  owner = { ...PRINCIPAL, accountId: `acc_${accounts}_${randomUUID()}` }
})

const asOwner = (principal = owner) => gateway.rpcFor(principal).console
const inSandbox = (): Principal => ({ ...owner, environment: 'sandbox' })
const stranger: Principal = { ...PRINCIPAL, accountId: 'acc_stranger' }

const create = (principal = owner, contractType: ContractType = 'nda') =>
  fixture.creation.create({ ...bodyOf(2), contractType }, requestOf({ principal })).then(({ contract }) => contract)
const sign = (partyIndex: number): Command => ({ type: 'sign', partyIndex, attemptId: randomUUID() })

/** Runs a statement as the owner role, which may change rows that the service cannot change. */
const change = (statement: string, ...values: unknown[]) =>
  withClient(fixture.clone.ownerUrl, (client) => client.query(statement, values))
const age = (id: string, by: string) =>
  change(
    `update contract set created_at = created_at - $2::interval, expires_at = expires_at - $2::interval where id = $1`,
    id,
    by,
  )

/** Creates a contract of each status, and a second expired one whose expiry no sweep has stored. Returns all, newest first. */
async function createEachStatus() {
  const created = []
  for (const status of ['unswept', 'expired', 'cancelled', 'signed', 'partially_signed', 'pending_signature']) {
    const { id } = await create()
    if (status === 'signed') await fixture.store.execute(id, sign(1))
    if (status === 'signed' || status === 'partially_signed') await fixture.store.execute(id, sign(0))
    if (status === 'cancelled') await fixture.store.execute(id, { type: 'cancel', actor: 'owner' })
    if (status === 'expired' || status === 'unswept') await age(id, '15 days')
    if (status === 'expired') await expireDue(fixture.database, 1_000)
    created.unshift({ id, status })
  }
  // The sweep above expired this contract too, so its state before the sweep is restored.
  const unswept = created.at(-1)!
  await change("update contract set status = 'pending_signature', version = 1 where id = $1", unswept.id)
  await age(unswept.id, '1 day')
  return created
}

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => refusalOf(error),
  )

describe('the list of an account [D10, D20]', () => {
  it('shows the newest first, with progress, end and erasure of each contract', async () => {
    const created = await createEachStatus()
    const expired = created.find(({ status }) => status === 'expired')!
    await fixture.store.execute(expired.id, { type: 'erase' })
    const { contracts, older, newer } = await asOwner().list.query({})
    expect(contracts.map(({ id }) => id)).toEqual(created.map(({ id }) => id))
    expect(contracts.map(({ status }) => status)).toEqual(
      created.map(({ status }) => (status === 'unswept' ? 'expired' : status)),
    )
    expect(contracts.map(({ signed, total }) => `${signed} of ${total}`)).toEqual([
      '0 of 2',
      '1 of 2',
      '2 of 2',
      '0 of 2',
      '0 of 2',
      '0 of 2',
    ])
    const [pending, partial, signed, cancelled, swept, unswept] = contracts
    expect([pending!.endedAt, partial!.endedAt]).toEqual([null, null])
    expect(signed!.endedAt).toBe((await fixture.store.findById(signed!.id))!.completedAt!.toISOString())
    expect(cancelled!.endedAt).toBe((await fixture.store.findById(cancelled!.id))!.cancelledAt!.toISOString())
    expect([swept!.endedAt, unswept!.endedAt]).toEqual([swept!.expiresAt, unswept!.expiresAt])
    expect(contracts.map(({ isErased }) => isErased)).toEqual([false, false, false, false, true, false])
    expect([older, newer]).toEqual([null, null])
  })

  it('names the sender and the first two parties in their order, so that people can tell contracts apart', async () => {
    await fixture.creation.create(bodyOf(3), requestOf({ principal: owner }))
    const [listed] = (await asOwner().list.query({})).contracts
    expect(listed).toMatchObject({
      senderName: owner.account.senderName,
      partyNames: ['Person 0', 'Person 1'],
      total: 3,
    })
  })

  it.each(CONTRACT_STATUSES)(
    'filters by the status %s at the time of the query, before and after the sweep',
    async (status) => {
      const created = await createEachStatus()
      const { contracts } = await asOwner().list.query({ status })
      const expected = created.filter((each) => (each.status === 'unswept' ? 'expired' : each.status) === status)
      expect(contracts.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
      expect(contracts.every((contract) => contract.status === status)).toBe(true)
    },
  )

  it('filters by type, by type and status, and by number and name in any letter case', async () => {
    const nda = await create()
    const service = await create(owner, 'service')
    await fixture.store.execute(service.id, { type: 'cancel', actor: 'owner' })
    const ids = async (filter: Parameters<ReturnType<typeof asOwner>['list']['query']>[0]) =>
      (await asOwner().list.query(filter)).contracts.map(({ id }) => id)
    expect(await ids({ contractType: 'service' })).toEqual([service.id])
    expect(await ids({ contractType: 'service', status: 'pending_signature' })).toEqual([])
    expect(await ids({ contractType: 'nda', status: 'pending_signature' })).toEqual([nda.id])
    expect(await ids({ search: ` ${nda.contractNumber.toLowerCase()} ` })).toEqual([nda.id])
    expect(await ids({ search: nda.contractNumber, status: 'cancelled' })).toEqual([])
    expect(await ids({ search: 'PERSON p1@example.test', status: 'cancelled' })).toEqual([service.id])
    expect(await ids({ search: ' ' })).toEqual([service.id, nda.id])
  })

  it.each([{}, { status: 'pending_signature' as const }, { contractType: 'nda' as const }])(
    'pages through all contracts and back, each once, filtered by %j',
    async (filter) => {
      const created = []
      for (let n = 0; n < 7; n += 1) created.unshift((await create()).id)
      // Two contracts with the same expiry, so that their ids decide the order.
      await change(
        'update contract set expires_at = (select expires_at from contract where id = $1) where id = $2',
        created[2],
        created[3],
      )
      const [first, second] = [created[2]!, created[3]!].toSorted().toReversed()
      created.splice(2, 2, first!, second!)
      const query = (page?: { older: string } | { newer: string }) =>
        asOwner().list.query({ ...filter, limit: 3, ...(page ? { page } : {}) })
      const forth = [await query()]
      while (forth.at(-1)!.older) forth.push(await query({ older: forth.at(-1)!.older! }))
      expect(forth.map(({ contracts }) => contracts.length)).toEqual([3, 3, 1])
      expect(forth.flatMap(({ contracts }) => contracts.map(({ id }) => id))).toEqual(created)
      const back = [forth.at(-1)!]
      while (back.at(-1)!.newer) back.push(await query({ newer: back.at(-1)!.newer! }))
      expect(back.map(({ contracts }) => contracts.map(({ id }) => id))).toEqual(
        forth.toReversed().map(({ contracts }) => contracts.map(({ id }) => id)),
      )
      expect(back.map(({ older }) => older !== null)).toEqual([false, true, true])
    },
  )

  it('lists no contract as expired while its last signature, decided in time, is uncommitted [I3]', async () => {
    const { id } = await create()
    await fixture.store.execute(id, sign(0))
    await change("update contract set expires_at = clock_timestamp() + interval '300 milliseconds' where id = $1", id)
    const { all, expired } = await withClient(fixture.clone.adminUrl, async (client) => {
      await client.query('begin')
      await client.query('select 1 from contract where id = $1 for update', [id])
      await client.query('insert into signature values ($1, 1, $2, clock_timestamp())', [id, randomUUID()])
      await client.query(
        "update contract set status = 'signed', version = version + 1, completed_at = clock_timestamp() where id = $1",
        [id],
      )
      await client.query('select pg_sleep_until(expires_at) from contract where id = $1', [id])
      const reading = Promise.all([asOwner().list.query({}), asOwner().list.query({ status: 'expired' })])
      await waitFor(async () => expect(await countWaiting()).toBe(2))
      await client.query('commit')
      const [all, expired] = await reading
      return { all, expired }
    })
    expect(all.contracts.map(({ status }) => status)).toEqual(['signed'])
    expect(expired.contracts).toEqual([])
  })

  it('has no contract newer than the largest position', async () => {
    await create()
    expect(await asOwner().list.query({ page: { newer: '9999999999999.x' }, status: 'expired' })).toMatchObject({
      contracts: [],
      newer: null,
      older: null,
    })
  })

  it('refuses an invalid position and a page of more than fifty contracts', async () => {
    for (const input of [{ page: { older: 'x' } }, { page: { newer: '99999999999999.x' } }, { limit: 51 }])
      expect(await refusal(asOwner().list.query(input))).toMatchObject({ code: 'invalid_request' })
  })
})

describe('the counts of an account', () => {
  it('cover all contracts, the contracts that are still open, and the completed ones', async () => {
    expect(await asOwner().count.query()).toEqual({ total: { count: 0, isMore: false } })
    expect(await asOwner().overview.query()).toMatchObject({ completed: { count: 0 }, medianMs: null })
    await createEachStatus()
    await create()
    expect(await asOwner().count.query()).toEqual({ total: { count: 7, isMore: false } })
    expect(await asOwner().overview.query()).toMatchObject({
      waiting: { count: 3, isMore: false },
      expiring: { count: 0, isMore: false },
      completed: { count: 1, isMore: false },
    })
  })

  it('stop at a thousand; beyond that, isMore is true', async () => {
    const { id } = await create()
    await fixture.store.execute(id, sign(0))
    const copies = (from: number, to: number) =>
      change(
        `insert into contract (id, account_id, environment, contract_number, contract_type, status, sender_name, account_name,
           mail_language, time_zone, content, content_sha256, metadata, share_token_sha256, share_token_key_id, request_id, version,
           created_at, expires_at, changed_at)
         select id || n, account_id, environment, id || n, contract_type, 'pending_signature', '', '', '', '', '', '', '{}',
           sha256((id || n)::bytea), '', n, 1, created_at, expires_at, changed_at
           from contract, generate_series($2::int, $3::int) n where id = $1`,
        id,
        from,
        to,
      )
    await copies(2, 1_000)
    const counted = async () => {
      const { total } = await asOwner().count.query()
      const { waiting } = await asOwner().overview.query()
      return [total, waiting]
    }
    expect(await counted()).toEqual(Array(2).fill({ count: 1_000, isMore: false }))
    await copies(1_001, 1_001)
    expect(await counted()).toEqual(Array(2).fill({ count: 1_000, isMore: true }))
  })
})

describe('what an operator looks at [D75]', () => {
  it('counts the contracts of the last 30 days, and of their invitations those that ended and those that were refused', async () => {
    const [first, second, old] = [await create(), await create(), await create()]
    await create(inSandbox())
    await create({ ...owner, accountId: 'acc_another' })
    const deliver = (id: string, states: Record<string, [string, number]>) =>
      change('update contract set deliveries = $2 where id = $1', id, JSON.stringify(states))
    await deliver(first.id, { 0: ['sent', 1], 1: ['refused', 2] })
    await deliver(second.id, { 0: ['delayed', 1] })
    await deliver(old.id, { 0: ['refused', 1] })
    await age(second.id, '29 days')
    await age(old.id, '31 days')
    expect(await asOwner().lately.query()).toEqual({
      contracts: { count: 2, isMore: false },
      invitations: { ended: 2, refused: 1 },
    })
  })

  it('can be cancelled by an operator, which the owner sees', async () => {
    const { id } = await create()
    await asOwner().cancel.mutate({ id, reason: 'Reported.', actor: 'operator' })
    expect(await asOwner().detail.query({ id })).toMatchObject({ cancelledBy: 'operator', cancelReason: 'Reported.' })
  })
})

describe('one contract of an account', () => {
  it('shows all stored data except the text, and the share link until it expires [D46]', async () => {
    const created = await create()
    await fixture.store.execute(created.id, sign(0))
    const record = (await fixture.store.findById(created.id))!
    const detail = await asOwner().detail.query({ id: created.id })
    expect(detail).toEqual({
      id: created.id,
      contractNumber: created.contractNumber,
      contractType: 'nda',
      status: 'partially_signed',
      senderName: 'Nordic Foods Ltd.',
      accountName: 'Nordic Foods Ltd.',
      language: 'en+fr',
      metadata: {},
      contentSha256: record.contentSha256.toString('hex'),
      contentBytes: Buffer.byteLength(bodyOf(2).content),
      signingProgress: { signed: 1, total: 2, pending: 1, percentage: 50 },
      parties: created.parties.map((party, index) => ({
        ...party,
        signedAt: index === 0 ? record.parties[0]!.signedAt!.toISOString() : null,
        declinedAt: null,
        addressNumber: 0,
      })),
      createdAt: created.createdAt,
      expiresAt: created.expiresAt,
      completedAt: null,
      cancelledAt: null,
      cancelledBy: null,
      cancelReason: null,
      erasedAt: null,
      erasure: null,
      isHeld: false,
      shareUrl: created.shareUrl,
    })
    await age(created.id, '14 days')
    expect(await asOwner().detail.query({ id: created.id })).toMatchObject({ status: 'expired', shareUrl: null })
  })

  it('exports every contract once, batch by batch, with its text until it is erased [D43]', async () => {
    const created = []
    for (let count = 0; count < 41; count += 1) created.unshift((await create()).id)
    await fixture.store.execute(created[40]!, { type: 'cancel', actor: 'owner' })
    await fixture.store.execute(created[40]!, { type: 'erase' })
    const parts = []
    for (let older: string | undefined; ;) {
      const part = await asOwner().exported.query(older === undefined ? {} : { older })
      parts.push(part.contracts)
      if (part.older === null) break
      older = part.older
    }
    expect(parts.map((part) => part.length)).toEqual([20, 20, 1])
    // Ids begin with the millisecond; the rest of the id orders contracts of one millisecond.
    expect(parts.flat().map(({ id }) => id)).toEqual(created.toSorted().reverse())
    const [first, last] = [parts[0]![0]!, parts[2]![0]!]
    expect(first).toMatchObject({ content: bodyOf(2).content, status: 'pending_signature' })
    expect(first.parties[0]).toHaveProperty('email')
    expect(first).not.toHaveProperty('shareUrl')
    expect([last.content, last.erasedAt === null]).toEqual([null, false])
  })

  it('an owner expires a contract of the sandbox at once, and none of production or of another account [D63]', async () => {
    const [sandbox, production] = [await create(inSandbox()), await create()]
    await fixture.store.execute(sandbox.id, sign(0))
    for (const principal of [owner, { ...inSandbox(), accountId: stranger.accountId }])
      expect(
        refusalOf(
          await asOwner(principal)
            .expireNow.mutate({ id: production.id })
            .catch((error: unknown) => error),
        ),
      ).toMatchObject({ code: 'not_found' })
    expect(await asOwner(inSandbox()).expireNow.mutate({ id: sandbox.id })).toEqual({ hasExpired: true })
    expect(await asOwner(inSandbox()).expireNow.mutate({ id: sandbox.id })).toEqual({ hasExpired: false })
    const { status, expiresAt, changedAt } = (await fixture.store.findById(sandbox.id))!
    expect([status, expiresAt]).toEqual(['expired', changedAt])
    expect(await fixture.store.execute(sandbox.id, sign(1))).toMatchObject({ refusal: 'expired' })
    expect((await fixture.store.findById(production.id))!.status).toBe('pending_signature')
  })

  it('shows who cancelled and why, and after erasure neither the reason nor any name [D19, D43]', async () => {
    const { id } = await create()
    await asOwner().cancel.mutate({ id, reason: '  Wrong annex. ' })
    expect(await asOwner().detail.query({ id })).toMatchObject({
      status: 'cancelled',
      cancelledBy: 'owner',
      cancelReason: 'Wrong annex.',
    })
    await fixture.store.execute(id, { type: 'erase' })
    const { erasedAt, cancelReason, parties, shareUrl } = await asOwner().detail.query({ id })
    expect({ cancelReason, parties, shareUrl }).toEqual({
      cancelReason: null,
      parties: Array(2).fill({
        role: 'erased',
        legalName: 'erased',
        email: 'erased',
        signedAt: null,
        declinedAt: null,
        addressNumber: 0,
      }),
      shareUrl: null,
    })
    expect(erasedAt).not.toBeNull()
  })
})

describe('cancelling [D19]', () => {
  it('reports the cancellation; a repeated request gets already_cancelled with the first time, and the first reason stays', async () => {
    const { id } = await create()
    const first = await asOwner().cancel.mutate({ id, reason: 'First.' })
    const again = await asOwner().cancel.mutate({ id, reason: 'Second.' })
    expect(first).toEqual({ outcome: 'cancelled', at: expect.any(String) })
    expect(again).toEqual({ outcome: 'already_cancelled', at: first.at })
    expect(await asOwner().detail.query({ id })).toMatchObject({ cancelReason: 'First.', cancelledAt: first.at })
  })

  it('reports a contract that was signed or has expired, with the time of its end [D20]', async () => {
    const [signed, expired] = [await create(), await create()]
    for (const party of [0, 1]) await fixture.store.execute(signed.id, sign(party))
    await age(expired.id, '14 days')
    const { completedAt } = await asOwner().detail.query({ id: signed.id })
    const { expiresAt } = await asOwner().detail.query({ id: expired.id })
    expect(await asOwner().cancel.mutate({ id: signed.id })).toEqual({ outcome: 'signed', at: completedAt })
    expect(await asOwner().cancel.mutate({ id: expired.id })).toEqual({ outcome: 'expired', at: expiresAt })
  })

  it('corrects the address of a party, once for two clicks, and forgets where the old invitation stands [D61, D52]', async () => {
    const { id } = await create()
    await sql`update contract set deliveries = '{"1": ["refused", 1]}' where id = ${id}`.execute(fixture.database)
    const wanted = { id, partyIndex: 1, addressNumber: 0, email: 'right@example.test' }
    expect(await asOwner().readdress.mutate(wanted)).toEqual({ outcome: 'readdressed' })
    expect(await asOwner().readdress.mutate(wanted)).toEqual({ outcome: 'unchanged' })
    const another = { ...wanted, email: 'other@example.test' }
    expect(await asOwner().readdress.mutate(another)).toEqual({ outcome: 'refused', reason: 'readdressed' })
    const { parties } = await asOwner().detail.query({ id })
    expect(parties.map(({ email, addressNumber }) => [email, addressNumber])).toEqual([
      ['p0@example.test', 0],
      ['right@example.test', 1],
    ])
    const { rows } = await sql`select deliveries from contract where id = ${id}`.execute(fixture.database)
    expect(rows).toEqual([{ deliveries: {} }])
    for (const search of ['p1@example.test', 'right@example.test'])
      expect((await asOwner().list.query({ search })).contracts.map((each) => each.id)).toEqual([id])
    const view = await signing.rpc.ceremony.byId.query({ contractId: id })
    expect(view!.readdresses).toEqual([{ partyIndex: 1, oldEmail: 'p1@example.test', at: expect.any(String) }])
  })

  it('corrects nothing for a party that has signed, a contract of another account, and no mail address [D61]', async () => {
    const { id } = await create()
    await fixture.store.execute(id, sign(0))
    const wanted = { id, partyIndex: 0, addressNumber: 0, email: 'right@example.test' }
    expect(await asOwner().readdress.mutate(wanted)).toEqual({ outcome: 'refused', reason: 'already_signed' })
    await expect(asOwner(stranger).readdress.mutate({ ...wanted, partyIndex: 1 })).rejects.toThrow()
    await expect(asOwner().readdress.mutate({ ...wanted, partyIndex: 1, email: 'nobody' })).rejects.toThrow()
    await sql`select readdress_party(${id}, 0, 1, 'stolen@example.test', now(), 9)`.execute(fixture.database)
    expect((await asOwner().detail.query({ id })).parties[0]!.email).toBe('p0@example.test')
  })

  it('erases the address from before a correction too [D61, D43]', async () => {
    const { id } = await create()
    await asOwner().readdress.mutate({ id, partyIndex: 1, addressNumber: 0, email: 'right@example.test' })
    await fixture.store.execute(id, { type: 'cancel', actor: 'owner' })
    await fixture.store.execute(id, { type: 'erase' })
    expect(
      await fixture.database.selectFrom('readdress').select('old_email').where('contract_id', '=', id).execute(),
    ).toEqual([{ old_email: 'erased' }])
  })

  it('reports the stored outcome in a race with the last signer [F13-F15]', async () => {
    const winners = new Set<string>()
    for (let run = 0; run < RACES; run += 1) {
      const { id } = await create()
      await fixture.store.execute(id, sign(0))
      const { contentSha256 } = await asOwner().detail.query({ id })
      const signature = { contractId: id, partyIndex: 1, attemptId: randomUUID(), contentSha256 }
      const [cancelled, signed] = await Promise.all([
        asOwner().cancel.mutate({ id }),
        signing.rpc.ceremony.sign.mutate(signature),
      ])
      const { status, completedAt, cancelledAt } = await asOwner().detail.query({ id })
      winners.add(status)
      if (status === 'signed') {
        expect(cancelled).toEqual({ outcome: 'signed', at: completedAt })
        expect(signed).toMatchObject({ outcome: 'recorded' })
      } else {
        expect([status, cancelled]).toEqual(['cancelled', { outcome: 'cancelled', at: cancelledAt }])
        expect(signed).toEqual({ outcome: 'refused', reason: 'cancelled' })
      }
    }
    expectWithMessage(winners, 'both outcomes occurred, so the calls raced').toEqual(new Set(['signed', 'cancelled']))
  })

  it('cancels once when two requests arrive at the same time', async () => {
    const { id } = await create()
    const outcomes = await Promise.all([1, 2].map(() => asOwner().cancel.mutate({ id })))
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['already_cancelled', 'cancelled'])
    expect(new Set(outcomes.map(({ at }) => at)).size).toBe(1)
  })

  it('refuses a reason that is too long or cannot be stored', async () => {
    const { id } = await create()
    for (const reason of ['x'.repeat(501), 'a\u0000b'])
      expect(await refusal(asOwner().cancel.mutate({ id, reason }))).toMatchObject({ code: 'invalid_request' })
    expect(await asOwner().detail.query({ id })).toMatchObject({ status: 'pending_signature' })
  })
})

describe('the request to erase [D43, P32]', () => {
  const BY = 'owner@example.test'
  const request = (id: string, by = BY) => asOwner().requestErasure.mutate({ id, by })

  it('is made once for a final contract, shown in list and detail, and taken back', async () => {
    const { id } = await create()
    expect(await request(id)).toEqual({ outcome: 'not_final' })
    await asOwner().cancel.mutate({ id })
    const first = await request(id)
    expect(first).toEqual({ outcome: 'requested', at: expect.any(String) })
    const at = 'at' in first ? first.at : ''
    expect(await request(id, 'other@example.test')).toEqual({ outcome: 'already_requested', at })
    expect(await asOwner().detail.query({ id })).toMatchObject({
      erasure: { at, by: BY },
      isHeld: false,
      erasedAt: null,
    })
    const listed = async () => (await asOwner().list.query({})).contracts.find((each) => each.id === id)
    expect(await listed()).toMatchObject({ eraseDueAt: at, isHeld: false })
    expect(await asOwner().keep.mutate({ id })).toEqual({ outcome: 'kept' })
    expect(await asOwner().keep.mutate({ id })).toEqual({ outcome: 'not_requested' })
    expect(await asOwner().detail.query({ id })).toMatchObject({ erasure: null })
    expect(await listed()).toMatchObject({ eraseDueAt: null })
  })

  it('is refused while an operator holds the contract, and the owner does not read the reason', async () => {
    const { id } = await create()
    await asOwner().cancel.mutate({ id })
    await gateway.rpc.erasure.hold.mutate({ id, reason: 'secret inquiry' })
    expect(await request(id)).toEqual({ outcome: 'held' })
    const detail = await asOwner().detail.query({ id })
    expect([detail.isHeld, JSON.stringify(detail).includes('inquiry')]).toEqual([true, false])
  })

  it('is carried out by the gateway alone, from the due time on', async () => {
    const { id } = await create()
    await asOwner().cancel.mutate({ id })
    await request(id)
    expect(await gateway.rpc.erasure.carryOut.mutate({ id })).toEqual({ isErased: false })
    await change("update contract set erase_due_at = now() - interval '1 second' where id = $1", id)
    expect(await refusal(signing.rpc.erasure.carryOut.mutate({ id }))).toMatchObject({ code: 'invalid_key' })
    expect((await gateway.rpc.erasure.due.query({})).contracts).toContainEqual({ id, accountId: owner.accountId })
    for (let times = 0; times < 2; times += 1)
      expect(await gateway.rpc.erasure.carryOut.mutate({ id })).toEqual({ isErased: true })
    await gateway.rpc.erasure.finish.mutate({ id })
    expect((await gateway.rpc.erasure.due.query({})).contracts).not.toContainEqual({ id, accountId: owner.accountId })
    expect(await request(id)).toEqual({ outcome: 'erased' })
    expect(await refusal(gateway.rpc.erasure.hold.mutate({ id, reason: 'late' }))).toMatchObject({
      code: 'invalid_request',
    })
  })
})

it('the text of a contract is the exact text, and null once it is erased [D43]', async () => {
  const { id } = await create()
  expect(await asOwner().text.query({ id })).toEqual({ content: bodyOf(2).content })
  await fixture.store.execute(id, { type: 'cancel', actor: 'owner' })
  await fixture.store.execute(id, { type: 'erase' })
  expect(await asOwner().text.query({ id })).toEqual({ content: null })
})

describe('the console router [D10, D44, D45]', () => {
  const UNKNOWN = 'contract-1795183380000-aaaaaaaaa'

  it('treats contracts of another account or environment like unknown ids, and changes nothing', async () => {
    const { id } = await create()
    const said = new Set<string>()
    for (const [principal, asked] of [
      [owner, UNKNOWN],
      [stranger, id],
      [inSandbox(), id],
    ] as const) {
      const other = asOwner(principal)
      for (const call of [
        () => other.detail.query({ id: asked }),
        () => other.text.query({ id: asked }),
        () => other.cancel.mutate({ id: asked }),
        () => other.requestErasure.mutate({ id: asked, by: 'owner@example.test' }),
        () => other.keep.mutate({ id: asked }),
      ]) {
        const refused = await refusal(call())
        said.add(`${refused?.code}: ${refused?.message}`)
      }
    }
    expect(said.size).toBe(1)
    expect([...said][0]).toMatch(/^not_found: /)
    expect(await asOwner().detail.query({ id })).toMatchObject({ status: 'pending_signature' })
  })

  it('lists and counts no contract of another account, neither by number nor by a position in its list', async () => {
    const { id, contractNumber, expiresAt } = await create()
    const place = `${Date.parse(expiresAt) + 1}.${id}`
    for (const principal of [stranger, inSandbox()]) {
      for (const input of [
        {},
        { search: contractNumber },
        { search: 'person' },
        { page: { older: place } },
        { status: 'pending_signature' as const },
      ])
        expect((await asOwner(principal).list.query(input)).contracts).toEqual([])
      expect((await asOwner(principal).exported.query({ older: place })).contracts).toEqual([])
      expect(await asOwner(principal).count.query()).toMatchObject({ total: { count: 0 } })
      expect(await asOwner(principal).overview.query()).toMatchObject({ waiting: { count: 0 } })
    }
  })

  it('refuses calls without an account and calls from other services', async () => {
    const { id } = await create()
    for (const calls of [gateway.rpc.console, signing.rpcFor(owner).console]) {
      for (const call of [
        () => calls.list.query({}),
        () => calls.count.query(),
        () => calls.overview.query(),
        () => calls.detail.query({ id }),
        () => calls.text.query({ id }),
        () => calls.exported.query({}),
        () => calls.cancel.mutate({ id }),
        () => calls.requestErasure.mutate({ id, by: 'owner@example.test' }),
        () => calls.keep.mutate({ id }),
      ])
        expect(await refusal(call())).toMatchObject({ code: 'invalid_key' })
    }
  })
})

/** The number of sessions that wait for a lock in this database. */
async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    fixture.database,
  )
  return rows[0]!.waiting
}

it('the list reads few database pages among twenty thousand contracts, from the start and the middle, for rare and common statuses and words [architecture: Hot paths, D71]', async () => {
  // Nearly all contracts are expired and of one account, so that a scan of the newest contracts looks cheap to the planner.
  const { id } = await create()
  await fixture.store.execute(id, sign(0))
  await change(
    `insert into contract (id, account_id, environment, contract_number, contract_type, status, sender_name, account_name,
       mail_language, time_zone, content, content_sha256, metadata, share_token_sha256, share_token_key_id, request_id, version,
       created_at, expires_at, changed_at)
     select id || n, account_id, environment, id || n, contract_type, 'expired', '', '', '', '', '', '', '{}',
       sha256((id || n)::bytea), '', n, 1, created_at, expires_at + make_interval(secs => n), changed_at
       from contract, generate_series(1, 20000) n where id = $1`,
    id,
  )
  await change(
    `insert into contract_word
     select account_id, environment, word, expires_at, id from contract, unnest(array['LTD', 'INC', 'W' || right(id, 2)]) word
      where account_id = $1 and status = 'expired'`,
    owner.accountId,
  )
  await change('vacuum analyze contract, contract_word')
  // One session, because pg_stat_force_next_flush() affects only the page counts of its own session.
  const database = createDatabase<ContractDatabase>(openPool(fixture.clone.url, { warn: () => undefined }, { max: 1 }))
  const pages = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(database)
    const { rows } = await sql<{ pages: number }>`
      select sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::int as pages
        from pg_statio_user_tables where relname in ('contract', 'contract_word')`.execute(database)
    return rows[0]!.pages
  }
  const { list, count, overview } = createContractList(database)
  const { expiresAt } = (await fixture.store.findById(id))!
  const middle = { expiresAt: new Date(expiresAt.getTime() + 10_000_000), id }
  const filters = [
    {},
    { status: 'partially_signed' },
    { status: 'signed' },
    { status: 'expired' },
    { contractType: 'service' },
    { problem: 'delivery' },
    { problem: 'declined' },
    { search: 'ltd' },
    // Two common words, a rare one, and a common word with a status that no contract has.
    { search: 'ltd inc' },
    { search: 'ltd w42' },
    { search: 'ltd', status: 'signed' },
  ] as const
  try {
    for (const filter of filters) {
      const before = await pages()
      await list(owner, filter, { limit: 10 })
      await list(owner, filter, { limit: 10, older: middle })
      await list(owner, filter, { limit: 10, newer: middle })
      // Contracts that several conditions leave in doubt are looked up one by one.
      expectWithMessage((await pages()) - before, JSON.stringify(filter)).toBeLessThan('search' in filter ? 1_200 : 500)
    }
    const before = await pages()
    await count(owner)
    await overview(owner)
    expect((await pages()) - before).toBeLessThan(400)
  } finally {
    await database.destroy()
  }
})
