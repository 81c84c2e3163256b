// Adds tracing and metrics to a process that is started with `node --import` of this file; without it none of this is loaded, and
// nothing is paid. The only file that imports the SDK. Configured by OpenTelemetry's own environment (OTEL_*): traces go to the collector
// that it names, if it names one; metrics as metric-readers.ts says. [D51, H13]
// Owns: what is instrumented, and what of a request gets into a span at all; never kafkajs, whose instrumentation overwrites what the
// relay carries. Does not own: what leaves (span-wall.ts).
import { register } from 'node:module'
import { context, type Attributes } from '@opentelemetry/api'
import { getRPCMetadata, getStringFromEnv, RPCType, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg'
import { PinoInstrumentation } from '@opentelemetry/instrumentation-pino'
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { envDetector, hostDetector, serviceInstanceIdDetector } from '@opentelemetry/resources'
import { NodeSDK } from '@opentelemetry/sdk-node'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { IncomingMessage } from 'node:http'
import { createMetricReaders } from './metric-readers.js'
import { LISTED_VIEWS } from './metric-wall.js'
import { createExporter, hasCollector } from './otlp-settings.js'
import { linkTo } from './trace-context.js'
import { installTracing, isInside } from './tracing-seam.js'
import { templateOf } from './url-template.js'
import { behindWall } from './walled-exporter.js'

// Before any module of the service: pg and pino would silently stay as they are.
register('@opentelemetry/instrumentation/hook.mjs', import.meta.url, {
  data: { include: ['http', 'node:http', 'pg', 'pg-pool', 'pino'] },
})

/** The largest batch of the relay has a link to each of its rows. */
const LINKS_MAX = 1_000
const HEALTH = new Set(['/livez', '/readyz', '/metrics'])
const isTraced = hasCollector('TRACES') && getStringFromEnv('OTEL_TRACES_EXPORTER') !== 'none'
const EXPORTERS = { grpc: GrpcExporter, 'http/json': JsonExporter, 'http/protobuf': ProtobufExporter }
/** Who asks, and what of a path is not a word of ours. */
const NOT_TOLD: Attributes = {
  'url.query': undefined,
  'user_agent.original': undefined,
  'http.request.method_original': undefined,
}
/** As a client said it, and whence. */
const NOT_TOLD_OF_CLIENTS: Attributes = {
  ...NOT_TOLD,
  'client.address': undefined,
  'network.peer.address': undefined,
  'network.peer.port': undefined,
  'server.address': undefined,
  'server.port': undefined,
}
/** Where a client's own trace context waits for the span that will link to it. */
const foreign = new WeakMap<IncomingMessage, string>()

const isFromInside = ({ socket }: IncomingMessage): boolean => isInside((socket as { server?: unknown }).server)

/** Probes; and in traces, what loops of our services ask again and again: a call of theirs that belongs to something brings its trace. */
const isIdle = (request: IncomingMessage): boolean =>
  HEALTH.has(request.url ?? '') || (isTraced && isFromInside(request) && request.headers['traceparent'] === undefined)

function describeIncoming(request: IncomingMessage): Attributes {
  if (!isFromInside(request)) {
    const { traceparent } = request.headers
    if (typeof traceparent === 'string') foreign.set(request, traceparent)
    for (const name of ['traceparent', 'tracestate', 'baggage']) delete request.headers[name]
  }
  return { ...NOT_TOLD_OF_CLIENTS, 'url.path': templateOf(request.url ?? '/') }
}

const instrumentations = [
  new HttpInstrumentation({
    ignoreIncomingRequestHook: isIdle,
    // The services call over undici alone; what is left is the exporter.
    disableOutgoingRequestInstrumentation: true,
    startIncomingSpanHook: describeIncoming,
    requestHook: (span, request) => {
      for (const link of linkTo(foreign.get(request as IncomingMessage))) span.addLink(link)
    },
  }),
  new UndiciInstrumentation({
    // The loop that asks for readiness has none.
    requireParentforSpans: true,
    startSpanHook: ({ origin, path }) => {
      const template = templateOf(path)
      return { ...NOT_TOLD, 'url.full': `${origin}${template}`, 'url.path': undefined, 'url.template': template }
    },
    requestHook: (span, { method, path }) => void span.updateName(`${method} ${templateOf(path)}`),
  }),
  // Statements of loops that look for work belong to nothing, and would be all that is seen.
  new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true, enhancedDatabaseReporting: false }),
  new PinoInstrumentation({ disableLogSending: true }),
  // How busy the one thread is, and the heap: what restarts and scaling are decided by.
  new RuntimeNodeInstrumentation({ monitoringPrecision: 20 }),
]

const { readers, readText } = createMetricReaders()
const sdk = new NodeSDK({
  instrumentations,
  // No baggage: it is sent to whoever is called, and nothing here needs it.
  textMapPropagator: new W3CTraceContextPropagator(),
  resourceDetectors: [envDetector, hostDetector, serviceInstanceIdDetector],
  ...(isTraced
    ? { traceExporter: behindWall(createExporter<SpanExporter>('TRACES', EXPORTERS), () => logger) }
    : { spanProcessors: [] }),
  spanLimits: { linkCountLimit: LINKS_MAX, attributeValueLengthLimit: 4_096 },
  logRecordProcessors: [],
  metricReaders: readers,
  views: [...LISTED_VIEWS],
})
sdk.start()
// Not before: pino is instrumented as it is loaded, and spans come later still.
const logger = (await import('./logger.js')).createLogger(getStringFromEnv('OTEL_SERVICE_NAME') ?? 'telemetry', 'info')

installTracing({
  noteRoute(path) {
    const metadata = getRPCMetadata(context.active())
    if (metadata?.type === RPCType.HTTP) metadata.route = templateOf(path)
  },
  readMetrics: readText,
  shutDown: () => sdk.shutdown(),
})
