// Checks that clients and parties are served as usual while a part that no request needs is unavailable or slow. [D32, F1, F2, F24]
import { SERVICES, type ServiceName } from '@paraph/protocol/services'
import { until } from '../harness/until.js'
import type { FaultStack } from './fault-stack.js'
import type { Scene } from './scenario.js'

/** The longest extension of a scaled outage, which lasts until a call has succeeded. On a busy machine that can take a while. */
const LONGER_MS_MAX = 60_000

/** About five times the growth in ten minutes of load; a service that keeps every event, answer or span exceeds this limit. */
const SERVICE_GROWTH_MIB_MAX = 150

interface Meanwhile {
  created: number
  signed: number
}

/**
 * Waits as long as the fault lasts, and checks that every service is alive.
 * @param seconds duration of the fault before scaling
 * @param hasBitten whether the fault has had its effect; extends the fault until true, as does a fault without a successful call
 * @returns the numbers of contracts created and signatures given meanwhile
 */
export async function duringFault(
  { stack, workload, scaledMs, wait, fail }: Scene,
  what: string,
  { seconds = 600, hasBitten = () => true }: { seconds?: number; hasBitten?: () => boolean } = {},
): Promise<Meanwhile> {
  const [createdBefore, signedBefore] = [workload.created.length, workload.counts.signed]
  const done = () => ({
    created: workload.created.length - createdBefore,
    signed: workload.counts.signed - signedBefore,
  })
  const endsAt = performance.now() + scaledMs(seconds)
  const isOver = (nowMs: number): boolean =>
    nowMs >= endsAt + LONGER_MS_MAX || (nowMs >= endsAt && done().created > 0 && done().signed > 0 && hasBitten())
  while (!isOver(performance.now())) {
    const notLive = await stack.notLive()
    if (notLive.length > 0) fail(`${notLive.join()} would be restarted while ${what}`)
    await wait(Math.min(1_000, scaledMs(seconds / 10)))
  }
  return done()
}

/** Reports a failure if nothing was created or signed meanwhile, or if any call was refused. */
export function checkProgress({ workload, record, fail }: Scene, what: string, { created, signed }: Meanwhile): void {
  record('contractsMadeMeanwhile', created)
  record('signedMeanwhile', signed)
  if (created === 0 || signed === 0)
    fail(`${created} contracts were created and ${signed} signatures given while ${what}`)
  for (const { status } of workload.refusals()) fail(`a call was answered ${status} while only ${what}`)
}

/** Measures the memory of every service after a minute of load. @returns a second measurement, which reports excessive growth */
export async function memoryGrowth({ stack, scaledMs, wait, record, fail }: Scene): Promise<() => Promise<void>> {
  await wait(scaledMs(60))
  // The thread that creates PDFs allocates most of its memory for the first PDFs, whatever the length of the warm-up. Measured from before
  // these PDFs, signing grew by 172 to 222 MiB within seconds; measured from after 20 PDFs, by 60 to 73 MiB. [D30]
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
      record(`${service}GrewMiB`, grewMiB)
      if (grewMiB > SERVICE_GROWTH_MIB_MAX) fail(`${service} grew by ${grewMiB} MiB`)
    }
  }
}

async function memoryOf(stack: FaultStack): Promise<Record<ServiceName, number>> {
  const each = await Promise.all(SERVICES.map(async (service) => [service, await stack.memoryOf(service)] as const))
  return Object.fromEntries(each) as Record<ServiceName, number>
}
