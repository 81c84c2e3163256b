// Carries a trace across a queue: the consumer's span is a child of the span that created the work. [D51, I13]
import { ROOT_CONTEXT, trace, type Attributes } from '@opentelemetry/api'
import { inSpan, linkTo, readTraceparent } from '@paraph/telemetry/trace-context'

/** Work that waited longer (a replay, a redrive) starts its own trace with a link, instead of continuing an old one. */
const LINK_AFTER_MS = 3_600_000

/**
 * Runs `work` in a consumer span of the trace of `traceparent`, which was stored with the work at its creation.
 * Costs almost nothing while no tracer is loaded.
 * @param ageMs how long the work has waited
 */
export function continueTrace<T>(
  {
    name,
    attributes = {},
    traceparent,
    ageMs,
  }: { name: string; attributes?: Attributes; traceparent: string | null | undefined; ageMs: number },
  work: () => Promise<T>,
): Promise<T> {
  const kind = 'CONSUMER'
  const creator = readTraceparent(traceparent)
  return creator && ageMs <= LINK_AFTER_MS
    ? inSpan({ name, kind, attributes }, work, trace.setSpanContext(ROOT_CONTEXT, creator))
    : inSpan({ name, kind, attributes, links: linkTo(traceparent) }, work, ROOT_CONTEXT)
}
