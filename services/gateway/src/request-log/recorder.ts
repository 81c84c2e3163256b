// The request log: the answers to the calls of an account, for the developers of its client. [D62]
// Gathered in memory and written once a second, beside the calls. A crash loses a second: this is a log, and usage/recorder counts.
import { sql, type Kysely } from 'kysely'
import { createLoop } from '@paraph/background/loop'
import type { Environment } from '@paraph/protocol/environment'
import type { ErrorCode } from '@paraph/protocol/errors'
import { withTimeout } from '@paraph/protocol/deadline'
import type { Logger } from '@paraph/telemetry/logger'
import type { GatewayDatabase } from '../database.js'

const WRITE_EVERY_MS = 1_000
const WRITE_MS_MAX = 5_000
/** Successes of an account and environment in one write; refusals and failures are all kept. */
const SUCCESSES_MAX = 10
/** The most calls in memory. Beyond them, the log drops the newest calls. */
const GATHERED_MAX = 10_000

/** One answered call with a valid key. Never a body, an address or a path. */
export interface LoggedRequest {
  accountId: string
  environment: Environment
  keyId: string
  method: string
  /** The template of the path after the version, as `/contracts/{id}`. */
  route: string
  status: number
  /** Null below the status 400. */
  code: ErrorCode | null
  /** `performance.now()` when the call arrived. */
  arrivedAtMs: number
  durationMs: number
  requestId: string
}

interface RequestLogDeps {
  database: Kysely<GatewayDatabase>
  logger: Logger
  /** Interval of the writes, for tests. */
  writeEveryMs?: number
}

/** The request log of one process; any number of processes may write to one database. */
export function createRequestLog({ database, logger, writeEveryMs = WRITE_EVERY_MS }: RequestLogDeps) {
  let gathered: LoggedRequest[] = []
  /** Account and environment → its successes since the last write. */
  let successes = new Map<string, number>()
  let lost = 0

  const failureMessage = 'could not write the request log; retrying with back-off'
  const loop = createLoop({ name: 'request log', work: write, pauseMs: writeEveryMs, failureMessage, logger })

  /** @returns false: what was gathered meanwhile waits for the next write */
  async function write(): Promise<false> {
    successes = new Map()
    if (gathered.length === 0) return false
    const batch = gathered
    gathered = []
    try {
      await withTimeout(WRITE_MS_MAX, insert(database, batch))
    } catch (error) {
      gathered = [...batch, ...gathered]
      throw error
    }
    if (lost > 0)
      logger.warn({ calls: lost }, 'calls are missing from the request log: it holds 10,000 between two writes')
    lost = 0
    return false
  }

  return {
    /** Records a call in memory. */
    record(request: LoggedRequest): void {
      if (request.status < 400) {
        const owner = `${request.accountId} ${request.environment}`
        const recorded = successes.get(owner) ?? 0
        if (recorded >= SUCCESSES_MAX) return
        successes.set(owner, recorded + 1)
      }
      if (gathered.length < GATHERED_MAX) gathered.push(request)
      else lost += 1
    },
    start: loop.start,
    /** Stops after one last try to write what was gathered. */
    async stop(): Promise<void> {
      await loop.stop()
      await write().catch((error: unknown) =>
        logger.warn(
          { err: error, calls: gathered.length },
          'calls are missing from the request log: the write at the stop failed',
        ),
      )
    },
  }
}

export type RequestLog = ReturnType<typeof createRequestLog>

/** Writes the calls in one statement, which passes their age; the store computes the time by its own clock. Repeating it adds nothing. */
async function insert(database: Kysely<GatewayDatabase>, calls: readonly LoggedRequest[]): Promise<void> {
  const nowMs = performance.now()
  await sql`
    insert into request_log
      (at, account_id, environment, key_id, method, route, status, code, duration_ms, request_id)
    select clock_timestamp() - make_interval(secs => age_ms / 1000), account_id, environment, key_id, method, route, status, code,
           duration_ms, request_id
      from unnest(
        ${calls.map(({ arrivedAtMs }) => nowMs - arrivedAtMs)}::float8[],
        ${calls.map(({ accountId }) => accountId)}::text[],
        ${calls.map(({ environment }) => environment)}::text[],
        ${calls.map(({ keyId }) => keyId)}::text[],
        ${calls.map(({ method }) => method)}::text[],
        ${calls.map(({ route }) => route)}::text[],
        ${calls.map(({ status }) => status)}::int[],
        ${calls.map(({ code }) => code)}::text[],
        ${calls.map(({ durationMs }) => durationMs)}::int[],
        ${calls.map(({ requestId }) => requestId)}::uuid[]
      ) as call (age_ms, account_id, environment, key_id, method, route, status, code, duration_ms, request_id)
    on conflict (request_id) do nothing`.execute(database)
}
