// Stops weighted calls at the monthly quota where it is to be stopped, exactly, however many come at once. [D4]
// Each call holds a place that was reserved on the month's row, and the usage commit turns it into a count or gives it back; so
// nothing depends on how many gateways there are, on their windows, or on how long calls take.
// Owns: that the calls of one process and account share their asking: what has gathered asks together, and far from the quota
// a block of places is reserved ahead. Does not own: who is to be stopped (middleware), giving back (usage-commit).
import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Environment } from '@paraph/protocol/caller'
import { DomainError } from '@paraph/protocol/errors'
import { inOwnTrace } from '@paraph/telemetry/trace-context'
import { billingPeriodOf } from './billing-period.js'
import type { GatewayDatabase } from './database.js'
import { within } from '@paraph/service/deadline'
import type { Limits } from './tier.js'

export interface Reservation {
  /** Names places on the month's row; calls share it when they asked together or drew from one block. */
  id: string
}

/** Places reserved beyond those who wait; a minute's rate at most. */
const BLOCK_MAX = 1_000
/** For how long calls may draw from a block. */
const BLOCK_MS = 10_000
/** Places of a process that died lapse; longer than any call takes from its reservation to its count. [D4] */
const CALL_SECONDS_MAX = 60
/** A database that takes longer is away. What it may still reserve lapses. */
const RESERVE_MS_MAX = 2_000
const DESKS_MAX = 10_000

/** Where the calls of one account, environment and month ask. */
interface Desk {
  waiting: { take: (reservation: Reservation) => void; refuse: (error: unknown) => void }[]
  block: { id: string; left: number; usableUntilMs: number } | undefined
  isAsking: boolean
}

/** The stop at the monthly quota, for the calls that are to be stopped. */
export function createQuota(database: Kysely<GatewayDatabase>) {
  const desks = new Map<string, Desk>()

  return {
    /**
     * Reserves a place for a weighted call in the month of its admission.
     * @param admittedAt by the store's clock
     * @throws DomainError `quota_exceeded` with the seconds until the period ends; `unavailable`
     */
    reserve(
      { accountId, environment }: { accountId: string; environment: Environment },
      limits: Limits,
      admittedAt: Date,
    ): Promise<Reservation> {
      const { period, endAt } = billingPeriodOf(admittedAt)
      const name = `${accountId} ${environment} ${period}`
      const desk = deskOf(name)
      return new Promise((take, refuse) => {
        desk.waiting.push({ take, refuse })
        handOut(desk)
        if (desk.waiting.length > 0 && !desk.isAsking) void serve()
      })

      async function serve(): Promise<void> {
        desk.isAsking = true
        while (desk.waiting.length > 0) {
          const asking = desk.waiting.splice(0)
          try {
            const { id, granted } = await ask(asking.length)
            for (const { refuse } of asking.splice(granted)) refuse(quotaExceeded(admittedAt, endAt))
            for (const { take } of asking) take({ id })
          } catch (error) {
            for (const { refuse } of asking) refuse(error)
          }
          handOut(desk)
        }
        desk.isAsking = false
        if (!desk.block?.left) desks.delete(name)
      }

      /** Reserves for `wanted` calls and, far from the quota, for more to come. @returns for how many; may be more than wanted */
      async function ask(wanted: number): Promise<{ id: string; granted: number }> {
        const { block } = desk
        desk.block = undefined
        const id = randomUUID()
        const askedAtMs = performance.now()
        const statement = sql<{ granted: number }>`
          select usage_reserve(
            ${accountId}, ${environment}, ${`${period}-01`}::date, ${limits.monthlyQuota},
            reservation => ${id}, wanted => ${wanted},
            ahead => ${Math.min(BLOCK_MAX, limits.requestsPerMinute)}, margin => ${2 * limits.requestsPerMinute},
            call_seconds => ${CALL_SECONDS_MAX}, ahead_seconds => ${BLOCK_MS / 1_000},
            returned => ${block && block.left > 0 ? { [block.id]: block.left } : {}}
          ) as granted`
        const reserving = inOwnTrace({ name: 'reserve quota' }, () => statement.execute(database))
        const granted = (await within(RESERVE_MS_MAX, reserving)).rows[0]?.granted ?? 0
        desk.block = { id, left: Math.max(0, granted - wanted), usableUntilMs: askedAtMs + BLOCK_MS }
        return { id, granted }
      }
    },
  }

  function deskOf(name: string): Desk {
    const desk = desks.get(name) ?? { waiting: [], block: undefined, isAsking: false }
    // A Map keeps insertion order: taken out and put back, the first is the one unused for longest. What it held lapses.
    desks.delete(name)
    desks.set(name, desk)
    if (desks.size > DESKS_MAX) desks.delete(desks.keys().next().value ?? '')
    return desk
  }
}

export type Quota = ReturnType<typeof createQuota>

/** Lets those who wait draw from the block, in the order in which they came. */
function handOut({ block, waiting }: Desk): void {
  while (block && block.left > 0 && waiting.length > 0 && performance.now() < block.usableUntilMs) {
    block.left -= 1
    waiting.shift()?.take({ id: block.id })
  }
}

function quotaExceeded(admittedAt: Date, endAt: Date): DomainError {
  const seconds = Math.ceil((endAt.getTime() + 1 - admittedAt.getTime()) / 1_000)
  return new DomainError(
    'quota_exceeded',
    'The monthly quota is used up. Wait for the next billing period, or move to a larger tier.',
    { headers: { 'Retry-After': String(Math.max(1, seconds)) } },
  )
}
