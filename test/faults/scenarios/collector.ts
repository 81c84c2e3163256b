// The collector of traces does not answer. [F24, H13]
import { SERVICES } from '@paraph/protocol/services'
import { until } from '../../harness/until.js'
import { duringFault, memoryGrowth, checkProgress } from '../progress.js'
import type { Scenario } from '../scenario.js'

export const collectorSilent: Scenario = {
  fault: 'F24',
  name: 'collector-silent',
  done: 'the collector of traces accepts connections and never answers, for ten minutes, under load',
  holds:
    'every call succeeds as before, signing continues, every process stays alive; dropped spans are counted (otel.sdk.processor.span.processed); no service grows by more than 150 MiB; afterwards spans arrive again',
  buses: ['postgres'],
  suite: { rounds: 1, scale: 60 },
  full: { rounds: 1, scale: 1 },
  clients: 4,
  own: { isTraced: true },
  async play(scene) {
    const { stack, wait, record, fail } = scene
    const { collector, line } = stack.tracing!
    await wait(1_000)
    const checkMemory = await memoryGrowth(scene)
    await line.become('silent')
    const silentSinceMs = Date.now()
    // Takes the maximum, because the queue of the busiest service fills first.
    const dropped = (): number =>
      Math.max(
        ...SERVICES.map((service) => collector.sumOf(service, 'otel.sdk.processor.span.processed', 'queue_full')),
      )
    const done = await duringFault(scene, 'the collector is silent', { hasBitten: () => dropped() > 0 })
    checkProgress(scene, 'the collector is silent', done)
    record('dropped', dropped())
    if (dropped() === 0) fail('no span was counted as dropped')
    await checkMemory()
    // Resets the connections like a collector that lost its state; then accepts spans again.
    await line.become('refuse')
    await line.become('pass')
    const healedAtMs = Date.now()
    await until(
      'spans again',
      () => collector.spans.some(({ startedAtMs }) => startedAtMs > healedAtMs) || undefined,
      60_000,
    )
    record('silentSeconds', Math.round((healedAtMs - silentSinceMs) / 1_000))
  },
}
