// The product as `npm start` runs it, built from the launcher's own parts, with proxies between every service and its database, the bus
// and the mail server. Fault tests can break these proxies and kill processes at fail points; every exit is recorded.
// Owns: the proxies and the record of exits. Does not own: the checks after a fault (soundness.ts).
import { execFile } from 'node:child_process'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { internalUrl } from '@paraph/paraph/installation/environment'
import { serviceProcess } from '@paraph/local/service-processes'
import type { ProcessSpec, Supervised } from '@paraph/local/supervisor'
import { SERVICES, type ServiceName } from '@paraph/protocol/services'
import { makeDataFolder } from '../harness/stack/local-stack.js'
import { startCollector } from '../harness/stack/otlp-collector.js'
import { until } from '../harness/until.js'
import { postgresFaultBus, startKafka, type BusName } from './fault-bus.js'
import { startInfrastructure, openBaseStack, type BaseStack, type Undo } from './base-stack.js'
import { makeClocks } from './clocks.js'
import { makeNames } from './names.js'
import { startReplica } from './replica.js'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/** The gateway trusts the addresses that clients send, and signing checks an attempt without an answer after one second. */
const ENVIRONMENT = { TRUSTED_PROXY_HOPS: '1', SIGN_UNSETTLED_SECONDS: '1' }

/** Options of a stack. */
export interface OwnStack {
  /** Size of the stack's own disk, which a test can fill; needs root. */
  diskMiB?: number
  /** The folder on this disk: the whole data folder (default), or that of Postgres alone, with data and WAL. */
  diskOf?: 'all' | 'postgres'
  /** The services export traces through a proxy that a test can break, and metrics directly. */
  isTraced?: boolean
  /** The services know Postgres, brokers and mail server by host names that a test can make unresolvable; needs root. (names.ts) */
  isNamed?: boolean
  /** Each service and Postgres has a clock that a test can set wrong; needs libfaketime. (clocks.ts) */
  isClocked?: boolean
}

/** Starts everything; resolves when all services are ready. */
export async function startFaultStack(busName: BusName = 'postgres', options: OwnStack = {}) {
  const undo: Undo = []
  try {
    return await assemble(undo, busName, options)
  } catch (error) {
    // A failed start leaves no server behind.
    for (const step of undo.reverse()) await step().catch(() => undefined)
    throw error
  }
}

