// Exports spans through the allow-list of span-wall.ts, and logs once when the collector fails. [I14, H13]
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Logger } from './logger.js'
import { allowedAttributes, allowedName } from './span-wall.js'

/** Passes spans to `exporter` with the allowed names and attributes only. */
export function filteringExporter(exporter: SpanExporter, logger: () => Pick<Logger, 'info' | 'warn'>): SpanExporter {
  let isFailing = false
  return {
    export: (spans, done) =>
      exporter.export(spans.map(redacted), (result) => {
        // 0 is success.
        const failed = result.code !== 0
        if (failed && !isFailing)
          logger().warn('could not send spans to the collector; dropping spans until it accepts them again')
        if (!failed && isFailing) logger().info('the collector accepts spans again')
        isFailing = failed
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  }
}

/** The span without events, which hold errors, and without the message of its status. */
function redacted(span: ReadableSpan): ReadableSpan {
  return Object.create(span, {
    name: { value: allowedName(span.name) },
    attributes: { value: allowedAttributes(span.attributes) },
    events: { value: [] },
    status: { value: { code: span.status.code } },
    links: { value: span.links.map((link) => ({ context: link.context })) },
  }) as ReadableSpan
}
