// The circuit breaker of the SMTP server: opens on failures, and paces the probes while it is open. [F6, D32]
// Owns which findings open the circuit, and the pace of probes. Does not own: what an SMTP answer means (mailer.ts).
// Each process has its own state, so that a process with a broken network does not stop the others. All replicas share the pace: one row
// for each lane (codes, others) stores the number of failures and the time of the next probe, which also survive restarts.
import { isOver } from '@paraph/database/clock'
import { sql, type Kysely } from 'kysely'
import type { Lane } from '../database.js'

/** The first pause and the longest pauses, in milliseconds; half of each pause is random. */
export interface ProbePace {
  firstMs: number
  codesMaxMs: number
  othersMaxMs: number
}

/** The longest pauses give 2 to 4 probes a minute with any mail and 6 to 12 with codes, over all replicas. */
export const PROBE_PACE: ProbePace = { firstMs: 1_000, codesMaxMs: 10_000, othersMaxMs: 30_000 }

/** This many consecutive mails without an answer open the circuit. */
const SILENT_MAX = 3
/** Failures older than this no longer count as an outage, so that the code page does not announce a delay that is over. */
const OUTAGE_MS = 90_000

/** The finding of one attempt about the SMTP server. */
export type Finding = 'answered' | 'silent' | 'unavailable'

export interface SmtpCircuitDeps {
  database: Kysely<unknown>
  pace?: ProbePace
  /** Milliseconds on a monotonic clock. */
  now?: () => number
}

export function createSmtpCircuit({ database, pace = PROBE_PACE, now = () => performance.now() }: SmtpCircuitDeps) {
  let state: 'unknown' | 'closed' | 'open' = 'unknown'
  let silent = 0
  let answeredAtMs = -Infinity
  let failedAtMs = -Infinity
  let lastFailure: { reason: string; at: Date } | undefined

  /** Adopts the shared state once, so that a process that starts during an outage does not begin with a burst. */
  async function loadState(): Promise<void> {
    if (state !== 'unknown') return
    const { rows } = await sql`select 1 from smtp_circuit where failures > 0`.execute(database)
    state = rows.length > 0 ? 'open' : 'closed'
  }

  /**
   * Records the finding of an attempt. Resolves with the change of state, if any.
   * @param startedAtMs start of the attempt, on the clock of `now`
   */
  async function record(
    finding: Finding,
    startedAtMs: number,
    reason: string,
  ): Promise<'opened' | 'closed' | undefined> {
    if (finding === 'answered') {
      silent = 0
      answeredAtMs = now()
      if (state !== 'open') return undefined
      state = 'closed'
      await sql`update smtp_circuit set failures = 0, probe_at = clock_timestamp()`.execute(database)
      return 'closed'
    }
    lastFailure = { reason, at: new Date() }
    if (finding === 'silent') silent += 1
    // Another mail was answered meanwhile, so this failure concerns one connection only.
    if (answeredAtMs > startedAtMs) return undefined
    if (state === 'open') failedAtMs = now()
    if (state === 'open' || (finding === 'silent' && silent < SILENT_MAX)) return undefined
    state = 'open'
    failedAtMs = now()
    await sql`update smtp_circuit set failures = failures + 1,
      probe_at = greatest(probe_at, clock_timestamp() + ${pauseSql(pace, 'failures + 1')})`.execute(database)
    return 'opened'
  }

  /**
   * The lane that this process may try to probe now, if any. The claim of the mail decides whether it may (`probeOf`).
   * @param busy lanes with a probe of this process under way
   */
  async function readProbeLane(busy: ReadonlySet<Lane> = new Set()): Promise<Lane | undefined> {
    const { rows } = await sql<{ lane: Lane; waits: boolean; failures: number }>`
      select lane, not ${isProbeDue(pace)} as waits, failures from smtp_circuit`.execute(database)
    // Another process has got an answer meanwhile, so this process reports no outage, but still begins with a single probe.
    if (rows.every(({ failures }) => failures === 0)) failedAtMs = -Infinity
    if (busy.has('codes')) return undefined
    const mayAsk = (lane: Lane): boolean => rows.some((row) => row.lane === lane && !row.waits)
    if (!busy.has('others') && mayAsk('others')) return 'others'
    // Some process has probed without success recently, or is probing now.
    failedAtMs = now()
    return mayAsk('codes') ? 'codes' : undefined
  }

  return {
    loadState,
    record,
    readProbeLane,
    isOpen: () => state === 'open',
    /** True during a known outage; pages then announce a delay. */
    isUnavailable: () => state === 'open' && now() - failedAtMs < OUTAGE_MS,
    /** The last failure of this process: an SMTP code or a kind of failure, never the server's text. */
    lastFailure: () => lastFailure,
    /** The probe to pass to the claim of a mail. */
    probeOf: (lane: Lane): Probe => ({ lane, pace }),
  }
}

export type SmtpCircuit = ReturnType<typeof createSmtpCircuit>

/** The right to probe; the statement that claims the mail uses it up. */
export interface Probe {
  lane: Lane
  pace: ProbePace
}

const longestMs = ({ codesMaxMs, othersMaxMs }: ProbePace) =>
  sql`case lane when 'codes' then ${codesMaxMs}::float8 else ${othersMaxMs}::float8 end`

/** Whether a lane may probe now, as a condition on a row of `smtp_circuit`. */
export const isProbeDue = (pace: ProbePace) => isOver(sql`probe_at`, sql`${longestMs(pace)} / 1000`)

/** The pause after `failures`, as an interval. @param failures an SQL expression over a row of `smtp_circuit` */
export const pauseSql = (pace: ProbePace, failures: string) => sql`make_interval(secs =>
  least(${longestMs(pace)},
    ${pace.firstMs}::float8 * 2 ^ least(${sql.raw(failures)} - 1, 20)) * (0.5 + random() / 2) / 1000)`
