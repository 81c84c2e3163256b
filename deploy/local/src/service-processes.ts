// How each of the four services starts, and when it counts as ready.
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { ServiceName } from '@paraph/protocol/services'
import { ROOT } from '@paraph/paraph/config'
import {
  internalUrl,
  isExporting,
  serviceEnvironment,
  telemetryEnvironment,
  type Basis,
} from '@paraph/paraph/installation/environment'
import { stackMark } from './leftovers.js'
import type { ProcessSpec } from './supervisor.js'

const READY_TIMEOUT_MS = 2_000
/** Without replicas there is nothing to linger for. */
const LINGER_SECONDS = 0
/** Time for running requests. */
const DRAIN_SECONDS = 5
const GRACE_MS = 10_000

/** The process of `service`. It stops in order on SIGTERM, and when the launcher has died. */
export function serviceProcess(
  service: ServiceName,
  { inherited, dataFolder, ...basis }: Basis & { inherited: Record<string, string>; dataFolder: string },
): ProcessSpec {
  const readyUrl = `${internalUrl(basis.ports, service)}/readyz`
  return {
    name: service,
    command: process.execPath,
    args: [
      '--import',
      new URL('orphan-guard.js', import.meta.url).href,
      ...(isExporting(inherited) ? ['--import', import.meta.resolve('@paraph/telemetry/register')] : []),
      join(ROOT, 'services', service, 'dist', 'main.js'),
      // Last, so that leftovers.ts finds it whatever the path contains.
      stackMark(dataFolder),
    ],
    // The settings of the stack override inherited ones; others, such as LOG_LEVEL, are inherited.
    env: {
      LOG_LEVEL: 'info',
      LINGER_SECONDS: String(LINGER_SECONDS),
      DRAIN_SECONDS: String(DRAIN_SECONDS),
      ...inherited,
      ...serviceEnvironment(service, basis),
      ...(isExporting(inherited) ? telemetryEnvironment(service, inherited) : {}),
    },
    cwd: ROOT,
    stopSignal: 'SIGTERM',
    graceMs: GRACE_MS,
    isReady: async () => {
      const answer = await fetch(readyUrl, { signal: AbortSignal.timeout(READY_TIMEOUT_MS) })
      await answer.body?.cancel()
      // The internal port opens before the public one.
      return answer.status === 200 && (await isListening(basis.ports[service]))
    },
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isOpen
}
