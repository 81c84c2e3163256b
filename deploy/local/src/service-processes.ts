// How each of the four services is started and when it counts as ready.
import { connect } from 'node:net'
import { join } from 'node:path'
import type { ServiceName } from '@paraph/protocol/caller'
import { ROOT } from './config.js'
import { internalUrl, isTelling, serviceEnvironment, telemetryEnvironment } from './environment.js'
import { stackMark } from './leftovers.js'
import type { Ports } from './ports.js'
import type { Secrets } from './secrets.js'
import type { ProcessSpec } from './supervisor.js'

const READY_TIMEOUT_MS = 2_000
/** Nobody takes the place of a service that stops here. */
const LINGER_SECONDS = 0
/** For requests under way. */
const DRAIN_SECONDS = 5
const GRACE_MS = 10_000

/** The process of `service`. It stops in order on SIGTERM, also when the launcher is gone. */
export function serviceProcess(
  service: ServiceName,
  {
    ports,
    secrets,
    eventBus = 'postgres',
    inherited,
    dataFolder,
  }: {
    ports: Ports
    secrets: Secrets
    eventBus?: 'postgres' | 'kafka'
    inherited: Record<string, string>
    dataFolder: string
  },
): ProcessSpec {
  const readyUrl = `${internalUrl(ports, service)}/readyz`
  return {
    name: service,
    command: process.execPath,
    args: [
      '--import',
      new URL('orphan-guard.js', import.meta.url).href,
      ...(isTelling(inherited) ? ['--import', import.meta.resolve('@paraph/telemetry/register')] : []),
      join(ROOT, 'services', service, 'dist', 'main.js'),
      // Last, so that it can be found whatever it holds (leftovers.ts).
      stackMark(dataFolder),
    ],
    // What we set wins; a person may still choose LOG_LEVEL and the like.
    env: {
      LOG_LEVEL: 'info',
      LINGER_SECONDS: String(LINGER_SECONDS),
      DRAIN_SECONDS: String(DRAIN_SECONDS),
      ...inherited,
      ...serviceEnvironment(service, { ports, secrets, eventBus }),
      ...(isTelling(inherited) ? telemetryEnvironment(service, inherited) : {}),
    },
    cwd: ROOT,
    stopSignal: 'SIGTERM',
    graceMs: GRACE_MS,
    isReady: async () => {
      const answer = await fetch(readyUrl, { signal: AbortSignal.timeout(READY_TIMEOUT_MS) })
      await answer.body?.cancel()
      // The internal port opens first; people come to the other.
      return answer.status === 200 && (await isListening(ports[service]))
    },
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
