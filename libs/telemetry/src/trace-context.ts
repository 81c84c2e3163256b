// The W3C trace context of what is happening now. Costs nothing and returns undefined while no tracer is loaded. [D51]
import { trace } from '@opentelemetry/api'

/** `traceparent` of the active span, to be stored with what that span creates; undefined outside any span. */
export function currentTraceparent(): string | undefined {
  const span = trace.getActiveSpan()?.spanContext()
  if (!span) return undefined
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`
}
