// The verifier reports no violation in a correct installation, and the correct number in a broken one, despite changes of the bus, short
// retention and late copies. [I7, I9, D49, D50]
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import { waitFor } from '@paraph/testing/wait-for'
import { openInstallation, type Installation, type TestSource } from '@paraph/verify/test/installation-fixture'
import { countViolations, formatReport } from './report.js'
import { verifyInvariants, type Report } from '@paraph/verify/verify-invariants'

const CONTRACTS = 600

let installation: Installation
beforeEach(async () => {
  installation = await openInstallation(CONTRACTS)
}, 120_000)
afterEach(() => installation?.close())

const verify = (scope: { since?: Date } = {}, bus: 'postgres' | 'kafka' = 'postgres'): Promise<Report> =>
  verifyInvariants(
    { ...installation.urls, ...(bus === 'kafka' ? { bus: undefined } : {}) },
    { since: undefined, contractId: undefined, withinSeconds: 60, ...scope },
    { pauseMs: 0 },
  )
const faults = async (...how: Parameters<typeof verify>): Promise<string[]> => [
  ...new Set((await verify(...how)).violations.map(({ invariant, fault }) => `${invariant} ${fault}`)),
]
const change = (source: TestSource, statement: string) => installation.change(source, statement)
const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000)

/** Message offset `n` belongs to contract `n + 1`, whose event has this id. */
const eventOf = (n: number): string => `md5('event ${n + 1}')::uuid`

/** Moves the publication of the messages from offset `from` up to `to` into the past by `interval`, in all databases. */
async function ago(interval: string, from = 0, to = CONTRACTS): Promise<void> {
  const then = `now() - interval '${interval}'`
  const ids = `(select md5('event ' || n + 1)::uuid from generate_series(${from}, ${to - 1}) n)`
  await change(
    'bus',
    `update bus.message set published_at = ${then} where message_offset between ${from} and ${to - 1}`,
  )
  await change('contract', `update outbox set published_at = ${then} where event_id in ${ids}`)
  for (const service of ['signing', 'notification'] as const)
    await change(service, `update inbox set received_at = ${then} where event_id in (select e::text from ${ids} i (e))`)
}

it('the verifier does not miss an event that was published on Kafka before a change to the embedded bus, or before a change back', async () => {
  await ago('3 days', 0, 200)
  await ago('10 hours', 200, 400)
  await change('bus', 'delete from bus.message where message_offset between 200 and 399')
  expect(await faults()).toEqual([])
  await change('bus', 'delete from bus.message where message_offset < 200')
  expect(await faults()).toEqual([])
  // The verifier accepts that a message is missing only if every consumer has handled its event.
  await change('signing', `delete from inbox where event_id = (${eventOf(300)})::text`)
  const { violations } = await verify()
  expect(violations).toMatchObject([{ fault: 'has a published event that is not on the bus' }])
}, 120_000)

it('the verifier reports a missing message if the bus stored other messages at the same time', async () => {
  await change('bus', 'delete from bus.message where message_offset = 7')
  expect(await faults()).toEqual(['I9 has a published event that is not on the bus'])
}, 120_000)

it('the verifier expects no messages older than the retention of the bus, and no inbox rows older than the retention of inboxes', async () => {
  await ago('26 hours', 0, 200)
  await change('bus', 'update bus.setting set retention_days = 1; delete from bus.message where message_offset < 100')
  for (const service of ['signing', 'notification'] as const)
    await change(service, `update inbox set received_at = now() - interval '2 hours'`)
  expect(await faults()).toEqual([])
  await change('bus', 'update bus.setting set retention_days = 90')
  await change('bus', `update bus.message set published_at = now() - interval '50 days' where message_offset = 300`)
  await change('contract', `delete from outbox where event_id = ${eventOf(300)}`)
  await change('contract', `update contract set created_at = now() - interval '50 days'`)
  for (const service of ['signing', 'notification'] as const)
    await change(service, `delete from inbox where event_id = (${eventOf(300)})::text`)
  expect(await faults()).not.toContain('I9 has skipped an event')
}, 120_000)

