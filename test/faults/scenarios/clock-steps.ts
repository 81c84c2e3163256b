// The clock of a machine steps under load: that of each service, then that of Postgres, which is authoritative. [F12, F32]
import { SERVICES } from '@paraph/protocol/services'
import { until } from '../../harness/until.js'
import { MAILS_SENT_CONCURRENTLY } from '../soundness-of-mail.js'
import type { Scenario, Scene } from '../scenario.js'

const SERVICE_STEP_SECONDS = 600
const POSTGRES_STEP_SECONDS = 3_600
/** Two services read the clock of the database every 5 s, each at its own moment, and refuse each other's tokens meanwhile. */
const REFUSED_MS_MAX = 10_000
/** The interval at which the mail worker limits waits, the longest pause of the circuit, and time to send. */
const MAILS_SENT_MS_MAX = 120_000

export const clockSteps: Scenario = {
  fault: 'F32',
  name: 'clock-steps',
  done: 'under load the clock of each service in turn is ten minutes fast for 30 s, then that of Postgres is an hour fast for three minutes (libfaketime); in the last two of them the mail server first refuses mails, then connections (not in a short run)',
  holds:
    'no process ends; a wrong clock of a service has no effect; after a step of Postgres calls and pages get 503 with Retry-After for at most 10 s; after the step back every mail of the wrong hour is sent within two minutes; only mails in progress are sent twice',
  buses: ['postgres'],
  suite: { rounds: 1, scale: 15 },
  full: { rounds: 1, scale: 1 },
  clients: 4,
  own: { isClocked: true },
  async play(scene) {
    const { stack, workload, rounds, scaledMs, record, fail } = scene
    for (let round = 0; round < rounds; round += 1) {
      for (const service of SERVICES) {
        await step(scene, service, SERVICE_STEP_SECONDS, scaledMs(30))
        if (!isFast(await stack.clockOf(service), SERVICE_STEP_SECONDS)) fail(`the clock of ${service} did not step`)
        await step(scene, service, 0, scaledMs(10))
      }
      if (workload.refusals().length > 0) fail(`calls or pages were refused: ${JSON.stringify(workload.refusals())}`)
      await workload.stop()
      // A contract that is made to expire in the wrong hour is due an hour later when the clock is right again.
      workload.start(clockSteps.clients, { without: 'expire' })
      await stepPostgres(scene)
    }
    record('refusedCalls', workload.refusals().filter(({ of }) => of === 'call').length)
    record('failedPages', workload.refusals().filter(({ of }) => of === 'page').length)
    for (const refusal of workload.refusals())
      if (!(refusal.status === 503 && refusal.hasRetryAfter) && !isOwnFirstTry(refusal)) fail(JSON.stringify(refusal))
    // The step forward ends the leases of the mails in progress. A mail that takes longer than the grace of its lease is sent once more.
    return { extraCopies: rounds, totalCopies: rounds * MAILS_SENT_CONCURRENTLY }
  },
}

async function stepPostgres(scene: Scene): Promise<void> {
  const { stack, scaledMs, wait, record, fail } = scene
  const { mailServer, query } = stack
  const forwardMs = await step(scene, 'postgres', POSTGRES_STEP_SECONDS, scaledMs(60))
  for (const database of SERVICES) {
    const [row] = await query<{ now: Date }>(database, 'select clock_timestamp() as now')
    if (!isFast(row!.now.getTime(), POSTGRES_STEP_SECONDS)) fail(`the clock of ${database} did not step`)
  }
  // A short run has no time to wait until the mail worker limits waits.
  const isFull = scaledMs(1) >= 1_000
  if (isFull) {
    mailServer.answerWith(() => 451)
    await wait(60_000)
    await mailServer.stop()
    await wait(60_000)
    await mailServer.restart()
  }
  const ids = (await query<{ id: string }>('notification', `select id from delivery where state = 'due'`)).map(
    ({ id }) => id,
  )
  if (isFull && ids.length === 0) fail('no mail waited in the wrong hour')
  const backAt = performance.now()
  const mailsSent = until(
    'the mails of the wrong hour',
    async () => {
      const left = await query('notification', `select 1 from delivery where state = 'due' and id = any($1)`, [ids])
      return left.length === 0 ? performance.now() : undefined
    },
    MAILS_SENT_MS_MAX,
  )
  const [backMs, sentAt] = await Promise.all([step(scene, 'postgres', 0, scaledMs(30)), mailsSent])
  record('refusedMsAfterTheStep', forwardMs)
  record('refusedMsAfterTheStepBack', backMs)
  record('mailsOfTheWrongHour', ids.length)
  record('mailsSentAfterMs', Math.round(sentAt - backAt))
  if (Math.max(forwardMs, backMs) > REFUSED_MS_MAX) fail('calls or pages were refused for too long after a step')
}

/** Sets the clock of a process `seconds` fast, and waits. @returns the milliseconds from the step to the last refused call or page */
async function step({ stack, workload, wait }: Scene, name: string, seconds: number, ms: number): Promise<number> {
  const before = workload.refusals().length
  const steppedAt = Date.now()
  await stack.clocks!.set(name, seconds)
  await wait(ms)
  const refused = workload
    .refusals()
    .slice(before)
    .filter((refusal) => !isOwnFirstTry(refusal))
  return Math.max(0, ...refused.map(({ startedAt }) => startedAt - steppedAt))
}

/** A retry that meets its own first try is answered 409. */
const isOwnFirstTry = ({ status }: { status: number }): boolean => status === 409

/** Whether a clock is `seconds` fast, to within a minute. */
const isFast = (clockMs: number, seconds: number): boolean => Math.abs(clockMs - Date.now() - seconds * 1_000) < 60_000
