// The mail server is unavailable, rejects, or hangs; a mail worker dies right after the server's acceptance. [F6-F8, I8, D24]
import { until } from '../../harness/until.js'
import { expireLeases, readDeadLeases } from '../dead-leases.js'
import type { FaultStack } from '../fault-stack.js'
import type { Scenario, Scene } from '../scenario.js'
import { untilIdle } from '../soundness.js'
import type { CreatedContract } from '../workload.js'

/** Connections to a dead mail server a minute, after the first ones: one probe each half minute and those of codes, with jitter. */
const PROBES_PER_MINUTE_MAX = 30

export const mailServerAway: Scenario = {
  fault: 'F6',
  name: 'mail-server-away',
  done: 'the mail server refuses connections for an hour while contracts are created and codes requested',
  holds:
    'contracts are created as before; the mail server is probed rarely; afterwards every invitation arrives, and no expired code',
  buses: ['postgres'],
  suite: { rounds: 1, scale: 360 },
  full: { rounds: 1, scale: 1 },
  clients: 3,
  async play({ stack, workload, scaledMs, wait, record, fail }) {
    await stack.mailServer.stop()
    const [createdBefore, openedBefore] = [workload.created.length, stack.lines.smtp.opened()]
    const outage = wait(scaledMs(3_600))
    // The clients of the workload wait for codes: these only create contracts.
    let created = 0
    let isOver = false
    const creating = (async () => {
      while (!isOver) {
        if (await workload.create(2)) created += 1
        await wait(250)
      }
    })()
    await outage
    const opened = stack.lines.smtp.opened() - openedBefore
    isOver = true
    await creating
    // Simulates ten minutes for the waiting codes.
    const expired = await expireCodes(stack)
    const acceptedBefore = stack.mailServer.accepted().length
    await stack.mailServer.restart()
    const minutes = scaledMs(3_600) / 60_000
    record('contractsMadeMeanwhile', created)
    record('connectionsTried', opened)
    record('codesLapsed', expired.length)
    if (created === 0 || workload.created.length === createdBefore)
      fail('no contract was created while the mail server was unavailable')
    if (opened > 20 + PROBES_PER_MINUTE_MAX * minutes) fail(`the dead mail server was asked ${opened} times`)
    await until(
      'the first mail after the outage',
      () => (stack.mailServer.accepted().length > acceptedBefore ? true : undefined),
      90_000,
    )
    // A stale code may well arrive second.
    await workload.stop()
    await untilIdle(stack)
    const late = stack.mailServer
      .accepted()
      .slice(acceptedBefore)
      .filter(({ parsed }) => expired.some((id) => parsed.messageId?.startsWith(`<code.${id}@`)))
    if (late.length > 0) fail(`${late.length} codes were sent after they had expired`)
    for (const { status } of workload.refusals()) fail(`a call was answered ${status} while only mail was unavailable`)
  },
}

