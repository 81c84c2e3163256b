// The environment of the pipeline benchmarks: a temporary Postgres as `npm start` runs it (durable), with all five databases migrated, and
// services with the settings of `npm start`, each in its own process, whose CPU time can be measured.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrateDatabases, provisionDatabases } from '@paraph/local/databases'
import {
  databaseUrl,
  internalUrl,
  NODE_ARGUMENTS,
  serviceEnvironment,
  superuserUrl,
} from '@paraph/paraph/installation/environment'
import { choosePorts } from '@paraph/paraph/installation/ports'
import { preparePostgres } from '@paraph/local/postgres'
import { openSecrets } from '@paraph/paraph/installation/secrets'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** Milliseconds of a clock tick in /proc, the same on every Linux that Node supports. */
const MS_PER_TICK = 10

/** @returns `urlOf(database, role)`, `secrets`, `start(service)`, `spawnNode(file, settings)`, `stop` */
export async function openStage() {
  const folder = await mkdtemp(join(tmpdir(), 'paraph-bench-'))
  // If this process is root, Postgres runs as the user postgres, who must be able to enter the folder.
  await chmod(folder, 0o755)
  const ports = await choosePorts(join(folder, 'ports.json'), { gateway: 0, mailbox: 0 })
  const secrets = await openSecrets(join(folder, 'secrets.json'))
  const basis = { ports, secrets }
  const spec = await preparePostgres({
    folder: join(folder, 'postgres'),
    port: ports.postgres,
    password: secrets.superuserPassword,
    url: superuserUrl(basis),
  })
  const { command, args, cwd, env, uid, gid } = spec
  const user = uid === undefined || gid === undefined ? {} : { uid, gid }
  const postgres = spawn(command, args, { cwd, env, stdio: 'ignore', ...user })
  const ended = once(postgres, 'close')
  await until(() => spec.isReady())
  await provisionDatabases(basis)
  await migrateDatabases(basis)
  const children = []

  function spawnNode(file, environment) {
    const child = spawn(process.execPath, [...NODE_ARGUMENTS, file], {
      env: { ...process.env, NODE_ENV: 'production', ...environment },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    children.push(child)
    return { pid: child.pid, kill: () => child.kill('SIGKILL') }
  }

  return {
    ports,
    secrets,
    postgresPid: postgres.pid,
    urlOf: (database, role, service) => databaseUrl(basis, database, role, service),
    adminUrlOf(database) {
      const url = new URL(superuserUrl(basis))
      url.pathname = `/${database}`
      return url.href
    },
    spawnNode,
    /** Starts a service as a process and waits until it is ready. */
    async start(service, environment = {}) {
      const started = spawnNode(join(ROOT, 'services', service, 'dist', 'main.js'), {
        LOG_LEVEL: 'error',
        ...serviceEnvironment(service, basis),
        ...environment,
      })
      await until(async () => (await fetch(`${internalUrl(ports, service)}/readyz`)).ok)
      return started
    },
    async stop() {
      for (const child of children) child.kill('SIGKILL')
      postgres.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** User and system time of a process so far, in milliseconds. */
export function cpuMsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
}

/** Resident memory of a process in bytes. */
export function rssBytesOf(pid) {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1_024
}

/** Waits until `isSo` resolves with true; its errors count as false. */
export async function until(isSo) {
  while (!(await isSo().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 20))
}

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
