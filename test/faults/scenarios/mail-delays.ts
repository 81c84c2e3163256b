// The mail server answers late, or has a long queue before it. Codes overtake the other mails. [F35, F37, I8, D42]
import { quantile } from '../../harness/quantile.js'
import { until } from '../../harness/until.js'
import type { FaultStack } from '../fault-stack.js'
import type { Scenario } from '../scenario.js'
import { currentLeases } from '../soundness-of-mail.js'

const isCode = ({ subject = '' }: { subject?: string | undefined }): boolean => /one-time code/.test(subject)
/** Codes per phase, so that a p99 is more than the worst of a few. */
const CODES_MIN = 20
const PARTIES = 50
/** An unanswered mail holds its connection for 30 s. A code that waits for it waits longer than this. */
const HELD_MS_MIN = 15_000

export const mailServerAnswersLate: Scenario = {
  fault: 'F35',
  name: 'mail-server-answers-late',
  done: 'the mail server takes every mail and answers a minute later, but codes immediately, under load',
  holds:
    'codes do not wait for an answer to another mail; a mail without an answer within 30 s is retried with the same Message-ID a quarter of an hour later (brought forward here); none is lost, and only such mails go out twice, once for each attempt',
  buses: ['postgres'],
  // It waits longer than the 30 s limit of a mail; delivery-worker.int.test.ts has a server that hangs.
  suiteBuses: [],
  suite: { rounds: 1, scale: 1.7 },
  full: { rounds: 5, scale: 1 },
  clients: 3,
  async play({ stack, workload, rounds, scaledMs, record, fail }) {
    const lateMs = scaledMs(60)
    const unanswered: string[] = []
    const since = await clockOf(stack)
    for (let round = 0; round < rounds; round += 1) {
      stack.mailServer.takeTime((mail) => (isCode(mail) ? 0 : lateMs))
      for (let at = 0; at < 4; at += 1) await workload.create(2)
      await until(
        'three mails without an answer',
        async () => ((await withoutAnswer(stack)).length >= 3 ? true : undefined),
        120_000,
      )
      stack.mailServer.takeTime(0)
      // The answers to the mails that the server has by now still come late.
      const hanging = await currentLeases(stack)
      await until(
        'the end of the attempts under way',
        async () => {
          const now = await currentLeases(stack)
          return [...hanging.keys()].some((lease) => now.has(lease)) ? undefined : true
        },
        90_000,
      )
      unanswered.push(...(await withoutAnswer(stack)))
      await stack.query(
        'notification',
        `update delivery set due_at = clock_timestamp() where state = 'due' and outcome like 'no answer to the text%'`,
      )
      await until(
        'the mails without an answer',
        async () => ((await withoutAnswer(stack)).length === 0 ? true : undefined),
        90_000,
      )
    }
    const codes = await codeDelays(stack, since)
    record('withoutAnswer', unanswered.length)
    record('codes', codes.length)
    record('codesLongestMs', codes.at(-1) ?? 0)
    if (codes.length === 0) fail('no code was sent')
    if ((codes.at(-1) ?? 0) > HELD_MS_MIN) fail(`a code waited ${codes.at(-1)} ms, as for the answer to another mail`)
    return { inProgress: unanswered, totalCopies: unanswered.length }
  },
}

export const mailBacklog: Scenario = {
  fault: 'F37',
  name: 'mail-backlog',
  done: '50,000 invitations wait for a mail server that takes a hundred a second, and parties ask for codes',
  holds:
    'every code overtakes invitations that waited before it was requested; no code expires; every invitation arrives',
  buses: ['postgres'],
  suiteBuses: [],
  suite: { rounds: 1, scale: 25 },
  full: { rounds: 1, scale: 1 },
  clients: 3,
  async play({ stack, workload, scaledMs, record, fail }) {
    // Five connections and 50 ms a mail.
    stack.mailServer.takeTime(50)
    const quietSince = await clockOf(stack)
    await until('codes without a queue', async () => enough(await codeDelays(stack, quietSince)), 120_000)
    const quiet = await codeDelays(stack, quietSince)
    const contracts = Math.round(scaledMs(50) / PARTIES)
    for (let at = 0; at < contracts; at += 1) await workload.create(PARTIES)
    const busySince = await clockOf(stack)
    await until('codes beside the queue', async () => enough(await codeDelays(stack, busySince)), 120_000)
    const busy = await codeDelays(stack, busySince)
    const [row] = await stack.query<{ waiting: number; late: number }>(
      'notification',
      `select (select count(*)::int from delivery where kind = 'invitation' and state = 'due') as waiting,
         (select count(*)::int from delivery code
           where code.kind = 'code' and code.state = 'accepted' and code.created_at >= $1 and not exists (
             select 1 from delivery other where other.kind = 'invitation' and other.created_at < code.created_at
               and coalesce(other.finished_at, 'infinity') > code.finished_at)) as late`,
      [busySince],
    )
    record('invitationsQueued', contracts * PARTIES)
    record('invitationsWaitingAtEnd', row!.waiting)
    for (const [name, delays] of [
      ['without', quiet],
      ['beside', busy],
    ] as const) {
      record(`codes ${name} queue p50 ms`, quantile(delays, 0.5))
      record(`codes ${name} queue p99 ms`, quantile(delays, 0.99))
    }
    if (row!.waiting === 0) fail('the queue was empty before the last code')
    if (row!.late > 0) fail(`${row!.late} codes overtook no invitation`)
    await workload.stop()
    stack.mailServer.takeTime(0)
  },
}

/** The names of the mails that the server may have taken and did not answer. */
async function withoutAnswer({ query }: FaultStack): Promise<string[]> {
  const rows = await query<{ name: string }>(
    'notification',
    `select concat_ws('.', kind, contract_id, party_index, send_number) as name from delivery
      where state = 'due' and claim is null and outcome like 'no answer to the text%'`,
  )
  return rows.map(({ name }) => name)
}

/** From the request of each accepted code to the record of the server's yes, in milliseconds, sorted. */
async function codeDelays({ query }: FaultStack, since: Date): Promise<number[]> {
  const rows = await query<{ ms: number }>(
    'notification',
    `select round(extract(epoch from finished_at - created_at) * 1000)::int as ms from delivery
      where kind = 'code' and state = 'accepted' and created_at >= $1 order by 1`,
    [since],
  )
  return rows.map(({ ms }) => ms)
}

async function clockOf({ query }: FaultStack): Promise<Date> {
  const [row] = await query<{ now: Date }>('notification', 'select clock_timestamp() as now')
  return row!.now
}

const enough = (delays: readonly number[]): true | undefined => (delays.length >= CODES_MIN ? true : undefined)