export const mailServerRefuses: Scenario = {
  fault: 'F7',
  name: 'mail-server-refuses',
  done: 'the mail server first answers 451 to every third mail, always 550 to some addresses, and hangs after the text of one',
  holds:
    'a mail with 4yz is retried with the same Message-ID; one with 5yz fails once, visibly, with an event; each hang ends within a minute, and its retry follows only a quarter of an hour later, because the text may have been accepted (brought forward here)',
  buses: ['postgres'],
  suite: { rounds: 1, scale: 1 },
  full: { rounds: 10, scale: 1 },
  clients: 3,
  async play({ stack, workload, rounds, random, record, fail }) {
    const tries = new Map<string, number>()
    let deferred = 0
    const hangs: Promise<number>[] = []
    stack.mailServer.answerWith(({ messageId = '', to }) => {
      const before = tries.get(messageId) ?? 0
      tries.set(messageId, before + 1)
      if (/^never/.test(to?.[0]?.address ?? '')) return 550
      if (hangs.length < rounds && before === 0 && messageId.startsWith('<invitation')) {
        const ended = endOfHang(stack, messageId, fail)
        // Awaited below; an earlier failure must not end the test's process.
        ended.catch(() => undefined)
        hangs.push(ended)
        return 'hang'
      }
      if (before === 0 && random() < 0.33) {
        deferred += 1
        return 451
      }
      return 'ok'
    })
    const refused = await workload.create(2, (at) => `never${at}`)
    await workload.stop()
    const started = performance.now()
    const hungMs = await Promise.all(hangs)
    // Everything except the mail that hung; then that one too.
    await until(
      'every mail finished',
      async () => {
        const [row] = await stack.query<{ n: number }>(
          'notification',
          `select count(*)::int as n from delivery where state = 'due'`,
        )
        return row!.n === 0 ? true : undefined
      },
      150_000,
    )
    stack.mailServer.answerWith(() => 'ok')
    record('deferred', deferred)
    record('hung', hungMs.length)
    record('longestHangSeconds', Math.round(Math.max(0, ...hungMs) / 1_000))
    record('lastSettledAfterSeconds', Math.round((performance.now() - started) / 1_000))
    if (hungMs.length === 0 || deferred === 0) fail('nothing hung, or nothing was deferred')
    await refusedOnce(stack, refused!, fail)
    return { refusedForGood: refused!.emails }
  },
}

/**
 * Expires every waiting code, at a moment in which no worker has one in progress: a worker would use the expiry from the time of
 * its lease. @returns the middle of their Message-IDs
 */
const expireCodes = ({ query }: FaultStack): Promise<string[]> =>
  until('a moment without a code in progress', async () => {
    const [moment] = await query<{ leased: number; ids: string[] }>(
      'notification',
      `with waiting as (select id, claim from delivery where kind = 'code' and state = 'due'),
            leased as (select count(*)::int as n from waiting where claim is not null),
            expired as (
              update delivery set lapses_at = clock_timestamp()
               where id in (select id from waiting) and claim is null and (select n from leased) = 0
              returning contract_id || '.' || party_index || '.' || send_number as id)
       select (select n from leased) as leased, array(select id from expired) as ids`,
      [],
    )
    return moment!.leased === 0 ? moment!.ids : undefined
  })

/** The limit of a hang over a mail, and the pause before the next try if the server may have accepted the text. [F7] */
const HANG_MS_MAX = 60_000
const MAYBE_TAKEN_SECONDS = 900

/**
 * Watches the row of a mail whose server hangs from now on, until its attempt ends: within a minute, and rescheduled for a quarter of an
 * hour, which is then skipped. @returns how long the attempt lasted, in milliseconds
 */
async function endOfHang({ query }: FaultStack, messageId: string, fail: Scene['fail']): Promise<number> {
  const startedAt = performance.now()
  const id = messageId.replace(/^<invitation\.|@.*$/g, '').split('.')
  const row = `contract_id = $1 and party_index = $2::int and send_number = $3::int and kind = 'invitation'`
  const { seconds } = await until(
    `the end of the attempt at ${messageId}`,
    async () => {
      const [ended] = await query<{ seconds: number }>(
        'notification',
        `select extract(epoch from due_at - clock_timestamp())::float8 as seconds from delivery where claim is null and ${row}`,
        id,
      )
      return ended
    },
    2 * HANG_MS_MAX,
  )
  const hungMs = performance.now() - startedAt
  if (hungMs > HANG_MS_MAX) fail(`the attempt at ${messageId} ended only ${Math.round(hungMs)} ms after the hang began`)
  // Some of it has passed since it was recorded.
  if (seconds < MAYBE_TAKEN_SECONDS - 5)
    fail(`${messageId}, which the server may have taken, was rescheduled by ${Math.round(seconds)} s`)
  await query('notification', `update delivery set due_at = clock_timestamp() where state = 'due' and ${row}`, id)
  return hungMs
}

