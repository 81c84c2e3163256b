// Exports metrics: by OTLP at intervals, as Prometheus' text on request, or both. Only register.ts loads it.
// Configured by OpenTelemetry's own variables: OTEL_METRICS_EXPORTER, OTEL_EXPORTER_OTLP_*, OTEL_METRIC_EXPORT_INTERVAL.
import { getNumberFromEnv, getStringListFromEnv } from '@opentelemetry/core'
import { OTLPMetricExporter as GrpcExporter } from '@opentelemetry/exporter-metrics-otlp-grpc'
import { OTLPMetricExporter as JsonExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPMetricExporter as ProtobufExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import {
  MetricReader,
  PeriodicExportingMetricReader,
  type IMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics'
import { listedOnly, namedForPrometheus } from './metric-wall.js'
import { createExporter, hasCollector } from './otlp-settings.js'

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

interface MetricExport {
  readers: IMetricReader[]
  /** The current values as Prometheus' text; undefined if that exporter is not chosen. */
  readText: (() => Promise<string>) | undefined
}

/** The chosen exporters; by default OTLP if an endpoint is set. */
export function createMetricReaders(): MetricExport {
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
