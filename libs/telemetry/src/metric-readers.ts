// Exports metrics: by OTLP at intervals, as Prometheus' text on request, or both. Only those of metric-list.ts leave the process, with
// the attributes that attribute-allow-list.ts allows. [I14] Only register.ts loads this file.
// Configured by OpenTelemetry's own variables: OTEL_METRICS_EXPORTER, OTEL_EXPORTER_OTLP_*, OTEL_METRIC_EXPORT_INTERVAL.
import { getNumberFromEnv, getStringListFromEnv } from '@opentelemetry/core'
import { OTLPMetricExporter as GrpcExporter } from '@opentelemetry/exporter-metrics-otlp-grpc'
import { OTLPMetricExporter as JsonExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPMetricExporter as ProtobufExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import {
  AggregationType,
  MetricReader,
  PeriodicExportingMetricReader,
  type IMetricReader,
  type MetricData,
  type PushMetricExporter,
  type ResourceMetrics,
  type ViewOptions,
} from '@opentelemetry/sdk-metrics'
import { LIBRARY_METRICS, METRICS, prometheusName, type Metric } from './metric-list.js'
import { createExporter, hasCollector } from './otlp-settings.js'
import { allowedAttributes } from './attribute-allow-list.js'

const EXPORTERS = { grpc: GrpcExporter, 'http/json': JsonExporter, 'http/protobuf': ProtobufExporter }
const INTERVAL_MS = 60_000
const TIMEOUT_MS_MAX = 30_000

/** Collects on request only. */
class PullReader extends MetricReader {
  protected override onForceFlush(): Promise<void> {
    return Promise.resolve()
  }
  protected override onShutdown(): Promise<void> {
    return Promise.resolve()
  }
}

/**
 * The chosen exporters; by default OTLP if an endpoint is set. `readText` reads the current values as Prometheus' text; it is undefined
 * unless the exporter `prometheus` is chosen.
 */
export function createMetricReaders() {
  const hasEndpoint = hasCollector('METRICS')
  const chosen = new Set(getStringListFromEnv('OTEL_METRICS_EXPORTER') ?? (hasEndpoint ? ['otlp'] : []))
  const pull = chosen.has('prometheus') ? new PullReader() : undefined
  // Every series has `service_name`; the scrape adds the other attributes of the process.
  const serializer = new PrometheusSerializer('', false, /^service\.name$/, true, true)
  return {
    readers: [...(pull ? [pull] : []), ...(chosen.has('otlp') && hasEndpoint ? [periodic()] : [])],
    readText: pull && (async () => serializer.serialize(namedForPrometheus((await pull.collect()).resourceMetrics))),
  }
}

function periodic(): IMetricReader {
  const exportIntervalMillis = getNumberFromEnv('OTEL_METRIC_EXPORT_INTERVAL') ?? INTERVAL_MS
  const timeoutMs = getNumberFromEnv('OTEL_METRIC_EXPORT_TIMEOUT') ?? TIMEOUT_MS_MAX
  return new PeriodicExportingMetricReader({
    exporter: listedOnly(createExporter<PushMetricExporter>('METRICS', EXPORTERS)),
    exportIntervalMillis,
    exportTimeoutMillis: Math.min(timeoutMs, exportIntervalMillis),
  })
}

const LISTED = new Map(Object.entries<Metric>({ ...METRICS, ...LIBRARY_METRICS }))

/** The buckets of OpenTelemetry's convention, and 0.2 for our promise to answer reads within 200 ms. */
const HTTP_BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.2, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** One view per listed metric: two matching views would export the metric twice. */
export const LISTED_VIEWS: readonly ViewOptions[] = [...LISTED.keys()].map((instrumentName) => ({
  instrumentName,
  attributesProcessors: [{ process: allowedAttributes }],
  ...(instrumentName === 'http.server.request.duration' && {
    aggregation: { type: AggregationType.EXPLICIT_BUCKET_HISTOGRAM, options: { boundaries: HTTP_BOUNDARIES } },
  }),
}))

/** Passes only listed metrics to `exporter`. */
function listedOnly(exporter: PushMetricExporter): PushMetricExporter {
  const send = exporter.export.bind(exporter)
  const keep = (metric: MetricData) => metric
  exporter.export = (collected, done) => send(mapMetrics(collected, keep), done)
  return exporter
}

/** The listed metrics under the names that Prometheus gives to OTLP metrics: the library's serializer omits the units. */
const namedForPrometheus = (collected: ResourceMetrics): ResourceMetrics =>
  mapMetrics(collected, (metric, listed) => ({
    ...metric,
    descriptor: { ...metric.descriptor, name: prometheusName(metric.descriptor.name, listed) },
  }))

function mapMetrics(
  { resource, scopeMetrics }: ResourceMetrics,
  map: (metric: MetricData, listed: Metric) => MetricData,
): ResourceMetrics {
  return {
    resource,
    scopeMetrics: scopeMetrics.map(({ scope, metrics }) => ({
      scope,
      metrics: metrics.flatMap((metric) => {
        const listed = LISTED.get(metric.descriptor.name)
        return listed ? [map(metric, listed)] : []
      }),
    })),
  }
}
