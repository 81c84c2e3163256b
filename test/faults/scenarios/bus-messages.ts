// Messages of a topic are repeated, reordered, or cannot be handled. [F9-F11, I7-I9]
import { randomUUID } from 'node:crypto'
import type { BusMessage } from '@paraph/messaging/event-bus'
import { withClient } from '@paraph/database/provision'
import { OUTBOX_SLOTS } from '@paraph/messaging/outbox'
import { RELAY_LOCK_CLASS } from '@paraph/messaging/slot-lease'
import { databaseUrlOf } from '../../harness/stack/local-stack.js'
import { until } from '../../harness/until.js'
import type { FaultStack } from '../fault-stack.js'
import type { Scenario } from '../scenario.js'
import { isOfContract } from '../soundness-of-mail.js'
import { untilIdle } from '../soundness.js'
import type { CreatedContract } from '../workload.js'

const TOPIC = 'contract.events.v1'

export const CONSUMERS = ['signing', 'notification'] as const

export const replay: Scenario = {
  fault: 'F9',
  name: 'replay-from-the-start',
  done: 'both consumers rewind to the first message of the topic and read every partition to its end',
  holds: 'each recognises every message as a duplicate, by its own count; no additional mail, evidence or inbox row',
  buses: ['postgres', 'kafka'],
  suite: { rounds: 1, scale: 1 },
  full: { rounds: 10, scale: 1 },
  clients: 4,
  async play({ stack, workload, rounds, wait, record, fail }) {
    await wait(4_000)
    await workload.stop()
    await untilIdle(stack)
    let replayed = 0
    for (let round = 0; round < rounds; round += 1) {
      const before = await effects(stack)
      const topic = await stack.bus.sizeOf(TOPIC)
      if (topic.messages === 0) fail('the topic was empty: there was nothing to replay')
      // Each service starts as a new process: its counters begin at zero.
      await Promise.all(CONSUMERS.map(stack.pause))
      for (const group of CONSUMERS) await stack.bus.rewind(group, TOPIC)
      await Promise.all(CONSUMERS.map(stack.resume))
      for (const group of CONSUMERS) replayed += await untilReplayed(stack, group, topic)
      // Checks that the consumers continue: they must handle an event that follows all replayed events.
      const marker = await workload.create(2)
      await until(
        'the handling of the marker contract after the replay',
        async () => ((await isHandled(stack, marker!.id)) ? true : undefined),
        120_000,
      )
      await untilIdle(stack)
      const after = await effects(stack)
      // The effects of the marker contract: two invitations, one inbox row at each of two consumers, one entry of evidence.
      const expected = { mails: 2, inbox: 2, evidence: 1, deliveries: 2, notices: 0 }
      for (const [what, more] of Object.entries(expected)) {
        const grew = after[what as 'mails'] - before[what as 'mails']
        if (grew !== more) fail(`the replay and one contract added ${grew} ${what} instead of ${more}`)
      }
    }
    record('eventsReplayed', replayed)
  },
}

export const outOfOrder: Scenario = {
  fault: 'F10',
  name: 'out-of-order',
  done: 'the events of signed contracts arrive in reverse order, and later once more in order',
  holds: 'every party is invited once; the evidence is complete and ends with the completion',
  buses: ['postgres', 'kafka'],
  suiteBuses: ['postgres'],
  suite: { rounds: 2, scale: 1 },
  full: { rounds: 50, scale: 1 },
  clients: 0,
  async play({ stack, workload, rounds, record, fail }) {
    let turned = 0
    const cancelled: CreatedContract[] = []
    for (let round = 0; round < rounds; round += 1) {
      await withoutRelay(stack, async () => {
        const [signed, ended] = [(await workload.create(2))!, (await workload.create(2))!]
        await Promise.all([workload.sign(signed, 0), workload.sign(signed, 1), workload.sign(ended, 0)])
        await workload.cancel(ended)
        cancelled.push(ended)
        const rows = await stack.query<OutboxRow>(
          'contract',
          'select * from outbox where key = any($1) order by id desc',
          [[signed.id, ended.id]],
        )
        turned += rows.length
        for (const row of rows) await stack.bus.publish([messageOf(row)])
      })
      await untilIdle(stack)
    }
    record('eventsTurned', turned)
    // Parties that had signed are notified of the cancellation. [D24]
    for (const { id } of cancelled) {
      const notified = await stack.query(
        'notification',
        `select 1 from delivery where contract_id = $1 and kind = 'cancelled' and party_index = 0 and state = 'accepted'`,
        [id],
      )
      if (notified.length === 0) fail(`${id}: the party who had signed was not notified of the cancellation`)
    }
    return { planted: ['I9'] }
  },
}

