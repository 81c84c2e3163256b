// Carries a trace across the bus: the span of a consumer is a child of the span that created the event. [D51, I13]
import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type SpanContext,
} from '@opentelemetry/api'

/** An event that waited longer (replay, redrive) starts a trace of its own with a link: it must not revive a closed one. */
const LINK_AFTER_MS = 3_600_000

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/**
 * Runs `work` in a consumer span that belongs to the trace of `traceparent`, what was stored with the work when it was created.
 * Costs next to nothing while no tracer is loaded.
 * @param ageMs how long the work has waited
 */
export async function continueTrace<T>(
  {
    name,
    attributes = {},
    traceparent,
    ageMs,
  }: { name: string; attributes?: Attributes; traceparent: string | undefined; ageMs: number },
  work: () => Promise<T>,
): Promise<T> {
  const creator = readTraceparent(traceparent)
  const parent = creator && ageMs <= LINK_AFTER_MS ? trace.setSpanContext(ROOT_CONTEXT, creator) : ROOT_CONTEXT
  const links = creator ? [{ context: creator }] : []
  const span = trace
    .getTracer('@paraph/messaging')
    .startSpan(name, { kind: SpanKind.CONSUMER, attributes, links }, parent)
  try {
    return await context.with(trace.setSpan(parent, span), work)
  } catch (error) {
    // Never the error itself: a database's or mail server's error may quote an address.
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}

function readTraceparent(traceparent: string | undefined): SpanContext | undefined {
  const match = TRACEPARENT.exec(traceparent ?? '')
  if (!match?.[1] || !match[2] || !match[3]) return undefined
  return { traceId: match[1], spanId: match[2], traceFlags: parseInt(match[3], 16), isRemote: true }
}
