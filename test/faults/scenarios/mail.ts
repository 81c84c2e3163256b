// The mail server is unavailable, rejects, or hangs; a mail worker dies right after the server accepted a mail. [F6-F8, I8, D24]
import { until } from '../../harness/until.js'
import { expireLeases, readDeadLeases } from '../dead-leases.js'
import type { FaultStack } from '../fault-stack.js'
import type { Scenario, Scene } from '../scenario.js'
import { untilIdle } from '../soundness.js'
import type { CreatedContract } from '../workload.js'

/** The most connections per minute to an unavailable mail server: a probe every half minute, and those for codes, with jitter. */
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
    // This loop only creates contracts, because the clients of the workload wait for codes.
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
    // Expires the waiting codes, as if ten minutes had passed.
    const expired = await expireCodes(stack)
    const acceptedBefore = stack.mailServer.accepted().length
    await stack.mailServer.restart()
    const minutes = scaledMs(3_600) / 60_000
    record('contractsMadeMeanwhile', created)
    record('connectionsTried', opened)
    record('codesLapsed', expired.length)
    if (created === 0 || workload.created.length === createdBefore)
      fail('no contract was created while the mail server was unavailable')
    if (opened > 20 + PROBES_PER_MINUTE_MAX * minutes) fail(`${opened} connections to the mail server`)
    await until(
      'the first mail after the outage',
      () => (stack.mailServer.accepted().length > acceptedBefore ? true : undefined),
      90_000,
    )
    // Waits for all mails, because an expired code might be sent after other mails.
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
        // The promise is awaited below. An earlier rejection must not end the test's process.
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
    // Waits for all mails, including those over which the server hung.
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
 * Expires every waiting code, at a moment when no worker has leased one, because a worker uses the expiry that it read with its lease.
 * @returns the middle parts of their Message-IDs
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

/** The time limit of an attempt over which the server hangs, and the pause before the next if it may have accepted the text. [F7] */
const HANG_MS_MAX = 60_000
const MAYBE_TAKEN_SECONDS = 900

/**
 * Checks that the attempt at a mail over which the server hangs from now on ends within a minute, and reschedules the mail for a quarter of
 * an hour later. Then skips this pause. @returns the duration of the attempt in milliseconds
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
  // Some seconds may have passed since the pause was recorded.
  if (seconds < MAYBE_TAKEN_SECONDS - 5)
    fail(`${messageId}, which the server may have accepted, was rescheduled by ${Math.round(seconds)} s`)
  await query('notification', `update delivery set due_at = clock_timestamp() where state = 'due' and ${row}`, id)
  return hungMs
}

/** Checks that each invitation of `refused` was tried once, and that its row and an event report the permanent failure. */
async function refusedOnce({ query }: FaultStack, refused: CreatedContract, fail: Scene['fail']): Promise<void> {
  const failed = await query<{ outcome: string; attempts: number; state: string }>(
    'notification',
    `select outcome, attempts, state from delivery where contract_id = $1 and kind = 'invitation'`,
    [refused.id],
  )
  if (failed.length !== refused.partyCount) fail(`${failed.length} of ${refused.partyCount} invitations exist`)
  for (const { outcome, attempts, state } of failed)
    if (state !== 'failed' || !/550/.test(outcome) || attempts !== 1)
      fail(`a permanently refused mail is ${state}: ${outcome} after ${attempts} attempts`)
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
      if (!messageId.includes(contract.id)) fail(`the mail in progress was ${messageId}, not one of ${contract.id}`)
      // The successor also sends the other mails that the dead worker had in progress.
      await untilIdle(stack)
      if (copies() !== 2) fail(`${messageId} was sent ${copies()} times`)
    }
    record('kills', rounds)
    return { deaths: Array.from({ length: rounds }, () => 'notification'), extraCopies: 1, totalCopies: rounds }
  },
}

/** The first statement of the worker after an attempt has ended, which it sends at no other time. */
const FINISHES_DELIVERY = 'update delivery set state ='

/**
 * Kills the mail worker after it has received the 250 for the next invitation, before its statement reaches the database. From that 250 on,
 * the mail server answers 451, because it may read other mails of the dead worker only later; the caller ends this.
 * @returns the invitation's Message-ID
 */
function killAfterYes(stack: FaultStack): Promise<string> {
  return new Promise((resolve) => {
    stack.mailServer.answerWith(({ messageId = '' }) => {
      if (!messageId.startsWith('<invitation')) return 'ok'
      stack.mailServer.answerWith(() => 451)
      stack.lines.notification.whenSent(FINISHES_DELIVERY, () => {
        process.kill(stack.pids()['notification']!, 'SIGKILL')
        // The statement commits by itself.
        stack.lines.notification.cut()
        resolve(messageId)
      })
      return 'ok'
    })
  })
}
