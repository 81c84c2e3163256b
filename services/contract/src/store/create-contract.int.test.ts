import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { sql } from 'kysely'
import { pruneBatch } from '@paraph/database/retention'
import { bodyOf, openContractFixture, PRINCIPAL, requestOf, type ContractFixture } from '../../test/contract-fixture.js'
import { RETENTION } from '../retention.js'

let fixture: ContractFixture
beforeAll(async () => {
  fixture = await openContractFixture()
})
afterAll(() => fixture.close())

const sha = (text: string): Buffer => createHash('sha256').update(text).digest()
const count = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from contract`.execute(fixture.database)
  return rows[0]!.n
}

it('a created contract has the formats of the three identifiers and the lifetime of its environment [S4.1-2, D21, Environments]', async () => {
  const live = await fixture.createContract()
  expect(live.id).toMatch(/^contract-\d{13}-[a-z0-9]{9}$/)
  expect(live.contractNumber).toMatch(/^EXT-\d{8}-[A-HJ-NP-Z2-9]{8}$/)
  expect(live.contractNumber.slice(4, 12)).toBe(live.createdAt.slice(0, 10).replaceAll('-', ''))
  expect(live.id.split('-')[1]).toBe(String(Date.parse(live.createdAt)))
  expect(live.shareUrl).toBe(`https://sign.example.test/contract/${live.shareToken}`)
  expect(Buffer.from(live.shareToken, 'base64url')).toHaveLength(32)
  expect(Date.parse(live.expiresAt) - Date.parse(live.createdAt)).toBe(14 * 86_400_000)
  const sandbox = await fixture.createContract(2, { principal: { ...PRINCIPAL, environment: 'sandbox' } })
  expect(Date.parse(sandbox.expiresAt) - Date.parse(sandbox.createdAt)).toBe(3_600_000)
})

it('a contract keeps the text byte for byte and the parties in the order sent [S14.4, D14]', async () => {
  const content = 'A\r\n\r\nB\tC   \u202Eprice\u200B é \u{1F469}\u200D\u{1F467}\n\n\n'
  const { contract } = await fixture.creation.create({ ...bodyOf(3), content }, requestOf())
  expect(await fixture.store.readContent(contract.id)).toBe(content)
  expect((await fixture.store.findById(contract.id))!.contentSha256).toEqual(sha(content))
  expect(contract.parties.map(({ email }) => email)).toEqual(['p0@example.test', 'p1@example.test', 'p2@example.test'])
})

it('the sender name comes from the request, or else from the account; the approved account name is stored too [D23, D36]', async () => {
  const principal = { ...PRINCIPAL, account: { ...PRINCIPAL.account, senderName: 'Nordic procurement' } }
  const send = async (senderName?: string) => {
    const { contract } = await fixture.creation.create({ ...bodyOf(2), senderName }, requestOf({ principal }))
    return fixture.store.findById(contract.id)
  }
  expect(await send()).toMatchObject({ senderName: 'Nordic procurement', accountName: 'Nordic Foods Ltd.' })
  expect(await send('Nordic sales')).toMatchObject({ senderName: 'Nordic sales', accountName: 'Nordic Foods Ltd.' })
})

it('a share token is never stored in plain text [D46]', async () => {
  const { shareToken } = await fixture.createContract()
  const { rows } = await sql<{ whole: string }>`select contract::text as whole from contract`.execute(fixture.database)
  const hex = Buffer.from(shareToken).toString('hex')
  expect(rows.some(({ whole }) => whole.includes(shareToken) || whole.includes(hex))).toBe(false)
})

it('the same key and body get the same answer, and create one contract [D17]', async () => {
  const request = { idempotencyKey: randomUUID(), bodySha256: sha('body') }
  const first = await fixture.creation.create(bodyOf(2), requestOf(request))
  const before = await count()
  await fixture.store.execute(first.contract.id, { type: 'sign', partyIndex: 0, attemptId: randomUUID() })
  const second = await fixture.creation.create(bodyOf(2), requestOf(request))
  expect(second).toEqual({ contract: first.contract, replayed: true })
  expect(first.replayed).toBe(false)
  expect(await count()).toBe(before)
})

it('a key with another body is refused; other accounts and environments may use the same key [D10, D17]', async () => {
  const idempotencyKey = randomUUID()
  await fixture.creation.create(bodyOf(2), requestOf({ idempotencyKey, bodySha256: sha('one') }))
  await expect(
    fixture.creation.create(bodyOf(2), requestOf({ idempotencyKey, bodySha256: sha('two') })),
  ).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  for (const principal of [
    { ...PRINCIPAL, environment: 'sandbox' as const },
    { ...PRINCIPAL, accountId: 'acc_2' },
  ]) {
    const other = await fixture.creation.create(
      bodyOf(2),
      requestOf({ principal, idempotencyKey, bodySha256: sha('two') }),
    )
    expect(other.replayed).toBe(false)
  }
})

