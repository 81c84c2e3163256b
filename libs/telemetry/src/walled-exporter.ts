// What leaves the process as spans, through the wall; and one line in the log when nobody takes them. [I14, H13]
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Logger } from './logger.js'
import { tellable, tellName } from './span-wall.js'

/** An exporter that tells `exporter` only what may be told. */
export function behindWall(exporter: SpanExporter, logger: () => Pick<Logger, 'info' | 'warn'>): SpanExporter {
  let isFailing = false
  return {
    export: (spans, done) =>
      exporter.export(spans.map(walled), (result) => {
        // 0 is success.
        const failed = result.code !== 0
        if (failed && !isFailing) logger().warn('spans cannot be sent to the collector; they are dropped meanwhile')
        if (!failed && isFailing) logger().info('spans are being sent again')
        isFailing = failed
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  }
}

/** The span as it may be seen: no events, for those hold errors, and no words beside the status. */
function walled(span: ReadableSpan): ReadableSpan {
  return Object.create(span, {
    name: { value: tellName(span.name) },
    attributes: { value: tellable(span.attributes) },
    events: { value: [] },
    status: { value: { code: span.status.code } },
    links: { value: span.links.map((link) => ({ context: link.context })) },
  }) as ReadableSpan
}
