// The W3C trace context of what is happening now, and spans of our own. Costs next to nothing while no tracer is loaded. [D51]
// Owns: that a span never holds an error: a database's or a mail server's may quote an address. [I14]
import {
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Link,
  type Span,
  type SpanContext,
} from '@opentelemetry/api'

const tracer = trace.getTracer('@paraph/telemetry')
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

interface SpanDescription {
  /** Of a closed set: no id, no address. */
  name: string
  kind?: keyof typeof SpanKind
  attributes?: Attributes
  links?: Link[]
}

/** `traceparent` of the active span, to be stored with what that span creates; undefined outside any span. */
export const currentTraceparent = (): string | undefined => traceparentOf(trace.getActiveSpan())

/** Marks the active span as failed, where a failure is dealt with and not thrown. */
export const markFailed = (): void => void trace.getActiveSpan()?.setStatus({ code: SpanStatusCode.ERROR })

/** Tells of a message's creation in a span without duration. @returns its `traceparent`, to be stored with the message */
export function tellCreation(name: string, attributes: Attributes): string | undefined {
  const span = tracer.startSpan(name, { kind: SpanKind.PRODUCER, attributes })
  span.end()
  return traceparentOf(span)
}

function traceparentOf(of: Span | undefined): string | undefined {
  const span = of?.spanContext()
  if (!span || !isSpanContextValid(span)) return undefined
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`
}

/** The context of a `traceparent` that was stored or received; undefined for what is none. */
export function readTraceparent(traceparent: string | null | undefined): SpanContext | undefined {
  const match = TRACEPARENT.exec(traceparent ?? '')
  if (!match?.[1] || !match[2] || !match[3]) return undefined
  const read = { traceId: match[1], spanId: match[2], traceFlags: parseInt(match[3], 16), isRemote: true }
  return isSpanContextValid(read) ? read : undefined
}

/** Runs `work` in a span below the active one; where there is none, or in `parent`, it begins a trace. */
export async function inSpan<T>(
  { name, kind = 'INTERNAL', attributes = {}, links = [] }: SpanDescription,
  work: (span: Span) => Promise<T>,
  parent: Context = context.active(),
): Promise<T> {
  const span = tracer.startSpan(name, { kind: SpanKind[kind], attributes, links }, parent)
  try {
    return await context.with(trace.setSpan(parent, span), work, undefined, span)
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}

/**
 * Runs `work` in a trace of its own: what is done for many at once belongs to none of them, and would otherwise be told in the trace of
 * whoever came first.
 * @param causes what was stored with each of the many; those that are sampled become links
 */
export const inOwnTrace = <T>(
  { causes = [], ...description }: Omit<SpanDescription, 'links'> & { causes?: (string | null)[] },
  work: () => Promise<T>,
): Promise<T> => inSpan({ ...description, links: causes.flatMap(linkTo) }, work, ROOT_CONTEXT)

/** Runs `work` where no statement of it becomes a span. */
export const outsideTraces = <T>(work: () => T): T => context.with(ROOT_CONTEXT, work)

/** A link to a sampled span, or none. */
export function linkTo(traceparent: string | null | undefined): Link[] {
  const cause = readTraceparent(traceparent)
  return cause && (cause.traceFlags & 1) === 1 ? [{ context: cause }] : []
}
