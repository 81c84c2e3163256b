// Runs the product on one machine as a cluster does: several replicas of each service, the built processes, behind balancers that behave
// like Services, and rollouts that behave like a Deployment's. For tests of stops, starts, upgrades and rotations. [H12, H13, F17, F25]
// Stricter than a cluster on purpose: there is no preStop, and the balancers remove a replica only a second after its SIGTERM.
// Owns: replicas, endpoints, environments. Does not own: clients and checks (../faults), the schedule of rollouts (the tests).
import { spawn, type ChildProcess } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openProcessLog } from '@paraph/local/process-log'
import { serviceEnvironment } from '@paraph/paraph/installation/environment'
import { claimPort } from '@paraph/paraph/installation/ports'
import type { Secrets } from '@paraph/paraph/installation/secrets'
import { SERVICES, type ServiceName } from '@paraph/protocol/services'
import { startKafka, type BusName } from '../faults/fault-bus.js'
import { startInfrastructure, openBaseStack, type Death, type Infrastructure, type Undo } from '../faults/base-stack.js'
import { makeDataFolder } from '../harness/stack/local-stack.js'
import { isReady, retryIfPortTaken } from '../harness/stack/replica-start.js'
import { until } from '../harness/until.js'
import { startServiceBalancer } from './service-balancer.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** A limit for hanging starts: on a busy machine a start takes half a minute. */
const READY_WITHIN_MS = 120_000
/** The time until every node of a cluster has removed an endpoint. */
const ENDPOINT_DELAY_MS = 1_000
/** The time until a kubelet has restarted a dead container. */
const CONTAINER_RESTART_MS = 1_000

/** Overrides the setting, to show the effect of the linger: `LINGER_SECONDS=0 npm run test:release -- rolling`. */
const LINGER = process.env['LINGER_SECONDS']

/** Settings of a service's processes in addition to those of the launcher. */
type Changes = Partial<Record<ServiceName, Readonly<Record<string, string>>>>

/** The exit of one process after SIGTERM. */
export interface Stop {
  service: ServiceName
  code: number | null
  seconds: number
}

interface RigOptions {
  /** `kafka`: a real broker for this rig, with its topics created. */
  busName: BusName
  root: string
  replicas: number
  /** Settings of the first processes too, such as the address of a pooler that this call starts. */
  prepare: (undo: Undo, infrastructure: Infrastructure) => Promise<Changes>
}

interface Replica {
  service: ServiceName
  port: number
  internalPort: number
  child: ChildProcess
  /** The path of its log. */
  log: string
  exited: Promise<number | null>
  /** True if an exit is no unexpected death: before the replica is ready, and after the rig has sent SIGTERM or SIGKILL. */
  isToEnd: boolean
}

/**
 * Starts `replicas` of each service and waits until all are ready.
 * @param root the folder of the built services; for an older version, that of another checkout
 */
export async function startRig({
  busName = 'postgres',
  root = ROOT,
  replicas = 2,
  prepare = () => Promise.resolve({}),
}: Partial<RigOptions> = {}) {
  const undo: Undo = []
  /** Warnings and errors, formatted for people. */
  const warnings: string[] = []
  const close = async (): Promise<void> => {
    for (const step of undo.reverse()) await step().catch(() => undefined)
  }
  try {
    return { ...(await assemble(undo, { busName, root, replicas, prepare }, warnings)), close }
  } catch (error) {
    await close()
    throw new Error(['The rig did not start:', ...warnings.slice(-20)].join('\n'), { cause: error })
  }
}