/** Each invitation of `refused` was tried once, has failed permanently in its row, and its failure was published. */
async function refusedOnce({ query }: FaultStack, refused: CreatedContract, fail: Scene['fail']): Promise<void> {
  const failed = await query<{ outcome: string; attempts: number; state: string }>(
    'notification',
    `select outcome, attempts, state from delivery where contract_id = $1 and kind = 'invitation'`,
    [refused.id],
  )
  if (failed.length !== refused.partyCount)
    fail(`${failed.length} of ${refused.partyCount} mails are there to be refused`)
  for (const { outcome, attempts, state } of failed)
    if (state !== 'failed' || !/550/.test(outcome) || attempts !== 1)
      fail(`a mail that was refused for good is ${state}: ${outcome} after ${attempts} attempts`)
  const published = await query<{ party: number; reason: string; code: number | null }>(
    'notification',
    `select (data->>'partyIndex')::int as party, data->>'reason' as reason, (data->>'smtpCode')::int as code
       from outbox where key = $1 and type = 'email.failed' and data->>'kind' = 'invitation' order by 1`,
    [refused.id],
  )
  const expected = Array.from({ length: refused.partyCount }, (_, party) => ({ party, reason: 'refused', code: 550 }))
  if (JSON.stringify(published) !== JSON.stringify(expected))
    fail(`email.failed was published as ${JSON.stringify(published)}, and not as ${JSON.stringify(expected)}`)
}

export const mailWorkerDies: Scenario = {
  fault: 'F8',
  name: 'mail-worker-dies-after-yes',
  done: 'the mail worker is killed after it received the mail server’s 250 and before it records it',
  holds: 'that mail is sent exactly once more, with the same Message-ID; no other mail is sent twice; none is lost',
  buses: ['postgres'],
  suite: { rounds: 1, scale: 60 },
  full: { rounds: 50, scale: 60 },
  clients: 0,
  async play({ stack, workload, rounds, scaledMs, record, fail }) {
    for (let round = 0; round < rounds; round += 1) {
      let killedOver: string | undefined
      const returns = stack.returnsOf('notification')
      void killAfterYes(stack).then((id) => (killedOver = id))
      const contract = (await workload.create(2))!
      const messageId = await until('a worker that received a 250 and has not recorded it', () => killedOver, 60_000)
      const leases = await readDeadLeases(stack)
      await until(
        'the restart of the mail worker',
        () => (stack.returnsOf('notification') > returns ? true : undefined),
        60_000,
      )
      stack.mailServer.answerWith(() => 'ok')
      if (scaledMs(60) < 60_000) await expireLeases(stack, leases)
      const copies = () => stack.mailServer.accepted().filter(({ parsed }) => parsed.messageId === messageId).length
      await until(`the copy of ${messageId}`, () => (copies() > 1 ? true : undefined), 90_000)
      if (!messageId.includes(contract.id)) fail(`another mail than that of ${contract.id} was in hand`)
      // The mails in progress at the dead worker would also be sent by its successor.
      await untilIdle(stack)
      if (copies() !== 2) fail(`${messageId} was sent ${copies()} times`)
    }
    record('kills', rounds)
    return { deaths: Array.from({ length: rounds }, () => 'notification'), extraCopies: 1, totalCopies: rounds }
  },
}

/** The first statement of the worker after a mail has ended, which it sends at no other time. */
const FINISHES_DELIVERY = 'update delivery set state ='

/**
 * Kills the mail worker before it records that the next invitation was accepted: it has received the 250, and its statement has
 * not reached the database. No other mail is accepted from then on, because mails that the dead worker had sent may be read only now; the
 * caller ends that. @returns the invitation's Message-ID
 */
function killAfterYes(stack: FaultStack): Promise<string> {
  return new Promise((resolve) => {
    stack.mailServer.answerWith(({ messageId = '' }) => {
      if (!messageId.startsWith('<invitation')) return 'ok'
      stack.mailServer.answerWith(() => 451)
      stack.lines.notification.whenSent(FINISHES_DELIVERY, () => {
        process.kill(stack.pids()['notification']!, 'SIGKILL')
        resolve(messageId)
      })
      return 'ok'
    })
  })
}
