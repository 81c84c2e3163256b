// Postgres restarts, or its acknowledgements are lost; the service behind the gateway fails. [F3, F5, F21, F24]
import { SERVICES, type ServiceName } from '@paraph/protocol/services'
import { until } from '../../harness/until.js'
import type { Scenario, Scene } from '../scenario.js'
import { COMMIT_COMPLETE } from '../tcp-proxy.js'

export const postgresRestart: Scenario = {
  fault: 'F3',
  name: 'postgres-restart',
  done: 'Postgres restarts as by pg_ctl restart -m immediate, under load',
  holds:
    'no service process exits; calls get 503 with Retry-After and succeed within 10 s of the server’s return; no answered work is lost',
  buses: ['postgres'],
  suite: { rounds: 1, scale: 1 },
  full: { rounds: 50, scale: 1 },
  clients: 4,
  async play({ stack, workload, rounds, random, wait, record, fail }) {
    let [longestMs, awayMs] = [0, 0]
    for (let round = 0; round < rounds; round += 1) {
      await wait(500 + random() * 1_500)
      const downAt = performance.now()
      await stack.restartPostgres()
      const backAt = performance.now()
      awayMs = Math.max(awayMs, backAt - downAt)
      await stack.untilOperational()
      // Measures from the moment at which Postgres accepts connections again until the first contract is created.
      await workload.create(2)
      longestMs = Math.max(longestMs, performance.now() - backAt)
    }
    record('serverAwayMs', Math.round(awayMs))
    record('longestUntilACreatedContractMs', Math.round(longestMs))
    if (longestMs > 10_000) fail(`a contract was created only ${Math.round(longestMs)} ms after Postgres returned`)
    for (const { status, hasRetryAfter } of workload.refusals())
      if (status !== 503 || !hasRetryAfter) fail(`a call was answered ${status}, Retry-After ${hasRetryAfter}`)
    return { deaths: Array.from({ length: rounds }, () => 'postgres') }
  },
}

/** A kind of commit. `sent`: text of its first statement; `answered`: the answer that is lost, if not COMMIT (no transaction). */
interface Commit {
  line: ServiceName | 'bus'
  sent: string
  answered?: Buffer
  /** Causes such a commit, if the actions of the clients do not. */
  provoke?: (scene: Scene) => Promise<void>
}

const [UPDATED, SELECTED] = ['UPDATE ', 'SELECT 1\0'].map((tag) => Buffer.from(tag))

/** Every kind of commit whose work must not happen twice. */
const LOST: readonly Commit[] = [
  { line: 'contract', sent: 'insert into "contract"' },
  { line: 'contract', sent: 'insert into "signature"' },
  { line: 'contract', sent: '"cancelled_at"', provoke: cancelOne },
  { line: 'contract', sent: 'update contract c set status = e.status', provoke: letOneExpire },
  { line: 'contract', sent: 'update outbox set published_at', answered: UPDATED! },
  { line: 'gateway', sent: 'usage_commit_batch', answered: SELECTED! },
  { line: 'gateway', sent: 'update outbox set published_at', answered: UPDATED!, provoke: suspendOne },
  { line: 'signing', sent: 'insert into code_send' },
  { line: 'signing', sent: 'update code_send set finished_at = clock_timestamp(), outcome = $1' },
  { line: 'signing', sent: 'insert into mailbox_session' },
  { line: 'signing', sent: 'insert into sign_attempt', answered: SELECTED! },
  { line: 'signing', sent: 'update sign_attempt set state', answered: SELECTED! },
  { line: 'signing', sent: 'insert into inbox' },
  { line: 'signing', sent: 'append_to_chain' },
  { line: 'notification', sent: 'insert into inbox' },
  { line: 'notification', sent: 'insert into contract_mail' },
  { line: 'notification', sent: 'update delivery set state =', answered: SELECTED! },
  { line: 'notification', sent: 'update delivery set due_at = clock_timestamp() + make_interval', answered: UPDATED! },
  { line: 'notification', sent: 'update outbox set published_at', answered: UPDATED! },
  { line: 'bus', sent: 'select bus.append', answered: SELECTED! },
  { line: 'bus', sent: 'select bus.commit', answered: SELECTED! },
]

