// Starts replicas of the gateway and the contract service of a running stack, with the same databases and keys. Each replica is a
// separate process of the built code, which a test can kill and whose memory and CPU time a test can measure.
import { spawn, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serviceEnvironment } from '@paraph/paraph/installation/environment'
import { claimPort, type Ports } from '@paraph/paraph/installation/ports'
import type { Secrets } from '@paraph/paraph/installation/secrets'
import { until } from '../until.js'
import { isReady, retryIfPortTaken } from './replica-start.js'

const mainOf = (service: string) => fileURLToPath(new URL(`../../../services/${service}/dist/main.js`, import.meta.url))

/** Starts a second gateway for the stack of `folder`, and waits until it is ready. @param environment overrides settings */
export async function startGateway(folder: string, environment: Record<string, string> = {}) {
  const { port, ...process } = await startReplica('gateway', folder, environment)
  return { ...process, apiUrl: `http://127.0.0.1:${port}/api/external/v2` }
}

export type StartedGateway = Awaited<ReturnType<typeof startGateway>>

/** Starts a replica of a service and waits until it is ready. Tests need replicas of these two services only. */
export const startReplica = (
  service: 'gateway' | 'contract',
  folder: string,
  environment: Record<string, string> = {},
) => retryIfPortTaken(() => startOnFreePorts(service, folder, environment))

async function startOnFreePorts(service: 'gateway' | 'contract', folder: string, environment: Record<string, string>) {
  const ports = JSON.parse(await readFile(join(folder, 'ports.json'), 'utf8')) as Ports
  const secrets = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8')) as Secrets
  const [port, internalPort] = [await claimPort(), await claimPort()]
  const env = {
    ...serviceEnvironment(service, { ports, secrets }),
    PORT: String(port),
    INTERNAL_PORT: String(internalPort),
    PATH: process.env['PATH'] ?? '',
    LOG_LEVEL: 'warn',
    LINGER_SECONDS: '0',
    DRAIN_SECONDS: '5',
    ...environment,
  }
  let output = ''
  let child: ChildProcess
  let ended: Promise<void>

  async function start(): Promise<void> {
    child = spawn(process.execPath, [mainOf(service)], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += String(chunk)))
    ended = new Promise((resolve) => child.on('close', () => resolve()))
    await until(`a ready ${service}`, async () => {
      if (child.exitCode !== null) throw new Error(`the ${service} ended with ${child.exitCode}:\n${output}`)
      return isReady(internalPort)
    })
  }
  await start()

  return {
    port,
    pid: () => child.pid!,
    /** The log of the process so far. */
    output: () => output,
    /** Starts the process again on the same ports, after `kill` or `stop`. */
    start,
    /** Sends SIGKILL and waits for the exit. */
    async kill(): Promise<void> {
      child.kill('SIGKILL')
      await ended
    },
    /** Sends SIGTERM and waits for the exit. */
    async stop(): Promise<void> {
      child.kill('SIGTERM')
      await ended
    },
  }
}
