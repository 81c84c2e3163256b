// Adds tracing and metrics to a process that is started with `node --import` of this file; otherwise the SDK is not even loaded.
// Configured by OpenTelemetry's own variables (OTEL_*): sends traces if an endpoint is set; metric-readers.ts exports the metrics.
// Owns: what is instrumented, and which data of a request enter a span. attribute-allow-list.ts owns which data are exported.
// kafkajs is not instrumented: its instrumentation overwrites the trace context that the relay passes on. [D51, H13]
import { register } from 'node:module'
import { context, createContextKey, trace, type Attributes } from '@opentelemetry/api'
import {
  getNumberFromEnv,
  getRPCMetadata,
  getStringFromEnv,
  RPCType,
  W3CTraceContextPropagator,
} from '@opentelemetry/core'
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
import { ParentBasedSampler, TraceIdRatioBasedSampler, type SpanExporter } from '@opentelemetry/sdk-trace'
import type { IncomingMessage } from 'node:http'
import { createMetricReaders, LISTED_VIEWS } from './metric-readers.js'
import { createExporter, hasCollector } from './otlp-settings.js'
import { filteringExporter } from './attribute-allow-list.js'
import { linkTo } from './trace-context.js'
import { installTracing, isInternalServer } from './tracing-facade.js'

// Registered before any module of the service is loaded: pg and pino would silently stay uninstrumented.
register('@opentelemetry/instrumentation/hook.mjs', import.meta.url, {
  data: { include: ['http', 'node:http', 'pg', 'pg-pool', 'pino'] },
})

/** Links of a span: the largest batch of the relay has one per row. */
const LINKS_MAX = 1_000
/** The share of traces that are kept by default: one contract is 40 traces and 950 spans, and a million a day are 11,000 spans a second. */
const RATIO = 0.1
const HEALTH = new Set(['/livez', '/readyz', '/metrics'])
const isTraced = hasCollector('TRACES') && getStringFromEnv('OTEL_TRACES_EXPORTER') !== 'none'
const EXPORTERS = { grpc: GrpcExporter, 'http/json': JsonExporter, 'http/protobuf': ProtobufExporter }
/** Data about the caller, and paths, which may contain a share token or any typed text; spans have the route instead of the path. */
const OMITTED = omit('url.path', 'url.query', 'user_agent.original', 'http.request.method_original')
/** `OMITTED`, and the addresses and the host that a client sent. */
const OMITTED_OF_CLIENTS: Attributes = {
  ...OMITTED,
  ...omit('client.address', 'network.peer.address', 'network.peer.port', 'server.address', 'server.port'),
}
/** The context key for the URL template of the request that is being sent. */
const URL_TEMPLATE = createContextKey('paraph url template')
/** The trace context that a client sent, until its request's span links to it. */
const clientTraceparents = new WeakMap<IncomingMessage, string>()

const isInternal = ({ socket }: IncomingMessage): boolean => isInternalServer((socket as { server?: unknown }).server)

/** True for probes. With tracing on, also for calls of our own services without a trace: background loops send these constantly. */
const isIdle = (request: IncomingMessage): boolean =>
  HEALTH.has(request.url ?? '') || (isTraced && isInternal(request) && request.headers['traceparent'] === undefined)

const urlTemplate = () => context.active().getValue(URL_TEMPLATE) as string | undefined

function omit(...names: string[]): Attributes {
  return Object.fromEntries(names.map((name) => [name, undefined]))
}

function describeIncoming(request: IncomingMessage): Attributes {
  if (!isInternal(request)) {
    const { traceparent } = request.headers
    if (typeof traceparent === 'string') clientTraceparents.set(request, traceparent)
    for (const name of ['traceparent', 'tracestate', 'baggage']) delete request.headers[name]
  }
  return OMITTED_OF_CLIENTS
}

const instrumentations = [
  new HttpInstrumentation({
    ignoreIncomingRequestHook: isIdle,
    // The services send requests with undici only; only the exporter uses node:http.
    disableOutgoingRequestInstrumentation: true,
    startIncomingSpanHook: describeIncoming,
    requestHook: (span, request) => {
      for (const link of linkTo(clientTraceparents.get(request as IncomingMessage))) span.addLink(link)
    },
  }),
  new UndiciInstrumentation({
    // The readiness loop has no parent span, so its requests create no spans.
    requireParentforSpans: true,
    startSpanHook: ({ origin }) => {
      const template = urlTemplate()
      return { ...OMITTED, 'url.full': `${origin}${template ?? ''}`, 'url.template': template }
    },
    requestHook: (span, { method }) => {
      const template = urlTemplate()
      if (template !== undefined) span.updateName(`${method} ${template}`)
    },
  }),
  // Statements of idle loops have no parent span and would outnumber everything else.
  new PgInstrumentation({
    requireParentSpan: true,
    ignoreConnectSpans: true,
    enhancedDatabaseReporting: false,
    // Otherwise the name of a prepared statement stands in the place of its command. [P45]
    requestHook: (span, { query, connection }) =>
      void span.updateName(`pg.query:${commandOf(query.text)} ${connection.database}`),
  }),
  new PinoInstrumentation({ disableLogSending: true }),
  // Load of the event loop and the heap, the basis for scaling and restarts.
  new RuntimeNodeInstrumentation({ monitoringPrecision: 20 }),
]

/** The first word of a statement. */
function commandOf(text: string): string {
  return /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'UNKNOWN'
}

/** `parentbased_traceidratio`, unless OTEL_TRACES_SAMPLER names another sampler, which the SDK then creates. */
const sampler =
  getStringFromEnv('OTEL_TRACES_SAMPLER') === undefined
    ? new ParentBasedSampler({
        root: new TraceIdRatioBasedSampler(getNumberFromEnv('OTEL_TRACES_SAMPLER_ARG') ?? RATIO),
      })
    : undefined

const { readers, readText } = createMetricReaders()
const sdk = new NodeSDK({
  instrumentations,
  // No baggage: it would be forwarded to every callee, and nothing needs it.
  textMapPropagator: new W3CTraceContextPropagator(),
  resourceDetectors: [envDetector, hostDetector, serviceInstanceIdDetector],
  ...(isTraced
    ? { traceExporter: filteringExporter(createExporter<SpanExporter>('TRACES', EXPORTERS), () => logger) }
    : { spanProcessors: [] }),
  ...(sampler ? { sampler } : {}),
  spanLimits: { linkCountLimit: LINKS_MAX, attributeValueLengthLimit: 4_096 },
  logRecordProcessors: [],
  metricReaders: readers,
  views: [...LISTED_VIEWS],
})
sdk.start()
// Loads pino after `start`, because pino is instrumented when it is loaded. The first span ends later.
const logger = (await import('./logger.js')).createLogger(getStringFromEnv('OTEL_SERVICE_NAME') ?? 'telemetry', 'info')

installTracing({
  recordRoute(template) {
    const metadata = getRPCMetadata(context.active())
    if (metadata?.type === RPCType.HTTP) metadata.route = template
  },
  recordRequestId: (requestId) => void trace.getActiveSpan()?.setAttribute('paraph.request_id', requestId),
  withUrlTemplate: (template, send) => context.with(context.active().setValue(URL_TEMPLATE, template), send),
  readMetrics: readText,
  shutDown: () => sdk.shutdown(),
})