it('the verifier recognises an event by its redriven dead letter, long after the bus and the outbox deleted the event', async () => {
  await change(
    'contract',
    `update contract set created_at = now() - interval '40 days'; delete from outbox where event_id = ${eventOf(0)}`,
  )
  await change('bus', 'delete from bus.message where message_offset = 0')
  await change(
    'notification',
    `update inbox set received_at = now() - interval '2 days' where event_id = (${eventOf(0)})::text`,
  )
  expect(await faults()).toEqual(['I7 has handled an event that was never published'])
  await change(
    'signing',
    `insert into dead_letter (consumer, topic, partition, message_offset, published_at, key, headers, value, reason, attempts, redriven_at)
     select 'signing', 'contract.events.v1', 0, 0, now(), 'a', '{}', '{"specversion":"1.0","id":"' || ${eventOf(0)} || '"}', 'a test', 5, now()`,
  )
  expect(await faults()).toEqual([])
}, 120_000)

it.each(['postgres', 'kafka'] as const)(
  'the verifier with --since reports no event that a relay published before that instant, and marked or published again after it (%s)',
  async (bus) => {
    await ago('1 hour')
    const recently = `now() - interval '3 minutes'`
    // Event 0 was published again and then marked; event 1 was published, and its relay marks it later.
    await change(
      'contract',
      `update outbox set published_at = ${recently} where event_id in (${eventOf(0)}, ${eventOf(1)})`,
    )
    await change(
      'bus',
      `insert into bus.message select topic, partition, ${CONTRACTS}, key, headers, value, ${recently} from bus.message where message_offset = 0;
       update bus.group_position set next_offset = ${CONTRACTS} + 1`,
    )
    expect(await faults({ since: minutesAgo(5) }, bus)).toEqual([])
    await change('notification', `delete from inbox where event_id = (${eventOf(0)})::text`)
    expect(await faults({ since: minutesAgo(5) }, bus)).toEqual([
      bus === 'kafka' ? 'I9 has not handled an event' : 'I9 has skipped an event',
    ])
  },
  120_000,
)

it('the verifier finds lost events among any number of dead letters, lists a thousand of them and counts all', async () => {
  await change(
    'signing',
    `insert into dead_letter (consumer, topic, partition, message_offset, published_at, key, headers, value, reason, attempts)
     select 'signing', 'contract.events.v1', 0, n, now(), 'a', '{}', '{"specversion":"1.0","id":"' || md5('event ' || n + 1)::uuid || '"}', 'a test', 5
       from generate_series(0, ${CONTRACTS - 2}) n`,
  )
  for (const service of ['signing', 'notification'] as const) await change(service, 'delete from inbox')
  const one = await verify()
  expect(one.violations).toHaveLength(CONTRACTS + 1)
  await change('signing', 'delete from dead_letter')
  const report = await verify()
  expect(report.violations).toHaveLength(1_000)
  expect(report.checks.find(({ broken }) => broken > 0)).toMatchObject({ broken: 2 * CONTRACTS, late: 0 })
  expect(countViolations(report)).toContainEqual({ invariant: 'I9', kind: 'broken', count: 2 * CONTRACTS })
  expect(formatReport(report)).toMatch(/\n {2}and 200 more, which are not listed\n[^]*\n1200 violations in /)
}, 120_000)

it('the verifier keeps no snapshot open on a database that the current check does not read', async () => {
  const { urls } = installation
  const nameOf = (url: string): string => new URL(url).pathname.slice(1)
  /** Uses a second connection: inside a transaction, the server shows the sessions as of the first query. */
  const sessions = () =>
    withClient(urls.contract, async (client) => {
      const { rows } = await client.query<{ name: string; state: string; waitsFor: string | null }>(
        `select datname as name, state, wait_event_type as "waitsFor" from pg_stat_activity
          where application_name = 'paraph verify' and datname = any($1)`,
        [Object.values(urls).map(nameOf)],
      )
      return rows
    })
  await withClient(urls.gateway, async (holder) => {
    await holder.query('begin; lock table account_window in access exclusive mode')
    const verification = verify()
    verification.catch(() => undefined)
    // The verification gives up waiting for the lock after 5 s.
    const seen = await waitFor(
      async () => {
        const found = await sessions()
        expect(found).toContainEqual(expect.objectContaining({ name: nameOf(urls.gateway), waitsFor: 'Lock' }))
        return found
      },
      { timeout: 60_000 },
    )
    await holder.query('rollback')
    const others = seen.filter(({ name }) => name !== nameOf(urls.gateway))
    expect(others.map(({ state }) => state)).toEqual(['idle', 'idle', 'idle', 'idle'])
    expect((await verification).violations).toEqual([])
  })
}, 120_000)