export const commitLost: Scenario = {
  fault: 'F5',
  name: 'commit-acknowledgement-lost',
  done: `the connection breaks after Postgres has committed, before the service gets the answer: ${LOST.length} kinds of commit in turn, from the contract to the bus and the finished mail (not: claims of workers, which expire, and pruning)`,
  holds:
    'a retry finds the committed work: one contract for a key, one signature for a party, one count for a call, no second mail',
  buses: ['postgres'],
  suite: { rounds: 1, scale: 1 },
  full: { rounds: 50, scale: 1 },
  clients: 6,
  async play(scene) {
    const { stack, rounds, random, record } = scene
    // Rejects some mails temporarily, because one of the commits records that a mail is rescheduled.
    stack.mailServer.answerWith(() => (random() < 0.2 ? 451 : 'ok'))
    let lost = 0
    try {
      for (let round = 0; round < rounds; round += 1) {
        await Promise.all(
          [...SERVICES, 'bus' as const].map(async (line) => {
            for (const commit of LOST.filter((each) => each.line === line)) {
              await loseOne(scene, commit)
              lost += 1
            }
          }),
        )
      }
    } finally {
      stack.mailServer.answerWith(() => 'ok')
    }
    record('kindsOfCommit', LOST.length)
    record('acknowledgementsLost', lost)
  },
}

/** Loses the acknowledgement of the next commit of this kind. */
async function loseOne(scene: Scene, { line, sent, answered = COMMIT_COMPLETE, provoke }: Commit): Promise<void> {
  let happened = false
  void scene.stack.lines[line].cutAt(sent, answered).then(() => (happened = true))
  await until(
    `a lost acknowledgement of ${sent} at ${line}`,
    async () => {
      if (!happened) await provoke?.(scene)
      return happened || undefined
    },
    90_000,
  )
}

async function cancelOne({ workload }: Scene): Promise<void> {
  const contract = await workload.create(2)
  if (contract) await workload.cancel(contract)
}

async function letOneExpire({ workload, wait }: Scene): Promise<void> {
  const contract = await workload.create(2)
  if (contract) await workload.runOut(contract, 200)
  await wait(1_500)
}

/** Causes events of the gateway, because no action of the clients does. */
async function suspendOne({ stack, wait }: Scene): Promise<void> {
  const { accountId } = await stack.createAccount('Suspended and resumed')
  await stack.operator.gateway.account.suspend.mutate({ id: accountId })
  await wait(500)
}

export const retryStorm: Scenario = {
  fault: 'F21',
  name: 'retry-storm',
  done: 'the contract service answers 503 for a minute, and 40 clients repeat their calls without a pause',
  holds:
    'the gateway makes at most 1.1 attempts for each call; answers are 503, not time-outs; calls succeed again within 30 s; memory does not grow',
  buses: ['postgres'],
  suite: { rounds: 1, scale: 20 },
  full: { rounds: 1, scale: 1 },
  clients: 0,
  async play({ stack, workload, scaledMs, record, fail, wait }) {
    const { api } = workload
    const [contract] = [await workload.create(2)]
    let [isOver, callCount, slowestMs] = [false, 0, 0]
    const statuses = new Map<number, number>()
    const memoryBefore = await stack.memoryOf('gateway')
    await stack.lines.contract.become('refuse')
    await wait(200)
    const forwardedBefore = stack.lines.forward.requests()
    const clients = Array.from({ length: 40 }, async () => {
      while (!isOver) {
        const sentAt = performance.now()
        const answer = await api.get(contract!.id).catch(() => undefined)
        callCount += 1
        slowestMs = Math.max(slowestMs, performance.now() - sentAt)
        statuses.set(answer?.status ?? 0, (statuses.get(answer?.status ?? 0) ?? 0) + 1)
      }
    })
    await wait(scaledMs(60))
    const [attempts, calls] = [stack.lines.forward.requests() - forwardedBefore, callCount]
    await stack.lines.contract.become('pass')
    const healedAt = performance.now()
    isOver = true
    await Promise.all(clients)
    await until('a successful call', async () => ((await api.get(contract!.id)).status === 200 ? true : undefined))
    const recoveredMs = Math.round(performance.now() - healedAt)
    const ratio = attempts / calls
    record('calls', calls)
    record('attemptsPerCall', Math.round(ratio * 1_000) / 1_000)
    record('slowestMs', Math.round(slowestMs))
    record('recoveredAfterMs', recoveredMs)
    record('gatewayGrewMiB', Math.round(((await stack.memoryOf('gateway')) - memoryBefore) / 2 ** 20))
    // A call in progress at the start or the end may count only as a call or only as an attempt.
    if (attempts > 1.1 * (calls + 40)) fail(`${attempts} attempts for ${calls} calls`)
    if (recoveredMs > 30_000) fail(`calls succeeded only ${recoveredMs} ms after the fault`)
    const others = [...statuses].filter(([status]) => status !== 503 && status !== 200)
    if (others.length > 0) fail(`answers other than 503: ${JSON.stringify(others)}`)
    if ((await stack.memoryOf('gateway')) - memoryBefore > 300 * 2 ** 20) fail('the gateway grew by more than 300 MiB')
  },
}