it('a key is ignored after 30 days [D17, D66]', async () => {
  const request = { idempotencyKey: randomUUID(), bodySha256: sha('body') }
  const first = await fixture.creation.create(bodyOf(2), requestOf(request))
  await sql`update idempotency set created_at = clock_timestamp() - interval '30 days'`.execute(fixture.database)
  const second = await fixture.creation.create(bodyOf(2), requestOf({ ...request, bodySha256: sha('other') }))
  expect(second.replayed).toBe(false)
  expect(second.contract.id).not.toBe(first.contract.id)
})

it('only expired keys are deleted [D17]', async () => {
  const [kept, old] = [randomUUID(), randomUUID()]
  const bodySha256 = sha('body')
  for (const idempotencyKey of [kept, old])
    await fixture.creation.create(bodyOf(2), requestOf({ idempotencyKey, bodySha256 }))
  await sql`update idempotency set created_at = clock_timestamp() - interval '30 days 1 hour'
    where key_sha256 <> ${sha(kept)}`.execute(fixture.database)
  for (const retention of RETENTION.pruned) await pruneBatch(fixture.database, retention)
  const { rows } = await sql<{ key_sha256: Buffer }>`select key_sha256 from idempotency`.execute(fixture.database)
  expect(rows.map(({ key_sha256 }) => key_sha256)).toEqual([sha(kept)])
})

it('a replay-only request during the first request gets idempotency_in_progress; a retry waits instead [D17]', async () => {
  const request = { idempotencyKey: randomUUID(), bodySha256: sha('body') }
  const name = `${PRINCIPAL.accountId} ${PRINCIPAL.environment} ${sha(request.idempotencyKey).toString('hex')}`
  let made: Promise<unknown> | undefined
  let waiting: ReturnType<typeof fixture.creation.replay> | undefined
  await fixture.database.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx)
    await expect(fixture.creation.replay(requestOf(request))).rejects.toMatchObject({ code: 'idempotency_in_progress' })
    made = fixture.creation.create(bodyOf(2), requestOf({ ...request, isRetry: true }))
    waiting = fixture.creation.replay(requestOf({ ...request, isRetry: true }))
  })
  await made
  // Undefined if the replay got the lock before the creation.
  const found = await waiting
  expect(await fixture.creation.replay(requestOf(request))).toEqual(found ?? expect.anything())
})

it('all concurrent replays of a completed key get the contract, never idempotency_in_progress [D17]', async () => {
  const request = { idempotencyKey: randomUUID(), bodySha256: sha('body') }
  const { contract } = await fixture.creation.create(bodyOf(2), requestOf(request))
  const replays = await Promise.all(
    Array.from({ length: 40 }, () => fixture.creation.create(bodyOf(2), requestOf(request))),
  )
  expect(replays).toEqual(Array.from({ length: 40 }, () => ({ contract, replayed: true })))
})

it('concurrent requests with one key create one contract; each gets this contract or idempotency_in_progress [D17]', async () => {
  const request = { idempotencyKey: randomUUID(), bodySha256: sha('body') }
  const before = await count()
  const results = await Promise.allSettled(
    Array.from({ length: 12 }, () => fixture.creation.create(bodyOf(2), requestOf(request))),
  )
  const ids = new Set(results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.contract.id] : [])))
  const codes = results.flatMap((result) =>
    result.status === 'rejected' ? [(result.reason as { code: string }).code] : [],
  )
  expect(ids.size).toBe(1)
  expect(codes.filter((code) => code !== 'idempotency_in_progress')).toEqual([])
  expect(await count()).toBe(before + 1)
})

it('the retry of the gateway gets the contract of its first try, without the replay header [D17]', async () => {
  for (const idempotencyKey of [undefined, randomUUID()]) {
    const requestId = randomUUID()
    const before = await count()
    const create = (isRetry: boolean) =>
      fixture.creation.create(bodyOf(2), requestOf({ requestId, isRetry, idempotencyKey, bodySha256: sha('body') }))
    // The first try's answer is lost with its connection. Whichever try commits first, the retry gets the contract.
    const [first, retry] = await Promise.allSettled([create(false), create(true)])
    expect(retry).toMatchObject({ status: 'fulfilled', value: { replayed: false } })
    if (first.status === 'fulfilled') expect(retry).toMatchObject({ value: { contract: first.value.contract } })
    else expect(first.reason).toMatchObject({ code: 'idempotency_in_progress' })
    expect(await create(true)).toEqual(retry.status === 'fulfilled' && retry.value)
    expect(await count()).toBe(before + 1)
  }
})

it('a creation stores nothing when any part fails: no contract, no event, no key [I7]', async () => {
  const before = await count()
  const body = bodyOf(2)
  const broken = { ...body, parties: [...body.parties, { ...body.parties[0]!, legalName: 'half \ud800 pair\u0000' }] }
  await expect(fixture.creation.create(broken, requestOf({ idempotencyKey: randomUUID() }))).rejects.toThrow()
  expect(await count()).toBe(before)
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from outbox where key not in (select id from contract)`.execute(fixture.database)
  expect(rows[0]!.n).toBe(0)
})
