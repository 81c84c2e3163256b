// Whether the mail relay takes mail, and when it may be asked again while it does not. [F6, D32]
// Owns: what counts against the relay, the pace of probes. Does not own: what an SMTP answer means (mailer.ts), the mails.
// Each process finds out for itself, so that one with a broken network does not stop the others. The pace is shared: two rows
// count the failures and say when the next probe may go, whoever makes it, over restarts too.
import { sql, type Kysely } from 'kysely'
import type { Lane, NotificationDatabase } from './database.js'

/** First pause and longest one, in milliseconds; each is half fixed, half chance. */
export interface ProbePace {
  firstMs: number
  codesMaxMs: number
  othersMaxMs: number
}

/** At last 2 to 4 probes a minute with any mail and 6 to 12 with codes, over all replicas. */
export const PROBE_PACE: ProbePace = { firstMs: 1_000, codesMaxMs: 10_000, othersMaxMs: 30_000 }

/** So many mails in a row over which the relay fell silent, and none that it answered: it is away. */
const SILENT_MAX = 3
/** Bad news that are older say nothing of now: a code page would speak of a delay that is over. */
const NEWS_MS = 90_000

/** What one attempt showed of the relay. */
export type Finding = 'answered' | 'silent' | 'away'

/** @param now milliseconds on a monotonic clock */
export function createRelayCircuit({
  database,
  pace = PROBE_PACE,
  now = () => performance.now(),
}: {
  database: Kysely<NotificationDatabase>
  pace?: ProbePace
  now?: () => number
}) {
  let state: 'unknown' | 'closed' | 'open' = 'unknown'
  let silent = 0
  let answeredAtMs = -Infinity
  let badNewsAtMs = -Infinity
  let lastFailure: { reason: string; at: Date } | undefined

  /** A process that starts during an outage does not begin with a burst: what the others know is enough. */
  async function learn(): Promise<void> {
    if (state !== 'unknown') return
    const { rows } = await sql`select 1 from relay_circuit where failures > 0`.execute(database)
    state = rows.length > 0 ? 'open' : 'closed'
  }

  /**
   * Notes what an attempt showed. Resolves with the change that it made, if any.
   * @param startedAtMs of the attempt, on the clock of `now`
   */
  async function note(finding: Finding, startedAtMs: number, reason: string): Promise<'opened' | 'closed' | undefined> {
    if (finding === 'answered') {
      silent = 0
      answeredAtMs = now()
      if (state !== 'open') return undefined
      state = 'closed'
      await sql`update relay_circuit set failures = 0, probe_at = clock_timestamp()`.execute(database)
      return 'closed'
    }
    lastFailure = { reason, at: new Date() }
    if (finding === 'silent') silent += 1
    // Others were answered meanwhile: this is about one connection, such as one too many.
    if (answeredAtMs > startedAtMs) return undefined
    if (state === 'open') badNewsAtMs = now()
    if (state === 'open' || (finding === 'silent' && silent < SILENT_MAX)) return undefined
    state = 'open'
    badNewsAtMs = now()
    await sql`update relay_circuit set failures = failures + 1,
      probe_at = greatest(probe_at, clock_timestamp() + ${pauseSql(pace, 'failures + 1')})`.execute(database)
    return 'opened'
  }

  /**
   * The lane in which this process may probe now; undefined while all have to wait. The claim of the mail decides (`probeOf`).
   * @param busy lanes in which it probes already
   */
  async function readLane(busy: ReadonlySet<Lane> = new Set()): Promise<Lane | undefined> {
    const { rows } = await sql<{ lane: Lane; waits: boolean; failures: number }>`
      select lane, probe_at > clock_timestamp() as waits, failures from relay_circuit`.execute(database)
    // Another process was answered since: nobody is told of a delay any more, though this one still begins with one mail.
    if (rows.every(({ failures }) => failures === 0)) badNewsAtMs = -Infinity
    if (busy.has('codes')) return undefined
    const mayAsk = (lane: Lane): boolean => rows.some((row) => row.lane === lane && !row.waits)
    if (!busy.has('others') && mayAsk('others')) return 'others'
    // Somebody's last probe was just now, and failed.
    badNewsAtMs = now()
    return mayAsk('codes') ? 'codes' : undefined
  }

  return {
    learn,
    note,
    readLane,
    isOpen: () => state === 'open',
    /** True while the relay is known to take nothing: what people are told. */
    isAway: () => state === 'open' && now() - badNewsAtMs < NEWS_MS,
    /** What this process last saw go wrong: a code or kind of failure, never the relay's words. */
    lastFailure: () => lastFailure,
    /** Goes with the claim of the one mail that is the probe. */
    probeOf: (lane: Lane): Probe => ({ lane, pace }),
  }
}

export type RelayCircuit = ReturnType<typeof createRelayCircuit>

/** The right to ask a relay that is away, used up in the statement that claims a mail for it. */
export interface Probe {
  lane: Lane
  pace: ProbePace
}

/** The pause after so many failures, as an interval. @param failures an SQL expression over a row of `relay_circuit` */
export const pauseSql = (pace: ProbePace, failures: string) => sql`make_interval(secs =>
  least(case lane when 'codes' then ${pace.codesMaxMs}::float8 else ${pace.othersMaxMs}::float8 end,
    ${pace.firstMs}::float8 * 2 ^ least(${sql.raw(failures)} - 1, 20)) * (0.5 + random() / 2) / 1000)`
