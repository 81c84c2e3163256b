// Kills services with SIGKILL at fail points, all services concurrently, while clients work. A full run adds the points of MORE. [F16, I1-I9]
// test/e2e/ceremony/signing-cannot-lie.e2e.test.ts tests the points of signing, finishing, cancelling and codes one by one.
import { setTimeout as sleep } from 'node:timers/promises'
import { SERVICES, type ServiceName } from '@paraph/protocol/services'
import { until } from '../../harness/until.js'
import { expireLeases, readDeadLeases } from '../dead-leases.js'
import type { Scenario, Scene } from '../scenario.js'
import { MAILS_SENT_CONCURRENTLY, mailsInProgress } from '../soundness-of-mail.js'

const steps = (what: string, ...names: string[]): string[] => names.map((name) => `${what}.${name}`)
const RELAY = steps('relay', 'read', 'sent', 'marked')
const CONSUME = steps('consume', 'received', 'entered', 'handled', 'committed')

/** On Kafka, the suite visits only the points of the bus, each in two services, because other code does not depend on the bus. */
const ON_KAFKA: Record<ServiceName, readonly string[]> = {
  gateway: RELAY,
  contract: RELAY,
  signing: CONSUME,
  notification: CONSUME,
}

/** Every point that the suite visits, by the service that is killed there. */
const POINTS: Record<ServiceName, readonly string[]> = {
  gateway: [...RELAY, ...steps('usage', 'writing', 'written')],
  contract: [
    ...RELAY,
    ...steps('create', 'storing', 'stored', 'committed'),
    ...steps('expire', 'locked', 'stored', 'committed'),
  ],
  signing: CONSUME,
  notification: [...CONSUME, ...RELAY, ...steps('mail', 'claimed', 'accepted', 'finished')],
}

/** Additional points of a full run. */
const MORE: Partial<Record<ServiceName, readonly string[]>> = {
  contract: [...steps('sign', 'locked', 'stored', 'committed'), ...steps('cancel', 'locked', 'stored', 'committed')],
  signing: [
    ...steps('sign', 'begun', 'submitted', 'answered', 'finished'),
    ...steps('evidence', 'recorded', 'asked', 'performed', 'marked', 'committed'),
    ...steps('seal', 'claimed', 'made', 'stored', 'committed'),
    ...steps('code', 'claimed', 'pushed', 'wiped', 'committed'),
  ],
}

/** The limit for one point. Clients reach those of signing slowly: a party that lost the page for its code waits a minute. [D16] */
const POINT_MS_MAX = 300_000

export const crash: Scenario = {
  fault: 'F16',
  name: 'kill-at-every-point',
  done: 'kill -9 of each service at each named point, in all four concurrently, under load',
  holds:
    'every invariant holds after the restart, without a manual step; at most one more copy of a mail for each dead mail worker',
  buses: ['postgres', 'kafka'],
  // The points are the same on both buses, and a run takes more than a minute.
  suiteBuses: ['postgres'],
  suite: { rounds: 1, scale: 60 },
  full: { rounds: 50, scale: 60 },
  clients: 6,
  async play(scene) {
    const { stack, rounds, random, record } = scene
    const before = stack.deaths.length
    const spare = await stack.createAccount('Suspended again and again')
    let isOver = false
    // Causes events of the gateway, because no action of the clients does.
    const suspending = (async () => {
      while (!isOver) {
        const { suspend, resume } = stack.operator.gateway.account
        await suspend.mutate({ id: spare.accountId }).catch(() => undefined)
        await resume.mutate({ id: spare.accountId }).catch(() => undefined)
        await sleep(300)
      }
    })()
    let kills = 0
    const inProgress: string[] = []
    const killAll = async (round: number): Promise<void> => {
      await Promise.all(
        SERVICES.map(async (service) => {
          const here = stack.bus.name === 'kafka' ? ON_KAFKA[service] : POINTS[service]
          const points = rounds > 1 ? [...POINTS[service], ...(MORE[service] ?? [])] : here
          for (const point of shuffled(points, random)) {
            inProgress.push(...(await killAt(scene, service, point)))
            kills += 1
            await sleep(random() * 300)
          }
        }),
      )
      record('roundsPlayed', round + 1)
    }
    try {
      // Services with fewer points wait for the end of each round, so that kills of all services stay concurrent.
      for (let round = 0; round < rounds; round += 1) await killAll(round)
    } finally {
      isOver = true
    }
    await suspending
    await stack.untilOperational()
    record('kills', kills)
    const deaths = stack.deaths.slice(before).filter(({ how }) => how === 'was ended by SIGKILL')
    const mailWorkers = deaths.filter(({ name }) => name === 'notification').length
    record('mailsInHand', inProgress.length)
    return { deaths: deaths.map(({ name }) => name), totalCopies: mailWorkers * MAILS_SENT_CONCURRENTLY, inProgress }
  },
}

/** Arms `point` and waits until `service` was killed at it exactly once and runs again. @returns the mails in progress at its death */
async function killAt({ stack, scaledMs, workload }: Scene, service: ServiceName, point: string): Promise<string[]> {
  const [deaths, returns] = [() => stack.deaths.filter(({ name }) => name === service).length, stack.returnsOf(service)]
  const deathsBefore = deaths()
  await stack.arm(service, point)
  await until(
    `the death of ${service} at ${point}`,
    async () => {
      if (deaths() > deathsBefore) return true
      // The random actions of the clients may reach this point only after a long time.
      if (point.startsWith('cancel.') || point.startsWith('expire.')) await provoke(workload, point)
      return undefined
    },
    POINT_MS_MAX,
  )
  const inProgress = service === 'notification' ? await mailsInProgress(stack) : []
  if (service === 'notification' && scaledMs(60) < 60_000) await expireLeases(stack, await readDeadLeases(stack))
  await until(`the restart of ${service}`, () => (stack.returnsOf(service) > returns ? true : undefined), 60_000)
  if (deaths() !== deathsBefore + 1) throw new Error(`${service} died ${deaths() - deathsBefore} times at ${point}`)
  return inProgress
}

async function provoke(workload: Scene['workload'], point: string): Promise<void> {
  const contract = await workload.create(2)
  if (!contract) return
  if (point.startsWith('cancel.')) await workload.cancel(contract)
  else await workload.runOut(contract, 200)
  await sleep(200)
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ item }) => item)
}
