// Runs the Postgres of a local stack without the services, for work on the databases before the stack starts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openDataFolder } from '@paraph/paraph/installation/data-folder'
import { superuserUrl } from '@paraph/paraph/installation/environment'
import { choosePorts, type Ports } from '@paraph/paraph/installation/ports'
import { preparePostgres } from '@paraph/local/postgres'
import { openSecrets, type Secrets } from '@paraph/paraph/installation/secrets'
import type { ProcessSpec } from '@paraph/local/supervisor'
import { until } from '../until.js'

const MANIFEST = fileURLToPath(new URL('../../../package.json', import.meta.url))

/** The ports and secrets that `npm start` will use. */
export interface Basis {
  ports: Ports
  secrets: Secrets
}

/** Describes the Postgres process of a data folder whose stack does not run. Creates the database cluster if it is missing. */
export async function prepareServer(folder: string): Promise<{ spec: ProcessSpec; basis: Basis }> {
  const { version } = JSON.parse(await readFile(MANIFEST, 'utf8')) as { version: string }
  const { paths, release } = await openDataFolder(folder, version)
  try {
    const ports = await choosePorts(paths.ports, { gateway: 0, mailbox: 0 })
    const secrets = await openSecrets(paths.secrets)
    const basis = { ports, secrets }
    const spec = await preparePostgres({
      folder: paths.postgres,
      port: ports.postgres,
      password: secrets.superuserPassword,
      url: superuserUrl(basis),
    })
    return { spec, basis }
  } finally {
    await release()
  }
}

/**
 * Starts only Postgres, waits until Postgres accepts writes, runs `work` and shuts Postgres down.
 * @throws Error with the output of Postgres if Postgres exits before it accepts writes
 */
export async function withServerAlone<T>(folder: string, work: (basis: Basis) => Promise<T>): Promise<T> {
  const { spec, basis } = await prepareServer(folder)
  const { command, args, cwd, env, uid, gid } = spec
  const server = spawn(command, args, {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(uid === undefined || gid === undefined ? {} : { uid, gid }),
  })
  let output = ''
  server.stderr?.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  const ended = once(server, 'close')
  try {
    await until('a Postgres that accepts writes', async () => {
      if (server.exitCode !== null) throw new Error(`Postgres exited:\n${output}`)
      return spec.isReady().catch(() => undefined)
    })
    return await work(basis)
  } finally {
    server.kill('SIGINT')
    await ended
  }
}