export const poison: Scenario = {
  fault: 'F11',
  name: 'poison',
  done: 'unreadable JSON, no value, an unknown version, data that do not fit their type, an event of another topic, and an event whose handler always fails',
  holds:
    'after at most five attempts the message is a dead letter with its reason; the next event of the key is handled; no process exits',
  buses: ['postgres', 'kafka'],
  suite: { rounds: 1, scale: 1 },
  full: { rounds: 5, scale: 1 },
  clients: 2,
  async play({ stack, workload, rounds, record, fail }) {
    let deadLetters = 0
    for (let round = 0; round < rounds; round += 1) {
      const contract = (await workload.create(2))!
      await until('the first event handled', async () => ((await isHandled(stack, contract.id)) ? true : undefined))
      // The handler of signing fails for this event alone, as long as the trigger exists.
      const fated = randomUUID()
      const name = `poison_${round}`
      await stack.query(
        'signing',
        `create function ${name}() returns trigger language plpgsql as
        $$ begin if new.data::text like '%${fated}%' then raise exception 'poisoned'; end if; return new; end $$`,
      )
      await stack.query(
        'signing',
        `create trigger ${name} before insert on evidence_task for each row execute function ${name}()`,
      )
      const at = new Date().toISOString()
      const base = { contractId: contract.id, accountId: workload.accountId, environment: 'production' }
      const envelope = (type: string, data: unknown, version = '1.0') =>
        JSON.stringify({
          specversion: version,
          id: randomUUID(),
          source: '/contract',
          type,
          subject: contract.id,
          time: at,
          datacontenttype: 'application/json',
          sequence: '9',
          data,
        })
      const values = [
        '{"not": "whole',
        null,
        envelope('contract.created', {}, '9.9'),
        envelope('contract.party_signed', { partyIndex: 'none' }),
        // Whoever may write to this topic may not suspend accounts.
        envelope('account.suspended', { accountId: workload.accountId, at }),
      ]
      const message = (value: string | null): BusMessage => ({ topic: TOPIC, key: contract.id, headers: {}, value })
      await stack.bus.publish(values.map(message))
      deadLetters += values.length * CONSUMERS.length
      await stack.bus.publish([
        message(
          envelope('contract.party_signed', {
            ...base,
            partyIndex: 0,
            attemptId: fated,
            signedAt: at,
            signed: 1,
            total: 2,
          }),
        ),
      ])
      deadLetters += 1
      // Causes the real events of the contract, which follow all of these in the same partition.
      await workload.sign(contract, 0)
      await until(
        'the next event of the same key',
        async () => {
          const [row] = await stack.query<{ n: number }>(
            'signing',
            `select count(*)::int as n from evidence_task where contract_id = $1 and type = 'contract.party_signed'`,
            [contract.id],
          )
          return row!.n === 1 ? true : undefined
        },
        120_000,
      )
      await stack.query('signing', `drop trigger ${name} on evidence_task`)
      const found = await stack.query<{ reason: string; attempts: number }>(
        'signing',
        'select reason, attempts from dead_letter where key = $1 order by id',
        [contract.id],
      )
      const attempts = found.map((row) => row.attempts)
      if (attempts.join() !== '1,1,1,1,1,5') fail(`the dead letters had ${attempts.join()} attempts`)
      for (const { reason } of found) if (reason === '') fail('a dead letter has no reason')
    }
    record('deadLetters', deadLetters)
    return { deadLetters, planted: ['I7', 'I9'] }
  },
}

