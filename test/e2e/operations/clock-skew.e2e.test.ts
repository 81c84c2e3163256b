// The clocks of the services differ by twenty minutes, and users notice nothing. [F12]
// The clock of the databases is authoritative. The databases and this test use the unshifted clock of the machine.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import type { ServiceName } from '@paraph/protocol/services'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createApiClient, createMailbox, type ContractBody } from '../../harness/clients/api-client.js'
import {
  askForCode,
  createVisitor,
  locationOf,
  proveMailbox,
  signOn,
  type Visitor,
} from '../../harness/clients/ceremony-client.js'
import { startGateway, startReplica } from '../../harness/stack/gateways.js'
import {
  databaseUrlOf,
  makeDataFolder,
  startStack,
  type Database,
  type RunningStack,
} from '../../harness/stack/local-stack.js'
import { until } from '../../harness/until.js'

type Skew = Record<ServiceName, number>
type Contract = ContractBody['contract'] & { createdAt: string; expiresAt: string; signatures: { signedAt: string }[] }

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
/** The allowed difference from a skewed time: more than the delay of a slow machine, far less than the skew. */
const NEARLY = 2 * MINUTE

const preload = pathToFileURL(join(import.meta.dirname, 'clock-skew.mjs')).href
const withSkew = (minutes: Partial<Skew>) => ({
  NODE_OPTIONS: `--import=${preload}`,
  CLOCK_SKEW_MINUTES: JSON.stringify(minutes),
})

const SKEWS: Skew[] = [
  { gateway: 10, contract: -10, signing: 10, notification: -10 },
  { gateway: -10, contract: 10, signing: -10, notification: 10 },
]

