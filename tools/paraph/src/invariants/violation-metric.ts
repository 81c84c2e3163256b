// `paraph.invariant.violations`, sent if the command is started with `node --import` of register.ts. [I1-I14, D51]
import { metrics } from '@opentelemetry/api'
import { countViolations } from './report.js'
import type { Report } from '@paraph/verify/verify-invariants'

/** Records what the last verification found, by invariant. Sent when the process shuts its telemetry down (paraph.mjs). */
export function recordViolations(report: Report): void {
  const gauge = metrics
    .getMeter('@paraph/local')
    .createGauge('paraph.invariant.violations', { description: 'What the last verification found wrong.' })
  for (const { invariant, kind, count } of countViolations(report))
    gauge.record(count, { 'paraph.invariant': invariant, 'paraph.kind': kind })
}
