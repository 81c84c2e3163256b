// The current W3C trace context, and spans of our own. Nearly free while no tracer is loaded. [D51]
// A span never contains an error, because the error of a database or a mail server may quote an address. [I14]
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
  /** A name from a closed set: no id, no address. */
  name: string
  kind?: keyof typeof SpanKind
  attributes?: Attributes
  links?: Link[]
}

/** The `traceparent` of the active span, to store with a row that it creates; undefined outside a span. */
export const currentTraceparent = (): string | undefined => traceparentOf(trace.getActiveSpan())

/** Marks the active span as failed, for an error that is handled rather than thrown. */
export const markFailed = (): void => void trace.getActiveSpan()?.setStatus({ code: SpanStatusCode.ERROR })

/** Records the creation of a message as a span without duration. @returns its `traceparent`, to store with the message */
export function recordCreation(name: string, attributes: Attributes): string | undefined {
  const span = tracer.startSpan(name, { kind: SpanKind.PRODUCER, attributes })
  span.end()
  return traceparentOf(span)
}

function traceparentOf(span: Span | undefined): string | undefined {
  const context = span?.spanContext()
  if (!context || !isSpanContextValid(context)) return undefined
  return `00-${context.traceId}-${context.spanId}-${context.traceFlags.toString(16).padStart(2, '0')}`
}

/** Parses a stored or received `traceparent`; undefined for an invalid one. */
export function readTraceparent(traceparent: string | null | undefined): SpanContext | undefined {
  const match = TRACEPARENT.exec(traceparent ?? '')
  if (!match?.[1] || !match[2] || !match[3]) return undefined
  const context = { traceId: match[1], spanId: match[2], traceFlags: parseInt(match[3], 16), isRemote: true }
  return isSpanContextValid(context) ? context : undefined
}

/** Runs `work` in a child span of the active span or of `parent`; without a parent span it starts a trace. */
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
 * Runs `work` in a trace of its own: batch work belongs to none of its items and would otherwise appear in the trace of the first.
 * @param causes the stored `traceparent` of each item; the sampled ones become links. Without a sampled one there is no trace: nothing
 *   would lead to it
 */
export function inOwnTrace<T>(
  { causes, ...description }: Omit<SpanDescription, 'links'> & { causes?: (string | null)[] },
  work: () => Promise<T>,
): Promise<T> {
  const links = causes?.flatMap(linkTo)
  if (links?.length === 0) return outsideTraces(work)
  return inSpan({ ...description, links: links ?? [] }, work, ROOT_CONTEXT)
}

/** Runs `work` outside all traces, so that none of its statements becomes a span. */
export const outsideTraces = <T>(work: () => T): T => context.with(ROOT_CONTEXT, work)

/** A link to the span of `traceparent` if it is sampled; otherwise none. */
export function linkTo(traceparent: string | null | undefined): Link[] {
  const cause = readTraceparent(traceparent)
  return cause && (cause.traceFlags & 1) === 1 ? [{ context: cause }] : []
}
