// Defines how each of the four services starts and when it is ready. Ends the services that a killed launcher left. [local-stack]
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { ServiceName } from '@paraph/protocol/services'
import { ROOT } from '@paraph/paraph/config'
import {
  internalUrl,
  isExporting,
  NODE_ARGUMENTS,
  serviceEnvironment,
  telemetryEnvironment,
  type Basis,
} from '@paraph/paraph/installation/environment'
import { endProcess, listProcesses } from '@paraph/paraph/installation/process-table'
import type { ProcessSpec } from './supervisor.js'

const READY_TIMEOUT_MS = 2_000
const GRACE_MS = 10_000
const LEFTOVER_GRACE_MS = 5_000

/** The argument that identifies the stack of a process. The services ignore it. */
export const stackMark = (dataFolder: string): string => `--paraph-stack=${dataFolder}`

/** The process of `service`. It stops gracefully on SIGTERM, and when the launcher has died. */
export function serviceProcess(
  service: ServiceName,
  { inherited, dataFolder, ...basis }: Basis & { inherited: Record<string, string>; dataFolder: string },
): ProcessSpec {
  const readyUrl = `${internalUrl(basis.ports, service)}/readyz`
  return {
    name: service,
    command: process.execPath,
    args: [
      ...NODE_ARGUMENTS,
      '--import',
      new URL('orphan-guard.js', import.meta.url).href,
      ...(isExporting(inherited) ? ['--import', import.meta.resolve('@paraph/telemetry/register')] : []),
      join(ROOT, 'services', service, 'dist', 'main.js'),
      // The last argument, so that endLeftovers finds it even if the path contains spaces.
      stackMark(dataFolder),
    ],
    // The settings of the stack override inherited ones; others, such as LOG_LEVEL, are inherited.
    env: {
      LOG_LEVEL: 'info',
      // Lingering is useless without another replica that could accept the requests.
      LINGER_SECONDS: '0',
      DRAIN_SECONDS: '5',
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

/**
 * Ends every process whose last argument is the mark of `dataFolder`: SIGTERM, then SIGKILL. Every service has this argument, so it is
 * found even after a kill -9 of the launcher. postgres.ts ends a Postgres that was left.
 * @returns the number of ended processes
 */
export async function endLeftovers(dataFolder: string): Promise<number> {
  // Compares the end of the command line: `/srv/a` must not match the stack in `/srv/a b` or `/srv/ab`.
  const end = ` ${stackMark(dataFolder)}`
  const left = (await listProcesses()).filter(
    ({ pid, commandLine }) => pid !== process.pid && commandLine.endsWith(end),
  )
  await Promise.all(left.map(({ pid }) => endProcess(pid, 'SIGTERM', LEFTOVER_GRACE_MS)))
  return left.length
}
