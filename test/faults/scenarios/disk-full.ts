// A disk is full: the one of Postgres and of every log file, or the one of Postgres alone. [F24, F47]
import { execFile } from 'node:child_process'
import { readFile, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { SERVICES, type ServiceName } from '@paraph/protocol/services'
import { databaseUrlOf } from '../../harness/stack/local-stack.js'
import { until } from '../../harness/until.js'
import type { FaultStack, OwnStack } from '../fault-stack.js'
import type { Scenario, Scene } from '../scenario.js'
import type { CreatedContract } from '../workload.js'
import { openPage } from './no-login.js'

const run = promisify(execFile)

const DISK_MIB = 700
/** SQLSTATE disk_full. */
const NO_SPACE = '53100'
/** Time limit for the effects of each half to show. On a busy machine the scaled minute is too short. */
const SHOWN_MS_MAX = 60_000
/** From the moment at which there is space again. */
const BACK_MS_MAX = 60_000
/** The lines of a service in a minute, without those on single requests. Measured: 78. */
const LINES_MAX = 100

export const diskFull = fullDisk('all', {
  fault: 'F24',
  name: 'disk-full',
  // The suite plays the disk of Postgres alone (below).
  suiteBuses: [],
  done: 'the disk of Postgres and of every log file is full for a minute, under load; in the first half Postgres has WAL files with space',
  holds:
    'no service process exits; work that cannot be stored gets 503 and leaves nothing behind; everything continues once there is space',
})

export const postgresDiskFull = fullDisk('postgres', {
  fault: 'F47',
  name: 'postgres-disk-full',
  done: 'the disk of Postgres alone (data and WAL) is full for a minute, under load; in the first half Postgres has WAL files with space',
  holds: 'as F24; the log of each service names the cause, with at most one line for a request and 100 others a minute',
})

function fullDisk(
  diskOf: NonNullable<OwnStack['diskOf']>,
  texts: Pick<Scenario, 'fault' | 'name' | 'done' | 'holds' | 'suiteBuses'>,
): Scenario {
  return {
    ...texts,
    buses: ['postgres'],
    suite: { rounds: 1, scale: 6 },
    full: { rounds: 1, scale: 1 },
    clients: 4,
    own: { diskMiB: DISK_MIB, diskOf },
    async play(scene) {
      const { stack, workload, wait, record, fail } = scene
      const deathsBefore = stack.deaths.length
      const known = (await workload.create(2))!
      await wait(1_000)
      await allocateWal(stack)
      const wal = await openWal(stack)
      const refusedBefore = workload.refusals().length
      const logs = diskOf === 'postgres' ? await followLogs(stack) : undefined
      await fill(stack.disk, 0)
      const fullAt = performance.now()
      const ended = () => stack.deaths.slice(deathsBefore).filter(({ name }) => name === 'postgres')
      const signs: Signs = {
        isCallRefused: () => workload.refusals().length > refusedBefore,
        hasPostgresEnded: () => ended().length > 0,
        isPageRefused: false,
        isDegraded: false,
      }
      let isOver = false
      await Promise.all([
        watch(scene, known, signs, () => isOver),
        keepFull(scene, signs, wal.fill).finally(() => (isOver = true)),
      ])
      await wal.close()
      const minutes = (performance.now() - fullAt) / 60_000
      const refused = workload.refusals().slice(refusedBefore)
      await logs?.check(scene, minutes)
      await empty(stack.disk)
      record('refusedWhileFull', refused.length)
      record('recoveredAfterMs', await untilBack(scene, known))
      // A retry that meets its own first try is answered 409.
      const wrong = refused.filter(({ status, hasRetryAfter }) => !(status === 503 && hasRetryAfter) && status !== 409)
      for (const each of wrong) fail(`while the disk was full: ${JSON.stringify(each)}`)
      record('postgresEnded', ended().length)
      return { deaths: ended().map(() => 'postgres') }
    },
  }
}

const writeWal = (mebibytes: number): string =>
  `select pg_logical_emit_message(false, 'full', repeat('x', 1048576)) from generate_series(1, ${mebibytes})`

/** Lets Postgres keep empty WAL files, so that at first only its data have no space. */
async function allocateWal({ query }: FaultStack): Promise<void> {
  await query('contract', writeWal(100))
  await query('contract', 'checkpoint')
}

/**
 * Opens a connection that fills the WAL. It has to exist before the disk is full: Postgres may refuse every new connection then, because
 * autovacuum has removed the init file of the database and nobody can write another ("could not write init file").
 */
async function openWal({ query, stack }: FaultStack) {
  const client = new pg.Client({ connectionString: databaseUrlOf(stack, 'contract') })
  client.on('error', () => undefined)
  await client.connect()
  const text = writeWal(DISK_MIB)
  return {
    /** Writes more WAL than the disk can hold, through a new connection once Postgres has ended the first. */
    fill: () => client.query(text).catch(() => query('contract', text).catch(() => undefined)),
    close: () => client.end(),
  }
}

/** The effects of the full disk that the scenario has seen so far. */
interface Signs {
  isCallRefused: () => boolean
  hasPostgresEnded: () => boolean
  isPageRefused: boolean
  isDegraded: boolean
}

/** Keeps the disk full: at first a statement that needs space fails; in the second half the WAL is full too, and Postgres ends. */
async function keepFull(
  { stack, scaledMs, wait, fail }: Scene,
  signs: Signs,
  fillWal: () => Promise<unknown>,
): Promise<void> {
  const code = await stack.query('contract', 'create table filler as select generate_series(1, 100000)').then(
    () => 'no error',
    (error: unknown) => (error as { code?: string }).code,
  )
  if (code !== NO_SPACE) fail(`a statement that needs space got ${code}`)
  let ballasts = 0
  /** Keeps the disk full for half of the scaled minute, and longer while an effect is missing. */
  async function keepUntil(missing: () => string | undefined, step?: () => Promise<unknown>): Promise<void> {
    const startedAt = performance.now()
    const elapsedMs = () => performance.now() - startedAt
    while (missing() !== undefined || elapsedMs() < scaledMs(30)) {
      if (elapsedMs() > SHOWN_MS_MAX) return fail(`The disk was full and ${missing()}`)
      await fill(stack.disk, (ballasts += 1))
      await step?.()
      await wait(200)
    }
  }
  await keepUntil(() => (signs.isCallRefused() ? undefined : 'no call was refused'))
  await keepUntil(() => {
    if (!signs.hasPostgresEnded()) return 'Postgres had space for its WAL'
    if (!signs.isPageRefused) return 'no page was refused'
    return signs.isDegraded ? undefined : 'GET /status never said degraded'
  }, fillWal)
}

/** Checks liveness, GET /status and a page again and again, and records what they show. */
async function watch(
  { stack, workload, wait, record, fail }: Scene,
  known: CreatedContract,
  signs: Signs,
  isOver: () => boolean,
): Promise<void> {
  const statuses: string[] = []
  while (!isOver()) {
    const [notLive, status, page] = await Promise.all([
      stack.notLive(),
      workload.api.call<{ status: string }>('GET', '/status'),
      openPage(known),
    ])
    if (notLive.length > 0) fail(`${notLive.join()} would be restarted while the disk is full`)
    if (status.status !== 200) fail(`GET /status was answered ${status.status}`)
    statuses.push(status.body.status)
    signs.isDegraded ||= status.body.status === 'degraded'
    if (page.status !== 200) {
      signs.isPageRefused = true
      const hasSentence = /<p\b[^>]*>[A-Z][^<]+\.<\/p>/.test(page.body)
      if (page.status !== 503 || !page.headers.has('retry-after') || !hasSentence)
        fail(`the link was answered ${page.status}: ${page.body}`)
    }
    await wait(500)
  }
  record('degradedOf', `${statuses.filter((each) => each === 'degraded').length}/${statuses.length}`)
}

/** @returns the milliseconds until a contract was created, its link opened, and all services were operational */
async function untilBack({ stack, workload, fail }: Scene, known: CreatedContract): Promise<number> {
  const spaceAt = performance.now()
  await stack.untilOperational()
  await workload.create(2)
  await until('a page', async () => ((await openPage(known)).status === 200 ? true : undefined), BACK_MS_MAX)
  const backMs = Math.round(performance.now() - spaceAt)
  if (backMs > BACK_MS_MAX) fail(`work continued only ${backMs} ms after there was space`)
  return backMs
}

interface LogLine {
  level: string
  msg: string
  requestId?: string
  code?: string
  err?: { code?: string; message?: string }
}

/** One a second. */
const LINES_OF_KIND_MAX = 60
const kindOf = ({ msg, code, err }: LogLine): string => [msg, code, err?.code].join(' ')

/** No space, a Postgres that starts or stops, a refused connection, or a broken one. */
const namesCause = ({ err }: LogLine): boolean =>
  /^(53100|57P0[1-3]|ECONNREFUSED|ECONNRESET)$/.test(err?.code ?? '') ||
  /^Connection terminated/.test(err?.message ?? '')

/** Records where the logs of the services end now. `check` checks the lines since then. */
async function followLogs({ folder }: FaultStack) {
  const pathOf = (service: ServiceName) => join(folder, 'logs', `${service}.log`)
  const sizes = await Promise.all(SERVICES.map(async (service) => (await stat(pathOf(service))).size))
  return {
    async check({ record, fail }: Scene, minutes: number): Promise<void> {
      for (const [at, service] of SERVICES.entries()) {
        const lines = (await readFile(pathOf(service)))
          .subarray(sizes[at])
          .toString()
          .split('\n')
          // The last piece is empty or an unfinished line.
          .slice(0, -1)
          .map((each) => JSON.parse(each) as LogLine)
          .filter(({ level }) => level !== 'info')
        const requests = lines.flatMap(({ requestId }) => requestId ?? [])
        const others = lines.length - requests.length
        record(`${service}OtherLines`, others)
        record(`${service}LinesOfNoSpace`, lines.filter(({ err }) => err?.code === NO_SPACE).length)
        if (!lines.some(namesCause)) fail(`the log of ${service} does not name the cause`)
        if (new Set(requests).size < requests.length) fail(`${service} logged several lines for one request`)
        if (others > LINES_MAX * Math.max(1, minutes)) fail(`${service} logged ${others} lines in ${minutes} minutes`)
        for (const [kind, { length }] of Map.groupBy(lines, kindOf))
          if (length > LINES_OF_KIND_MAX * minutes + 10) fail(`${service} logged ${kind} ${length} times`)
      }
    },
  }
}

/** Fills all remaining space. */
async function fill(disk: string, n: number): Promise<void> {
  const { bavail, bsize } = await statfs(disk)
  if (bavail === 0) return
  await run('dd', ['if=/dev/zero', `of=${join(disk, `ballast-${n}`)}`, `bs=${bsize}`, `count=${bavail}`]).catch(
    () => undefined,
  )
}

async function empty(disk: string): Promise<void> {
  const { stdout } = await run('find', [disk, '-maxdepth', '1', '-name', 'ballast-*'])
  for (const path of stdout.split('\n').filter((each) => each !== '')) await rm(path, { force: true })
}