/** Takes the locks of the contract service's relays, so that no relay publishes while `work` runs. */
export function withoutRelay<T>({ stack }: FaultStack, work: () => Promise<T>): Promise<T> {
  return withClient(databaseUrlOf(stack, 'contract'), async (client) => {
    await until('the locks of all outbox slots', async () => {
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'paraph relay' and datname = 'contract'`,
      )
      const { rows } = await client.query<{ locked: boolean }>(
        'select pg_try_advisory_lock($1, slot) as locked from generate_series(0, $2::int - 1) as slot',
        [RELAY_LOCK_CLASS, OUTBOX_SLOTS],
      )
      return rows.every(({ locked }) => locked) || undefined
    })
    return work()
  })
}

interface OutboxRow {
  event_id: string
  topic: string
  type: string
  key: string
  sequence: string
  occurred_at: Date
  data: unknown
}

const messageOf = ({ event_id, topic, type, key, sequence, occurred_at, data }: OutboxRow): BusMessage => ({
  topic,
  key,
  headers: {},
  value: JSON.stringify({
    specversion: '1.0',
    id: event_id,
    source: '/contract',
    type,
    subject: key,
    time: occurred_at.toISOString(),
    datacontenttype: 'application/json',
    sequence: String(sequence),
    data,
  }),
})

async function isHandled({ query }: FaultStack, contractId: string): Promise<boolean> {
  const [task] = await query('signing', 'select 1 from evidence_task where contract_id = $1', [contractId])
  const [mail] = await query('notification', 'select 1 from delivery where contract_id = $1', [contractId])
  return task !== undefined && mail !== undefined
}

/**
 * Waits until the consumer owns every partition of `topic`, is at the end of each, and has recognised as many duplicate messages as
 * the topic contained. @returns the number of recognised duplicates
 */
function untilReplayed(
  { operator }: FaultStack,
  group: (typeof CONSUMERS)[number],
  topic: { messages: number; partitions: number },
): Promise<number> {
  let seen = 'nothing'
  return until(
    `all ${topic.messages} messages as duplicates at ${group}`,
    async () => {
      const { consumers } = await operator[group].messaging.status.query()
      const mine = consumers.find(({ name }) => name === group)
      const owned = mine?.partitions.filter(({ topic: name }) => name === TOPIC) ?? []
      const { duplicates = 0, handled = 0 } = mine?.sinceStart ?? {}
      seen = `${duplicates} duplicates, ${handled} new ones, ${owned.length} partitions`
      const isAtEnd = owned.length === topic.partitions && owned.every(({ behind }) => !behind)
      return isAtEnd && duplicates >= topic.messages ? duplicates : undefined
    },
    120_000,
  ).catch((error: unknown) => {
    throw new Error(`${error instanceof Error ? error.message : String(error)}; last seen: ${seen}`, { cause: error })
  })
}

/** Counts the effects of events. Leaves out the mails to owners: each leaves up to 20 s after its notice, which may be of an earlier scenario. */
async function effects({ query, mailServer }: FaultStack) {
  const count = async (database: 'signing' | 'notification', table: string): Promise<number> =>
    (await query<{ n: number }>(database, `select count(*)::int as n from ${table}`))[0]!.n
  return {
    mails: mailServer.accepted().filter(({ parsed }) => isOfContract(parsed.messageId)).length,
    inbox: (await count('signing', 'inbox')) + (await count('notification', 'inbox')),
    evidence: await count('signing', 'evidence_entry'),
    deliveries: await count('notification', 'delivery where contract_id is not null'),
    notices: await count('notification', 'owner_notice'),
  }
}
