// More gateways over the parts of a running stack: the same databases, keys and services behind, as replicas have them.
// Each is the built process on ports of its own, so that it can be killed and its memory and CPU be read.
import { spawn, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serviceEnvironment } from '@paraph/local/environment'
import type { Ports } from '@paraph/local/ports'
import type { Secrets } from '@paraph/local/secrets'
import { until } from './until.js'

const MAIN = fileURLToPath(new URL('../services/gateway/dist/main.js', import.meta.url))

/** Starts one gateway more beside that of the stack on `folder`, and waits until it is ready. @param environment wins */
export async function startGateway(folder: string, environment: Record<string, string> = {}) {
  const ports = JSON.parse(await readFile(join(folder, 'ports.json'), 'utf8')) as Ports
  const secrets = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8')) as Secrets
  const [gateway, gatewayInternal] = [await freePort(), await freePort()]
  const env = {
    ...serviceEnvironment('gateway', { ports: { ...ports, gateway, gatewayInternal }, secrets }),
    ...{ PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'warn', DRAIN_SECONDS: '5' },
    ...environment,
  }
  let output = ''
  let child: ChildProcess
  let ended: Promise<void>

  async function start(): Promise<void> {
    child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += String(chunk)))
    ended = new Promise((resolve) => child.on('close', () => resolve()))
    await until('a ready gateway', async () => {
      if (child.exitCode !== null) throw new Error(`the gateway ended with ${child.exitCode}:\n${output}`)
      const answer = await fetch(`http://127.0.0.1:${gatewayInternal}/readyz`).catch(() => undefined)
      await answer?.body?.cancel()
      return answer?.status === 200 ? true : undefined
    })
  }
  await start()

  return {
    apiUrl: `http://127.0.0.1:${gateway}/api/external/v2`,
    pid: () => child.pid!,
    /** What it has written to its log. */
    output: () => output,
    /** Starts it again, on the same ports, after `kill`. */
    start,
    /** kill -9, and waits for its end. */
    async kill(): Promise<void> {
      child.kill('SIGKILL')
      await ended
    },
    /** SIGTERM, and waits for its end. */
    async stop(): Promise<void> {
      child.kill('SIGTERM')
      await ended
    },
  }
}

export type StartedGateway = Awaited<ReturnType<typeof startGateway>>

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