async function assemble(
  undo: Undo,
  busName: BusName,
  { diskMiB, diskOf = 'all', isTraced, isNamed, isClocked }: OwnStack,
) {
  const broker = busName === 'kafka' ? await startKafka() : undefined
  const folder = await makeDataFolder()
  undo.push(() => rm(folder, { recursive: true, force: true }))
  const disk = diskOf === 'all' ? folder : join(folder, diskOf)
  if (diskMiB !== undefined) {
    await moveToOwnDisk(disk, diskMiB)
    undo.push(() => run('umount', [disk]))
  }
  const names = isNamed ? await makeNames(folder) : undefined
  const clocks = isClocked ? await makeClocks(folder) : undefined
  const tracing = isTraced ? await startTracing() : undefined
  undo.push(async () => tracing?.close())
  const announced: string[] = []
  let base: BaseStack | undefined = undefined as BaseStack | undefined
  const returns = new Map<string, number>()
  undo.push(async () => broker?.bus.close())

  const announce = (sentence: string): void => {
    announced.push(sentence)
    const [, name = '', how = ''] = /^(\w+) (was ended by \w+|ended with code \w+)\. It starts/.exec(sentence) ?? []
    if (name !== '') base?.deaths.push({ name, how })
    const [, back] = /^(\w+) runs again\.$/.exec(sentence) ?? []
    if (back !== undefined) returns.set(back, (returns.get(back) ?? 0) + 1)
  }

  const infrastructure = await startInfrastructure(undo, {
    folder,
    busName,
    announce,
    onReplaced: () => void base?.writeFiles(),
    clocks,
  })
  const { ports, secrets, postgres, mailServer, keep } = infrastructure
  /** One proxy per service to its own database, one for all to the bus, one to the mail server. */
  const [gateway, contract, signing, notification, bus] = await Promise.all(
    [...SERVICES, 'bus'].map(() => startTcpProxy(ports.postgres)),
  )
  const smtp = await startTcpProxy(mailServer.port)
  const databases = { gateway, contract, signing, notification } as Record<ServiceName, TcpProxy>
  /** The proxy from the gateway to the contract service. */
  const forward = await startTcpProxy(ports.contract)
  const lines = { ...databases, bus: bus!, smtp, forward }
  undo.push(() => Promise.all(Object.values(lines).map((line) => line.close())))

  /** The folder of a service's fail points: one per service, because the fail points of libraries have the same names in all. */
  const pointsOf = (service: string): string => join(folder, 'points', service)
  const specOf = (service: ServiceName): ProcessSpec => {
    const throughProxies = { ...ports, postgres: databases[service].port, smtp: smtp.port }
    const inherited = {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      LOG_LEVEL: 'info',
      ...ENVIRONMENT,
      ...broker?.environment,
      ...tracing?.environment,
      FAIL_POINT_DIR: pointsOf(service),
    }
    const spec = serviceProcess(service, {
      ports: throughProxies,
      secrets,
      eventBus: busName,
      inherited,
      dataFolder: folder,
    })
    const guard = join(ROOT, 'deploy', 'local', 'dist', 'orphan-guard.js')
    const forwarded = service === 'gateway' ? { CONTRACT_URL: `http://127.0.0.1:${forward.port}` } : {}
    const env = { ...spec.env, ...behindProxies(spec.env, lines.bus.port), ...forwarded, ...ENVIRONMENT }
    const args = [
      '--import',
      new URL('block-on-signal.mjs', import.meta.url).href,
      ...spec.args.map((each) => (/orphan-guard/.test(each) ? `file://${guard}` : each)),
    ]
    return { ...spec, args, env, ...names?.within({ command: spec.command, args, env }) }
  }
  const services = new Map<ServiceName, Supervised>()
  for (const service of SERVICES) {
    await mkdir(pointsOf(service), { recursive: true })
    services.set(service, keep(specOf(service)))
  }
  undo.push(async () => {
    await Promise.all([...services.values()].map((service) => service.stop()))
  })
  await Promise.all([...services.values()].map((service) => service.start()))

  const pidsOf = (): Record<string, number | undefined> => ({
    launcher: process.pid,
    postgres: postgres.pid(),
    ...Object.fromEntries([...services].map(([name, each]) => [name, each.pid()])),
  })
  base = await openBaseStack(undo, infrastructure, pidsOf)
  const { stack } = base
  // The window of the demo account is full after some dozen restarts.
  const { key } = await base.createAccount('Asks for the status')

  const faultBus = broker?.bus ?? postgresFaultBus({ stack, line: lines.bus })

  if (!broker) undo.push(faultBus.close)

  const isBack = async (): Promise<boolean> => {
    const status = await fetch(`${stack.apiUrl}/status`, { headers: { 'x-api-key': key } }).catch(() => undefined)
    const body = (await status?.json().catch(() => undefined)) as { status?: string } | undefined
    return body?.status === 'operational'
  }

  const isAlive = async (service: ServiceName): Promise<boolean> => {
    const answer = await fetch(`${internalUrl(ports, service)}/livez`).catch(() => undefined)
    await answer?.body?.cancel()
    return answer?.status === 200
  }

  async function startAgain(spec: ProcessSpec): Promise<void> {
    const next = keep(spec)
    services.set(spec.name as ServiceName, next)
    await next.start()
  }

  return {
    ...base,
    lines,
    announced,
    names,
    /** The folder that is a disk of its own, if there is `diskMiB`. */
    disk,
    clocks,
    bus: faultBus,
    /** Undefined unless `isTraced`. */
    tracing,
    pids: pidsOf,
    /** Waits until GET /status reports `operational`. */
    untilOperational: (withinMs = 60_000) =>
      until('an operational stack', async () => (await isBack()) || undefined, withinMs),
    /** Restarts Postgres as `pg_ctl restart -m immediate` does: no checkpoint, all connections lost, recovery at the start. [F3] */
    async restartPostgres(): Promise<void> {
      const pid = postgres.pid()
      const before = returns.get('postgres') ?? 0
      if (pid !== undefined) process.kill(pid, 'SIGQUIT')
      await until('the restart of Postgres', () => ((returns.get('postgres') ?? 0) > before ? true : undefined), 60_000)
    },
    startReplica: (options: { isSynchronous: boolean }) =>
      startReplica(undo, { ...infrastructure, ...options, url: stack.databaseUrl }),
    /** Stops all processes of Postgres with SIGSTOP. @returns a function that continues them */
    async freezePostgres(): Promise<() => void> {
      const pid = postgres.pid()!
      // The parent first, because it creates no further process then.
      process.kill(pid, 'SIGSTOP')
      const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number)
      const send = (signal: NodeJS.Signals) => {
        for (const each of [...children, pid]) sendSignal(each, signal)
      }
      send('SIGSTOP')
      return () => send('SIGCONT')
    },
    /** Stops the process of a service with SIGSTOP. @returns a function that continues it */
    freeze(service: ServiceName): () => void {
      const pid = services.get(service)!.pid()!
      process.kill(pid, 'SIGSTOP')
      return () => sendSignal(pid, 'SIGCONT')
    },
    /** Blocks the event loop of a service for `ms` (block-on-signal.mjs). */
    async block(service: ServiceName, ms: number): Promise<void> {
      await writeFile(join(pointsOf(service), 'block-ms'), String(ms))
      process.kill(services.get(service)!.pid()!, 'SIGUSR2')
    },
    /** Whether the liveness probe of a service gets no answer for `ms`. */
    isSilent: (service: ServiceName, ms: number): Promise<boolean> =>
      fetch(`${internalUrl(ports, service)}/livez`, { signal: AbortSignal.timeout(ms) }).then(
        () => false,
        () => true,
      ),
    /** The clock of a service, in milliseconds, as its answers show it. */
    async clockOf(service: ServiceName): Promise<number> {
      const answer = await fetch(`${internalUrl(ports, service)}/livez`)
      await answer.body?.cancel()
      return Date.parse(answer.headers.get('date') ?? '')
    },
    /** Arms a fail point: the process of `service` is killed by SIGKILL when it next reaches the point. */
    arm: (service: ServiceName, point: string) => writeFile(join(pointsOf(service), point), ''),
    /** Stops a service in order; `resume` starts a new process. */
    async pause(service: ServiceName): Promise<void> {
      await services.get(service)?.stop()
    },
    resume: (service: ServiceName): Promise<void> => startAgain(specOf(service)),
    /** As `resume`, but waits only until the new process has booted: without its database it does not become ready. */
    boot: (service: ServiceName): Promise<void> => startAgain({ ...specOf(service), isReady: () => isAlive(service) }),
    /** The current memory of the process in bytes. */
    async memoryOf(service: ServiceName): Promise<number> {
      const status = await readFile(`/proc/${services.get(service)?.pid()}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1_024
    },
    /** The services whose liveness probe fails now. */
    async notLive(): Promise<string[]> {
      const answers = await Promise.all(SERVICES.map(async (service) => ((await isAlive(service)) ? [] : [service])))
      return answers.flat()
    },
    /** The number of restarts of the process of this name. */
    returnsOf: (name: string) => returns.get(name) ?? 0,
    /** Kills a service with SIGKILL; resolves when it runs again. */
    async kill(service: ServiceName): Promise<void> {
      const pid = services.get(service)?.pid()
      const before = returns.get(service) ?? 0
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
      await until(`the restart of ${service}`, () => ((returns.get(service) ?? 0) > before ? true : undefined), 60_000)
    },
    async close(): Promise<void> {
      for (const step of undo.reverse()) await step().catch(() => undefined)
    },
  }
}

/** A process that has ended meanwhile is no error. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Mounts a disk of `sizeMiB` at `folder`, and copies the content of the folder to it. */
async function moveToOwnDisk(folder: string, sizeMiB: number): Promise<void> {
  const before = `${folder}.before`
  await rename(folder, before)
  await mkdir(folder)
  await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m`, 'tmpfs', folder])
  // Also copies owner and mode of the folder itself, which Postgres checks.
  await run('cp', ['-Rp', `${before}/.`, folder])
  await rm(before, { recursive: true })
}

