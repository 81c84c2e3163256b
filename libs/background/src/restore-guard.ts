// Notices that one database was restored alone: services compare how far they remember each other's databases. [P40, docs/how-to/operators/backup-restore.md]
// Owns: when services compare, and the judgement. Does not own: the rows (libs/database/position.ts), the call (libs/rpc/position.ts).
import { advancePosition, lowerMark, raisePosition } from '@paraph/database/position'
import type { Logger } from '@paraph/telemetry/logger'
import { waitAtMost } from '@paraph/protocol/deadline'
import type { ServiceName } from '@paraph/protocol/services'
import { createLoop } from './loop.js'

/** Minutes by which a database may fall behind unnoticed: a replica that takes over, or a backup of several clusters, loses seconds. */
const TOLERANCE = 5
const EXCHANGE_MS = 60_000
const PAUSE_MS = 1_000
/** A start does not wait longer for a database or a service that does not answer: it is compared as soon as it does. */
const START_MS_MAX = 3_000

/** Two views of one database: where it is, and the mark that the other service remembers. */
export interface Exchange {
  /** The position of the service that answers. */
  position: number
  /** Its mark of the service that asks. */
  mark: number
}

/** Which of two databases lies behind what the other remembers of it; undefined if neither does. PURE. */
export function behindOf(own: Exchange, other: Exchange): 'own' | 'other' | undefined {
  if (own.position + TOLERANCE < other.mark) return 'own'
  return other.position + TOLERANCE < own.mark ? 'other' : undefined
}

export interface RestoreGuardDeps {
  database: Parameters<typeof advancePosition>[0]
  service: ServiceName
  /** The services that this one may call, each with a call that tells it our position. [D44] */
  others: Partial<Record<ServiceName, (position: number) => Promise<Exchange>>>
  /** `ACCEPT_MIXED_RESTORE=yes`: takes the positions of now as true. */
  accept: boolean
  logger: Logger
}

/**
 * A loop that advances the own position and compares it with each other service, at the start and then every minute. Who does not answer is
 * asked every second until it does. A disagreement ends the process: at the start by a rejection of `start`, later by an uncaught error.
 */
export function createRestoreGuard({ database, service, others, accept, logger }: RestoreGuardDeps) {
  const names = Object.keys(others) as ServiceName[]
  let waiting = new Set<ServiceName>(names)
  let comparedAtMs = -Infinity
  let disagreement: Error | undefined

  async function compare(name: ServiceName, positions: ReadonlyMap<string, number>): Promise<void> {
    const own: Exchange = { position: positions.get(service) ?? 0, mark: positions.get(name) ?? 0 }
    const other = await others[name]!(own.position)
    const behind = behindOf(own, other)
    if (behind && !accept) {
      disagreement ??= new Error(sentenceOf(behind === 'own' ? service : name, behind === 'own' ? name : service))
      return
    }
    if (behind)
      logger.warn({ other: name, behind }, 'accepting databases of different moments: ACCEPT_MIXED_RESTORE is set')
    if (behind === 'own') await raisePosition(database, service, other.mark)
    if (behind === 'other') await lowerMark(database, name, other.position)
    else await raisePosition(database, name, other.position)
    waiting.delete(name)
  }

  async function round(): Promise<void> {
    if (performance.now() - comparedAtMs >= EXCHANGE_MS) {
      waiting = new Set(names)
      comparedAtMs = performance.now()
    } else if (waiting.size === 0) return
    const positions = await advancePosition(database, service)
    // A service that cannot answer is no disagreement. [D32]
    await Promise.allSettled([...waiting].map((name) => compare(name, positions)))
  }

  const loop = createLoop({
    name: 'database positions',
    work: async () => {
      await round()
      // Not a rejection, from which the loop would only back off. An uncaught error ends the process (libs/http/run.ts).
      if (disagreement) setImmediate(throwLater, disagreement)
      return false
    },
    pauseMs: PAUSE_MS,
    failureMessage: 'could not compare how far the databases have come; retrying with back-off',
    logger,
  })
  return {
    ...loop,
    /** Compares once, then starts the loop. @throws Error with a sentence for the operator if a database was restored alone */
    async start(): Promise<void> {
      await waitAtMost(START_MS_MAX, round())
      if (disagreement) throw disagreement
      loop.start()
    },
  }
}

const throwLater = (error: Error): never => {
  throw error
}

const sentenceOf = (behind: ServiceName, ahead: ServiceName): string =>
  `The database of ${behind} is older than the database of ${ahead} remembers it: it was restored alone. Restore all databases to one moment (docs/how-to/operators/backup-restore.md), or set ACCEPT_MIXED_RESTORE=yes to go on with these.`
