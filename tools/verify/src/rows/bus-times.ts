// The times at which the embedded bus stored messages. They exclude events that it pruned, or that another bus published. [D50]
import type { ReadOnlySession } from '@paraph/database/read-only-session'

/** Resolution of the times. The bus stored a message in the step in which the relay marked the outbox row, or in the step before. */
const STEP_SECONDS = 10
/** The relay marks a row after the bus stored the message, perhaps with another clock. So the last hour of the retention is excluded. */
const MARGIN_MS = 3_600_000
const DAY_MS = 86_400_000

export interface BusTimes {
  /** True if the message is so old that the bus may have pruned it. */
  isPast(publishedAt: Date): boolean
  /** True if the bus stored nothing at that time: it was not in use, or its messages are lost. */
  wasSilent(publishedAt: Date): boolean
}

/** Reads the bus once, within a snapshot. */
export async function readBusTimes(bus: ReadOnlySession): Promise<BusTimes> {
  const [retention] = await bus.query<{ days: number; now: Date }>(
    'select retention_days as days, now() as now from bus.setting',
  )
  const steps = new Set<number>()
  const rows = bus.stream<{ step: number }>(
    `select distinct floor(extract(epoch from published_at) / ${STEP_SECONDS})::float8 as step from bus.message`,
  )
  for await (const { step } of rows) steps.add(step)
  return busTimesOf({ steps, keptDays: retention?.days ?? 0, now: retention?.now ?? new Date(0) })
}

interface BusData {
  /** The ten-second steps since 1970 in which the bus stored messages. */
  steps: ReadonlySet<number>
  keptDays: number
  now: Date
}

/** Pure. */
export function busTimesOf({ steps, keptDays, now }: BusData): BusTimes {
  const pastMs = now.getTime() - keptDays * DAY_MS + MARGIN_MS
  return {
    isPast: (publishedAt) => publishedAt.getTime() < pastMs,
    wasSilent(publishedAt) {
      const step = Math.floor(publishedAt.getTime() / 1_000 / STEP_SECONDS)
      return !steps.has(step) && !steps.has(step - 1)
    },
  }
}