/** Whether a test can mount its own disk on this machine. */
export async function canMount(): Promise<boolean> {
  const folder = await makeDataFolder({ isNew: true })
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder])
    await run('umount', [folder])
    return true
  } catch {
    return false
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export type FaultStack = Awaited<ReturnType<typeof startFaultStack>>

/** The setting for a connection to the bus through its proxy. */
function behindProxies(env: Record<string, string>, busPort: number): Record<string, string> {
  if (env['BUS_DATABASE_URL'] === undefined) return {}
  const url = new URL(env['BUS_DATABASE_URL'])
  url.port = String(busPort)
  return { BUS_DATABASE_URL: url.href }
}

/** A collector of traces behind a proxy; metrics do not use the proxy. */
async function startTracing() {
  const collector = await startCollector()
  const direct = collector.environment.OTEL_EXPORTER_OTLP_ENDPOINT
  const line = await startTcpProxy(Number(new URL(direct).port))
  const { OTEL_EXPORTER_OTLP_PROTOCOL, OTEL_METRIC_EXPORT_INTERVAL, OTEL_TRACES_SAMPLER } = collector.environment
  return {
    collector,
    line,
    // The size of the span queue stays OpenTelemetry's default, because tests check that the queue limits the memory.
    environment: {
      OTEL_EXPORTER_OTLP_PROTOCOL,
      OTEL_METRIC_EXPORT_INTERVAL,
      OTEL_TRACES_SAMPLER,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${line.port}/v1/traces`,
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${direct}/v1/metrics`,
    },
    async close(): Promise<void> {
      await line.close()
      await collector.close()
    },
  }
}
