// Carries a trace across a queue: the span of who takes work up is a child of the span that created it. [D51, I13]
import { ROOT_CONTEXT, trace, type Attributes } from '@opentelemetry/api'
import { inSpan, linkTo, readTraceparent } from '@paraph/telemetry/trace-context'

/** Work that waited longer (replay, redrive) starts a trace of its own with a link: it must not revive a closed one. */
const LINK_AFTER_MS = 3_600_000

/**
 * Runs `work` in a consumer span that belongs to the trace of `traceparent`, what was stored with the work when it was created.
 * Costs next to nothing while no tracer is loaded.
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
