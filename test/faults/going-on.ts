// People and programs are served as ever while something that no request needs is away or slow. [D32, F1, F2, F24]
import { SERVICES, type ServiceName } from '@paraph/protocol/services'
import { until } from '../harness/until.js'
import type { FaultStack } from './fault-stack.js'
import type { Scene } from './scenario.js'

/** On a busy machine nobody gets through in the few seconds of a scaled outage: it lasts until somebody has, a minute longer at most. */
const LONGER_MS_MAX = 60_000

/** Some five times what ten minutes under load come to; a service that keeps every event, answer or span passes it. */
const SERVICE_GROWTH_MIB_MAX = 150

interface Meanwhile {
  made: number
  signed: number
}

/**
 * Waits as long as the fault lasts, with every service asked whether it lives.
 * @param seconds of the fault as it is described
 * @param hasBitten lets it last longer, as if nobody had got through
 * @returns what clients did meanwhile
 */
export async function duringFault(
  { stack, workload, scaledMs, last, fail }: Scene,
  what: string,
  { seconds = 600, hasBitten = () => true }: { seconds?: number; hasBitten?: () => boolean } = {},
): Promise<Meanwhile> {
  const [madeBefore, signedBefore] = [workload.made.length, workload.counts.signed]
  const done = () => ({ made: workload.made.length - madeBefore, signed: workload.counts.signed - signedBefore })
  const endsAt = performance.now() + scaledMs(seconds)
  const isOver = (nowMs: number): boolean =>
    nowMs >= endsAt + LONGER_MS_MAX || (nowMs >= endsAt && done().made > 0 && done().signed > 0 && hasBitten())
  while (!isOver(performance.now())) {
    const notLive = await stack.notLive()
    if (notLive.length > 0) fail(`${notLive.join()} would be restarted while ${what}`)
    await last(Math.min(1_000, scaledMs(seconds / 10)))
  }
  return done()
}

/** Fails where nothing was made or signed meanwhile, and where any call was refused. */
export function wentOn({ workload, note, fail }: Scene, what: string, { made, signed }: Meanwhile): void {
  note('contractsMadeMeanwhile', made)
  note('signedMeanwhile', signed)
  if (made === 0 || signed === 0) fail(`${made} contracts were made and ${signed} signatures given while ${what}`)
  for (const { status } of workload.refusals()) fail(`a call was answered ${status} while only ${what}`)
}

/** Weighs every service after a minute of load: a cold one grows anyhow. @returns what weighs again, and fails where one has grown too much */
export async function memoryGrowth({ stack, scaledMs, last, note, fail }: Scene): Promise<() => Promise<void>> {
  await last(scaledMs(60))
  // The thread that makes PDFs takes its memory with the first ones, however short the warming up is: weighed before, signing grew by
  // 172 to 222 MiB within seconds, and weighed behind 20 of them by 60 to 73. [D30]
  await until(
    'the first sealed PDFs',
    async () => ((await stack.query('signing', 'select from sealed_copy limit 20')).length === 20 ? true : undefined),
    120_000,
  )
  const before = await memoryOf(stack)
  return async () => {
    const after = await memoryOf(stack)
    for (const service of SERVICES) {
      const grewMiB = Math.round((after[service] - before[service]) / 2 ** 20)
      note(`${service}GrewMiB`, grewMiB)
      if (grewMiB > SERVICE_GROWTH_MIB_MAX) fail(`${service} grew by ${grewMiB} MiB`)
    }
  }
}

async function memoryOf(stack: FaultStack): Promise<Record<ServiceName, number>> {
  const each = await Promise.all(SERVICES.map(async (service) => [service, await stack.memoryOf(service)] as const))
  return Object.fromEntries(each) as Record<ServiceName, number>
}