describe.each(SKEWS)(
  'with clock offsets in minutes: gateway $gateway, contract $contract, signing $signing, notification $notification',
  (skew) => {
    const opposite = Object.fromEntries(Object.entries(skew).map(([name, minutes]) => [name, -minutes])) as Skew
    let running: RunningStack
    let api: ReturnType<typeof createApiClient>
    const visitors: Visitor[] = []
    beforeAll(async () => {
      running = await startStack(await makeDataFolder(), withSkew(skew))
      api = createApiClient(running.stack.apiUrl, running.stack.liveKey)
    })
    afterAll(async () => {
      for (const visitor of visitors) visitor.close()
      await running?.close()
    })

    function visit(): Visitor {
      const visitor = createVisitor()
      visitors.push(visitor)
      return visitor
    }

    const inDatabase = <Row extends object>(name: Database, text: string, values: unknown[] = []): Promise<Row[]> =>
      withClient(databaseUrlOf(running.stack, name), async (client) => (await client.query<Row>(text, values)).rows)

    async function make(tag: string, client = api): Promise<Contract & { addresses: [string, string] }> {
      const addresses: [string, string] = [`anna.${tag}@example.test`, `bert.${tag}@example.test`]
      const parties = addresses.map((email) => ({ role: 'Party', legalName: email.split('.')[0]!, email }))
      const { status, body } = await client.create({ contractType: 'nda', content: 'Secrets stay secret.', parties })
      expect(status).toBe(201)
      return { ...(body.contract as Contract), addresses }
    }

    it('the services use the skewed clocks', async () => {
      for (const [service, minutes] of Object.entries(skew)) {
        const [line] = (await readFile(join(running.folder, 'logs', `${service}.log`), 'utf8')).split('\n')
        const { time } = JSON.parse(line!) as { time: string }
        expectWithMessage(Math.abs(Date.parse(time) - Date.now() - minutes * MINUTE), service).toBeLessThan(NEARLY)
      }
    })

    it('the parties get mails and codes and sign, and all stored times are true [F12]', async () => {
      const startedAtMs = Date.now()
      const contract = await make('job')
      expect(Date.parse(contract.expiresAt) - Date.parse(contract.createdAt)).toBe(14 * DAY)
      for (const address of contract.addresses) {
        await createMailbox(running.stack.mailboxUrl).waitFor(address, '')
        const visitor = visit()
        const review = await proveMailbox(visitor, contract.shareUrl, address, running.stack.mailboxUrl)
        const signed = await signOn(visitor, review, address.split('.')[0]!)
        expect(locationOf(signed)).toMatch(/\/done$/)
        expect((await visitor.follow(signed)).status).toBe(200)
      }
      const { body } = await api.get(contract.id)
      const now = body.contract as Contract
      expect(now.status).toBe('signed')
      const instants = [contract.createdAt, ...now.signatures.map(({ signedAt }) => signedAt), now.completedAt!]
      expect(instants.toSorted()).toEqual(instants)
      for (const instant of instants) {
        expect(Date.parse(instant)).toBeGreaterThanOrEqual(startedAtMs)
        expect(Date.parse(instant)).toBeLessThanOrEqual(Date.now())
      }
      const published = await inDatabase<{ at: Date }>(
        'contract' as const,
        'select occurred_at as at from outbox where key = $1 order by sequence',
        [contract.id],
      )
      expect(published.map(({ at }) => at).toSorted((one, other) => Number(one) - Number(other))).toEqual(
        published.map(({ at }) => at),
      )
      await until('a closed chain', async () => {
        const [chain] = await inDatabase<{ closed_at: Date | null }>(
          'signing' as const,
          'select closed_at from evidence_chain where contract_id = $1',
          [contract.id],
        )
        return chain?.closed_at ?? undefined
      })
    })

    it('a code is accepted before its expiry and not after [D16, F12]', async () => {
      for (const [secondsLeft, status] of [
        [45, 303],
        [-1, 422],
      ] as const) {
        const { id, shareUrl, addresses } = await make(`code${status}`)
        const visitor = visit()
        const page = await askForCode(visitor, shareUrl, addresses[0])
        const code = await createMailbox(running.stack.mailboxUrl).waitForCode(addresses[0])
        await inDatabase(
          'signing',
          `update one_time_code set expires_at = clock_timestamp() + make_interval(secs => ${secondsLeft}) where scope = $1`,
          [id],
        )
        expectWithMessage(
          (await visitor.submit(page, /\/code\/[^/]+$/, { code })).status,
          `${secondsLeft} s left`,
        ).toBe(status)
      }
    })

    it('the page shows the true time at which the next code is allowed [D16, F12]', async () => {
      const { id, shareUrl, addresses } = await make('again')
      const visitor = visit()
      await askForCode(visitor, shareUrl, addresses[0])
      await inDatabase(
        'signing',
        `update code_send set created_at = created_at - interval '20 minutes' where scope = $1`,
        [id],
      )
      // Simulates five codes that were sent twenty minutes ago. The next code is allowed in forty minutes, rounded up to a whole minute.
      await inDatabase(
        'signing',
        `insert into code_send (id, scope, mailbox, code_key_id, created_at, expires_at, finished_at, outcome)
       select gen_random_uuid(), scope, mailbox, code_key_id, created_at, expires_at, now(), 'lapsed'
         from code_send, generate_series(1, 4) where scope = $1`,
        [id],
      )
      const page = await askForCode(visitor, shareUrl, addresses[0])
      let answer = page
      for (let tries = 0; tries < 5; tries += 1)
        answer = await visitor.submit(page, /\/code\/[^/]+$/, { code: '999999' })
      expect(answer.status).toBe(429)
      const minutes = Number(answer.headers.get('retry-after')) / 60
      expect(minutes).toBeGreaterThan(37)
      expect(minutes).toBeLessThanOrEqual(41)
    })

    it('a session is accepted before its expiry and not after [D33, F12]', async () => {
      const { id, shareUrl, addresses } = await make('session')
      const visitor = visit()
      await proveMailbox(visitor, shareUrl, addresses[0], running.stack.mailboxUrl)
      const leave = (seconds: number) =>
        inDatabase(
          'signing',
          `update mailbox_session set expires_at = clock_timestamp() + make_interval(secs => ${seconds}) where scope = $1`,
          [id],
        )
      await leave(45)
      expect((await visitor.get(`${shareUrl}/review`)).status).toBe(200)
      await leave(-1)
      expect(locationOf(await visitor.get(`${shareUrl}/review`))).toBe(shareUrl)
    })

    it('a sandbox contract expires exactly at its expiresAt, an hour after its creation [D20, F12]', async () => {
      const sandbox = createApiClient(running.stack.apiUrl, running.stack.testKey)
      const contract = await make('expiry', sandbox)
      expect(Date.parse(contract.expiresAt) - Date.parse(contract.createdAt)).toBe(60 * MINUTE)
      const leave = (seconds: number) =>
        inDatabase(
          'contract',
          `update contract set expires_at = clock_timestamp() + make_interval(secs => ${seconds}) where id = $1`,
          [contract.id],
        )
      const statusOf = async () => (await sandbox.get(contract.id)).body.contract.status
      await leave(120)
      expect(await statusOf()).toBe('pending_signature')
      expect((await visit().get(contract.shareUrl)).status).toBe(200)
      await leave(-1)
      expect(await statusOf()).toBe('expired')
      expect((await visit().get(contract.shareUrl)).status).toBe(410)
      await until(
        'the event contract.expired',
        async () =>
          (
            await inDatabase('contract', `select 1 from outbox where key = $1 and type = 'contract.expired'`, [
              contract.id,
            ])
          )[0],
      )
    })

    it('the billing month and the rate-limit window follow the clock of the database [Usage, Limits, D3, D27, F12]', async () => {
      const { headers, body } = await api.call<{ usage: { period: string; totalCalls: number } }>('GET', '/usage')
      const [month] = await inDatabase<{ month: string }>(
        'gateway',
        `select to_char(now() at time zone 'utc', 'YYYY-MM') as month`,
      )
      expect(body.usage).toMatchObject({ period: month!.month })
      expect(body.usage.totalCalls).toBeGreaterThan(5)
      expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThanOrEqual(1)
      expect(Number(headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60)
    })

    it('replicas with opposite skews return the same contracts, with times in the order of creation [D45, F12]', async () => {
      const contractReplica = await startReplica('contract', running.folder, withSkew(opposite))
      const gateway = await startGateway(running.folder, {
        ...withSkew(opposite),
        CONTRACT_URL: `http://127.0.0.1:${contractReplica.port}`,
      })
      try {
        const other = createApiClient(gateway.apiUrl, running.stack.liveKey)
        const created: Contract[] = []
        for (const client of [api, other, api, other]) created.push(await make(`replica${created.length}`, client))
        const createdAt = created.map((contract) => contract.createdAt)
        expect(createdAt.toSorted()).toEqual(createdAt)
        for (const { id } of created) {
          // Each invitation that is sent changes the contract. [D52]
          await until(`the invitations of ${id} are sent`, async () => {
            const { body } = await api.get(id)
            return body.contract.parties.every(({ delivery }) => delivery === 'sent') || undefined
          })
          const [one, two] = await Promise.all([api.get(id), other.get(id)])
          expect(two.body).toEqual(one.body)
        }
      } finally {
        await gateway.stop()
        await contractReplica.stop()
      }
    })
  },
)
