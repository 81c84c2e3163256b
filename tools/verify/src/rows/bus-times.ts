// When the embedded bus took messages: it need not have what was told on another bus, nor what is past its retention. [D50]
import type { Looks } from './check.js'

/** The instants of the bus in steps of this; a message lies in the step of its outbox row's mark or in the one before. */
const STEP_SECONDS = 10
/** A row is marked after its message was stored, by another clock perhaps: near the retention's end neither is asked for. */
const MARGIN_MS = 3_600_000
const DAY_MS = 86_400_000

export interface BusTimes {
  /** So old that the bus may have pruned it. */
  isPast(publishedAt: Date): boolean
  /** The bus took nothing then: it was not in use, or what was told is lost. */
  wasSilent(publishedAt: Date): boolean
}

/** Reads the bus once. Inside its moment. */
export async function readBusTimes(bus: NonNullable<Looks['bus']>): Promise<BusTimes> {
  const [kept] = await bus.query<{ days: number; now: Date }>(
    'select retention_days as days, now() as now from bus.setting',
  )
  const steps = new Set<number>()
  const rows = bus.stream<{ step: number }>(
    `select distinct floor(extract(epoch from published_at) / ${STEP_SECONDS})::float8 as step from bus.message`,
  )
  for await (const { step } of rows) steps.add(step)
  return busTimesOf({ steps, keptDays: kept?.days ?? 0, now: kept?.now ?? new Date(0) })
}

/** Pure. @param steps numbers of the ten seconds since 1970 in which the bus took something */
export function busTimesOf({
  steps,
  keptDays,
  now,
}: {
  steps: ReadonlySet<number>
  keptDays: number
  now: Date
}): BusTimes {
  const pastMs = now.getTime() - keptDays * DAY_MS + MARGIN_MS
  return {
    isPast: (publishedAt) => publishedAt.getTime() < pastMs,
    wasSilent(publishedAt) {
      const step = Math.floor(publishedAt.getTime() / 1_000 / STEP_SECONDS)
      return !steps.has(step) && !steps.has(step - 1)
    },
  }
}
