// The hard stop at the monthly quota: exact, however many calls arrive together. [D4]
// Each call has a place that was reserved in the month's row. The usage commit turns the place into a count or releases it. So the hard
// stop does not depend on the number of gateways, on their windows, or on how long calls take.
// Owns: how the calls of an account share statements in one process. Waiting calls reserve together; while much of the quota is left, a
// statement also reserves a block of places ahead. Does not own: which calls are stopped (steps), releasing (recorder).
import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { BoundedMap } from '@paraph/protocol/bounded-map'
import { DomainError } from '@paraph/protocol/errors'
import { inOwnTrace } from '@paraph/telemetry/trace-context'
import { billingPeriodOf, type UsageOwner } from './billing-period.js'
import type { GatewayDatabase } from '../database.js'
import { withTimeout } from '@paraph/protocol/deadline'
import type { Limits } from '../accounts/subscription.js'

export interface Reservation {
  /** Id of reserved places in the month's row; calls that reserved together or drew from one block share the id. */
  id: string
}

/** Maximum of places reserved ahead of calls; the account's requests per minute are another limit. */
const BLOCK_MAX = 1_000
/** How long calls may draw from a block. */
const BLOCK_MS = 10_000
/** Reserved places expire after this time, in case their process dies; longer than any call takes from reservation to count. [D4] */
const CALL_SECONDS_MAX = 60
/** A database that takes longer counts as unavailable. Places that it reserves later expire. */
const RESERVE_MS_MAX = 4_000
const QUEUES_MAX = 10_000

/** The calls of one account, environment and month that wait for a reservation. */
interface ReservationQueue {
  waiting: { resolve: (reservation: Reservation) => void; reject: (error: unknown) => void }[]
  block: { id: string; left: number; usableUntilMs: number } | undefined
  isReserving: boolean
}

/** Reserves quota for calls to which the hard stop applies. */
export function createQuota(database: Kysely<GatewayDatabase>) {
  const queues = new BoundedMap<string, ReservationQueue>(QUEUES_MAX)

  return {
    /**
     * Reserves a place for a weighted call in the month of its admission.
     * @param admittedAt by the store's clock
     * @throws DomainError `quota_exceeded` with the seconds until the period ends; `unavailable`
     */
    reserve({ accountId, environment }: UsageOwner, limits: Limits, admittedAt: Date): Promise<Reservation> {
      const { period, endAt } = billingPeriodOf(admittedAt)
      const name = `${accountId} ${environment} ${period}`
      const queue = queueOf(name)
      return new Promise((resolve, reject) => {
        queue.waiting.push({ resolve, reject })
        drawFromBlock(queue)
        if (queue.waiting.length > 0 && !queue.isReserving) void drain()
      })

      async function drain(): Promise<void> {
        queue.isReserving = true
        while (queue.waiting.length > 0) {
          const batch = queue.waiting.splice(0)
          try {
            const { id, granted } = await reservePlaces(batch.length)
            for (const { reject } of batch.splice(granted)) reject(quotaExceeded(admittedAt, endAt))
            for (const { resolve } of batch) resolve({ id })
          } catch (error) {
            for (const { reject } of batch) reject(error)
          }
          drawFromBlock(queue)
        }
        queue.isReserving = false
        if (!queue.block?.left) queues.delete(name)
      }

      /** Reserves places for `wanted` calls and, if much quota is left, a block ahead. `granted` may be less or more than `wanted`. */
      async function reservePlaces(wanted: number): Promise<{ id: string; granted: number }> {
        const { block } = queue
        queue.block = undefined
        const id = randomUUID()
        const startedAtMs = performance.now()
        const statement = sql<{ granted: number }>`
          select usage_reserve(
            ${accountId}, ${environment}, ${`${period}-01`}::date, ${limits.monthlyQuota},
            reservation => ${id}, wanted => ${wanted},
            ahead => ${Math.min(BLOCK_MAX, limits.requestsPerMinute)}, margin => ${2 * limits.requestsPerMinute},
            call_seconds => ${CALL_SECONDS_MAX}, ahead_seconds => ${BLOCK_MS / 1_000},
            returned => ${block && block.left > 0 ? { [block.id]: block.left } : {}}
          ) as granted`
        const reserving = inOwnTrace({ name: 'reserve quota' }, () => statement.execute(database))
        const granted = (await withTimeout(RESERVE_MS_MAX, reserving)).rows[0]?.granted ?? 0
        queue.block = { id, left: Math.max(0, granted - wanted), usableUntilMs: startedAtMs + BLOCK_MS }
        return { id, granted }
      }
    },
  }

  function queueOf(name: string): ReservationQueue {
    const queue = queues.get(name) ?? { waiting: [], block: undefined, isReserving: false }
    // Refreshed at each use; the block of an evicted queue expires unused.
    queues.set(name, queue)
    return queue
  }
}

export type Quota = ReturnType<typeof createQuota>

/** Lets waiting calls draw from the block in the order of their arrival. */
function drawFromBlock({ block, waiting }: ReservationQueue): void {
  while (block && block.left > 0 && waiting.length > 0 && performance.now() < block.usableUntilMs) {
    block.left -= 1
    waiting.shift()?.resolve({ id: block.id })
  }
}

function quotaExceeded(admittedAt: Date, endAt: Date): DomainError {
  const seconds = Math.ceil((endAt.getTime() + 1 - admittedAt.getTime()) / 1_000)
  const sentence = 'The monthly quota is used up. Wait for the next billing period, or move to a larger plan.'
  return new DomainError('quota_exceeded', sentence, { headers: { 'Retry-After': String(Math.max(1, seconds)) } })
}