async function assemble(undo: Undo, { busName, root, replicas: count, prepare }: RigOptions, warnings: string[]) {
  const broker = busName === 'kafka' ? await startKafka() : undefined
  undo.push(async () => broker?.bus.close())
  const folder = await makeDataFolder()
  undo.push(() => rm(folder, { recursive: true, force: true }))
  const infrastructure = await startInfrastructure(undo, {
    folder,
    busName,
    announce: () => undefined,
    onReplaced: () => undefined,
  })
  const { ports, paths } = infrastructure
  let { secrets } = infrastructure
  let changes = await prepare(undo, infrastructure)

  const balancers = new Map<
    ServiceName,
    Record<'open' | 'internal', Awaited<ReturnType<typeof startServiceBalancer>>>
  >()
  for (const service of SERVICES) {
    const open = await startServiceBalancer(ports[service])
    const internal = await startServiceBalancer(ports[`${service}Internal`])
    undo.push(open.close, internal.close)
    balancers.set(service, { open, internal })
  }
  const replicas = new Set<Replica>()
  const stops: Stop[] = []
  const deaths: Death[] = []
  const endings = new Set<Promise<unknown>>()
  undo.push(async () => {
    for (const replica of replicas) kill(replica)
    await Promise.all([...replicas].map(({ exited }) => exited))
    await Promise.all(endings)
  })

  const environmentOf = (service: ServiceName): Record<string, string> => ({
    PATH: process.env['PATH'] ?? '',
    LOG_LEVEL: 'info',
    WINDOW_STORE: 'postgres',
    ...broker?.environment,
    ...serviceEnvironment(service, {
      ports: { ...ports, smtp: infrastructure.mailServer.port },
      secrets,
      eventBus: busName,
    }),
    TRUSTED_PROXY_HOPS: '1',
    ...(LINGER === undefined ? {} : { LINGER_SECONDS: LINGER }),
    ...changes[service],
  })

  /** Starts another replica and waits until it is ready; from then on it gets its share of new connections. */
  const start = (service: ServiceName): Promise<Replica> =>
    retryIfPortTaken(async () => untilReady(await launch(service)))

  /** Starts a process that no balancer knows yet. */
  async function launch(service: ServiceName): Promise<Replica> {
    const [port, internalPort] = [await claimPort(), await claimPort()]
    const guard = join(ROOT, 'deploy', 'local', 'dist', 'orphan-guard.js')
    const child = spawn(
      process.execPath,
      ['--import', `file://${guard}`, join(root, 'services', service, 'dist', 'main.js')],
      {
        env: { ...environmentOf(service), PORT: String(port), INTERNAL_PORT: String(internalPort) },
        stdio: ['pipe', 'pipe', 'pipe'],
      },
    )
    child.stdin.on('error', () => undefined)
    const log = openProcessLog({
      path: join(paths.logs, `${service}-${port}.log`),
      service,
      show: (line) => void warnings.push(`${new Date().toISOString()} ${port} ${line}`),
    })
    log.follow(child.stdout, 'info')
    log.follow(child.stderr, 'warn')
    const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
    const replica: Replica = { service, port, internalPort, child, log: log.path, exited, isToEnd: true }
    replicas.add(replica)
    void exited.then((code) => {
      replicas.delete(replica)
      if (!replica.isToEnd) deaths.push({ name: service, how: `ended with ${code ?? child.signalCode}` })
    })
    return replica
  }

  /** Waits until a process is ready; from then on it gets its share of new connections. */
  async function untilReady(replica: Replica): Promise<Replica> {
    const { service, port, internalPort, child, log } = replica
    await until(
      `a ready ${service}`,
      async () => {
        if (child.exitCode !== null)
          throw new Error(`a ${service} ended with ${child.exitCode}:\n${await readFile(log, 'utf8')}`)
        return isReady(internalPort)
      },
      READY_WITHIN_MS,
    )
    replica.isToEnd = false
    balancers.get(service)?.open.add(port)
    balancers.get(service)?.internal.add(internalPort)
    return replica
  }

  /** Takes the replica out of the balancers, after the delay of a cluster. */
  function removeEndpoints({ service, port, internalPort }: Replica): void {
    const removed = sleep(ENDPOINT_DELAY_MS).then(() => {
      balancers.get(service)?.open.remove(port)
      balancers.get(service)?.internal.remove(internalPort)
    })
    endings.add(removed)
    void removed.then(() => endings.delete(removed))
  }

  /** Stops one replica by SIGTERM and records its exit. */
  async function stop(replica: Replica): Promise<void> {
    const askedAt = performance.now()
    removeEndpoints(replica)
    replica.isToEnd = true
    replica.child.kill('SIGTERM')
    const code = await replica.exited
    stops.push({ service: replica.service, code, seconds: Math.round(performance.now() - askedAt) / 1_000 })
  }

  function kill(replica: Replica): void {
    replica.isToEnd = true
    replica.child.kill('SIGKILL')
  }

  const replicasOf = (service: ServiceName): Replica[] => [...replicas].filter((each) => each.service === service)

  /** One start at a time: four concurrent starts would block a small machine, while a cluster has several machines. */
  let starts: Promise<unknown> = Promise.resolve()
  function startInTurn(service: ServiceName): Promise<Replica> {
    const started = starts.then(() => start(service))
    starts = started.catch(() => undefined)
    return started
  }

  /** Replaces replicas one by one, as maxSurge 1 and maxUnavailable 0 do: a new replica is ready before an old one gets SIGTERM. */
  async function roll(service: ServiceName): Promise<void> {
    for (const old of replicasOf(service)) {
      await startInTurn(service)
      await stop(old)
    }
  }

  await Promise.all(SERVICES.flatMap((service) => Array.from({ length: count }, () => start(service))))
  const base = await openBaseStack(undo, infrastructure, () => ({
    launcher: process.pid,
    postgres: infrastructure.postgres.pid(),
  }))
  // The first ready gateway may have seen the other services as unavailable, which it reports until its next check.
  for (const { port } of replicasOf('gateway'))
    await until('a gateway that reports the other services as ready', async () => {
      const answer = await fetch(`${base.stack.apiUrl.replace(`:${ports.gateway}`, `:${port}`)}/status`, {
        headers: { 'x-api-key': base.stack.liveKey },
      })
      return ((await answer.json()) as { status: string }).status === 'operational' ? true : undefined
    })

  return {
    ...base,
    ports,
    replicasOf,
    stops,
    warnings,
    deaths,
    /** The secrets that a replica gets at its next start. */
    secrets: () => secrets,
    /** Replaces the replicas of these services: one by one in each service, all services in parallel, like an upgrade. */
    roll: async (services: readonly ServiceName[] = SERVICES): Promise<void> =>
      void (await Promise.all(services.map(roll))),
    /** For rollouts that stop half-way: a process beside the balancers, which gets connections once `untilReady` has resolved. */
    launch,
    untilReady,
    /** Sets secrets and additional settings that replicas get from their next start on. */
    change(next: { secrets?: Partial<Secrets>; settings?: Changes }): void {
      secrets = { ...secrets, ...next.secrets }
      for (const [service, own] of Object.entries(next.settings ?? {}) as [ServiceName, Record<string, string>][])
        changes = { ...changes, [service]: { ...changes[service], ...own } }
    },
    /**
     * Kills the oldest replica of each service with SIGKILL, concurrently; resolves when new replicas have replaced them.
     * @param whileDead runs when all are dead and none is replaced; `killOneOfEach` resolves with its result
     */
    async killOneOfEach<Seen>(whileDead: () => Promise<Seen>): Promise<Seen> {
      const victims = SERVICES.map((service) => replicasOf(service)[0]!)
      victims.forEach(kill)
      await Promise.all(victims.map(({ exited }) => exited))
      victims.forEach(removeEndpoints)
      const [seen] = await Promise.all([whileDead(), sleep(CONTAINER_RESTART_MS)])
      await Promise.all(SERVICES.map(startInTurn))
      return seen
    },
  }
}

export type Rig = Awaited<ReturnType<typeof startRig>>
