// The allow-list for attributes and names of spans and metrics, and the exporter that applies it to spans. [I14, H13]
// Fails closed: an attribute that is not on the list is dropped, and a value that looks like a secret or an address is redacted.
// It is the second line of defence: register.ts and trace-context.ts keep such data out of spans in the first place.
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Logger } from './logger.js'
import { LIBRARY_METRICS, METRICS, type Metric } from './metric-list.js'

/** Attributes whose values are never personal data, client input or secrets: those of spans, and those of the listed metrics. */
export const ALLOWED_ATTRIBUTES: ReadonlySet<string> = new Set([
  'url.full',
  'url.template',
  'db.query.text',
  'messaging.operation.name',
  'messaging.batch.message_count',
  'paraph.subject',
  'paraph.attempt',
  'paraph.request_id',
  ...Object.values<Metric>({ ...METRICS, ...LIBRARY_METRICS }).flatMap(({ attributes }) => Object.keys(attributes)),
])

/** An address, an API key, or about as many random characters in a row as a share token has. */
const SUSPICIOUS = /@|paraph_(?:live|test)_|[A-Za-z0-9_-]{40}/
const REDACTED = '[redacted]'
/** A SQL string in single quotes or dollar quotes; parameters such as `$1` stay. */
const LITERAL = /'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$/g

/** True for a text that may hold a secret or an address. */
export const isSuspicious = (text: string): boolean => SUSPICIOUS.test(text)

/** The allowed attributes, with suspicious values redacted. */
export function allowedAttributes<Value>(attributes: Readonly<Record<string, Value>>): Record<string, Value> {
  const allowed: Record<string, Value> = {}
  for (const [name, value] of Object.entries(attributes)) {
    if (ALLOWED_ATTRIBUTES.has(name)) allowed[name] = (typeof value === 'string' ? redact(name, value) : value) as Value
  }
  return allowed
}

/** The name of a span, redacted if it looks suspicious. */
export const allowedName = (name: string): string => (isSuspicious(name) ? REDACTED : name)

function redact(name: string, text: string): string {
  // The text of a statement contains long names that look suspicious; only its literals can contain data.
  if (name === 'db.query.text') return text.replace(LITERAL, '?').replace(/\s+/g, ' ').trim()
  return isSuspicious(text) ? REDACTED : text
}

/** Passes spans to `exporter` with the allowed names and attributes only. Logs once when the collector fails. */
export function filteringExporter(exporter: SpanExporter, logger: () => Pick<Logger, 'info' | 'warn'>): SpanExporter {
  const send = exporter.export.bind(exporter)
  let isFailing = false
  exporter.export = (spans, done) =>
    send(spans.map(onlyAllowed), (result) => {
      // The code 0 means success.
      const failed = result.code !== 0
      if (failed && !isFailing)
        logger().warn('could not send spans to the collector; dropping spans until it accepts them again')
      if (!failed && isFailing) logger().info('the collector accepts spans again')
      isFailing = failed
      done(result)
    })
  return exporter
}

/** The span without events, which hold errors, and without the message of its status. */
function onlyAllowed(span: ReadableSpan): ReadableSpan {
  return Object.create(span, {
    name: { value: allowedName(span.name) },
    attributes: { value: allowedAttributes(span.attributes) },
    events: { value: [] },
    status: { value: { code: span.status.code } },
    links: { value: span.links.map((link) => ({ context: link.context })) },
  }) as ReadableSpan
}
