import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase } from '@paraph/database/test-database'
import { openLine } from '@paraph/database/test/database-line-fixture'
import { pruneBatch } from '@paraph/database/retention'
import { createLogger } from '@paraph/telemetry/logger'
import { COMMAND_LINE } from '../accounts/audit.js'
import { createAccountStore } from '../accounts/account-store.js'
import type { GatewayDatabase } from '../database.js'
import { createKeyStore } from '../keys/key-store.js'
import { RETENTION } from '../retention.js'
import { NO_NOTIFIERS, until } from '../../test/gateway-fixture.js'
import { PAGE_ROWS, readRequests, type RequestFilter } from './queries.js'
import { createRequestLog, type LoggedRequest } from './recorder.js'

const logger = createLogger('gateway', 'silent')
/** Longer than the test takes: writes happen only at the stop. */
const NEVER_MS = 600_000

let fixture: Awaited<ReturnType<typeof openFixture>>
async function openFixture() {
  const clone = await cloneTestDatabase('gateway')
  const line = await openLine(clone.url)
  const database = createDatabase<GatewayDatabase>(openPool(line.url, logger))
  const accounts = createAccountStore({ database, ...NO_NOTIFIERS })
  const keys = createKeyStore({ database, ...NO_NOTIFIERS })
  return {
    line,
    database,
    open: (writeEveryMs = NEVER_MS) => createRequestLog({ database, logger, writeEveryMs }),
    newOwner: async () => {
      const account = { name: 'Nordic Foods', email: `${randomUUID()}@nordicfoods.example`, tier: 'growth' }
      const { id: accountId } = await accounts.create(account, COMMAND_LINE)
      const newKey = { accountId, environment: 'production', name: 'Default', scopes: [], expiresInDays: undefined }
      const { id: keyId } = await keys.create({ ...newKey, environment: 'production' }, COMMAND_LINE)
      return { accountId, keyId }
    },
    close: async () => {
      await database.destroy()
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

type Owner = Pick<LoggedRequest, 'accountId' | 'keyId'>
const requestOf = (owner: Owner, more: Partial<LoggedRequest> = {}): LoggedRequest => ({
  ...owner,
  environment: 'production',
  method: 'GET',
  route: '/contracts/{id}',
  status: 200,
  code: null,
  arrivedAtMs: performance.now(),
  durationMs: 7,
  requestId: randomUUID(),
  ...more,
})
const readOf = ({ accountId }: Owner, filter: Partial<RequestFilter> = {}) =>
  readRequests(fixture.database, { accountId, environment: 'production', ...filter })

it('a call is found by its request id, its answer and its key, and by no other account or environment [D62]', async () => {
  const [owner, other] = [await fixture.newOwner(), await fixture.newOwner()]
  const log = fixture.open()
  const refused = requestOf(owner, { method: 'POST', route: '/contracts', status: 400, code: 'invalid_request' })
  log.record(requestOf(owner))
  log.record(refused)
  await log.stop()
  const { calls } = await readOf(owner)
  expect(calls.map(({ requestId }) => requestId)[0]).toBe(refused.requestId)
  expect(calls[0]).toMatchObject({
    keyName: 'Default',
    method: 'POST',
    route: '/contracts',
    status: 400,
    code: 'invalid_request',
    durationMs: 7,
  })
  for (const filter of [{ requestId: refused.requestId }, { outcome: '4xx' as const }])
    expect((await readOf(owner, filter)).calls.map(({ status }) => status)).toEqual([400])
  expect((await readOf(owner, { keyId: owner.keyId })).calls).toHaveLength(2)
  expect((await readOf(other, { requestId: refused.requestId })).calls).toEqual([])
  expect((await readOf(owner, { environment: 'sandbox' })).calls).toEqual([])
})

it('every refusal and at most 10 successes of an account between two writes are kept [D62]', async () => {
  const [busy, quiet] = [await fixture.newOwner(), await fixture.newOwner()]
  const log = fixture.open()
  for (let call = 0; call < 40; call += 1) {
    log.record(requestOf(busy))
    log.record(requestOf(busy, { status: 429, code: call % 2 ? 'rate_limited' : null }))
  }
  log.record(requestOf(quiet))
  await log.stop()
  const { calls } = await readOf(busy)
  expect(calls).toHaveLength(PAGE_ROWS)
  expect((await readOf(busy, { outcome: '2xx' })).calls).toHaveLength(10)
  expect((await readOf(busy, { outcome: '4xx' })).calls).toHaveLength(40)
  expect((await readOf(quiet)).calls).toHaveLength(1)
})

it('the pages show every call once, newest first [D62]', async () => {
  const owner = await fixture.newOwner()
  const log = fixture.open()
  const sent = Array.from({ length: PAGE_ROWS + 5 }, () => requestOf(owner, { status: 404, code: 'not_found' }))
  for (const request of sent) log.record(request)
  await log.stop()
  const first = await readOf(owner)
  const second = await readOf(owner, { before: first.older! })
  const shown = [...first.calls, ...second.calls].map(({ requestId }) => requestId)
  expect(shown).toEqual(sent.map(({ requestId }) => requestId).toReversed())
  expect(second.older).toBeNull()
})

it('calls during an outage of the database are written after it, once [D62]', async () => {
  const owner = await fixture.newOwner()
  const log = fixture.open(20)
  log.start()
  fixture.line.cut()
  const request = requestOf(owner)
  log.record(request)
  log.record(request)
  fixture.line.restore()
  await until(async () => (await readOf(owner).catch(() => ({ calls: [] }))).calls.length > 0)
  await log.stop()
  expect((await readOf(owner)).calls).toHaveLength(1)
})

it('a call is kept for 7 days [D62]', async () => {
  const owner = await fixture.newOwner()
  const log = fixture.open()
  const ageMs = (days: number) => performance.now() - days * 86_400_000
  const [old, young] = [7.01, 6.99].map((days) => requestOf(owner, { arrivedAtMs: ageMs(days) }))
  for (const request of [old!, young!]) log.record(request)
  await log.stop()
  const retention = RETENTION.pruned.find(({ table }) => table === 'request_log')!
  await pruneBatch(fixture.database, retention)
  expect((await readOf(owner)).calls.map(({ requestId }) => requestId)).toEqual([young!.requestId])
})
