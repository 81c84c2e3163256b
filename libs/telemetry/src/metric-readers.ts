// How metrics leave the process: by OTLP at intervals, as Prometheus' text when somebody asks, or both. Loaded by register.ts alone.
// Configured by OpenTelemetry's own environment: OTEL_METRICS_EXPORTER, OTEL_EXPORTER_OTLP_*, OTEL_METRIC_EXPORT_INTERVAL.
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

/** Collects when it is asked, and not before. */
class PullReader extends MetricReader {
  protected override onForceFlush(): Promise<void> {
    return Promise.resolve()
  }
  protected override onShutdown(): Promise<void> {
    return Promise.resolve()
  }
}

export interface MetricsOut {
  readers: IMetricReader[]
  /** Prometheus' text of this moment; undefined where nobody chose that. */
  readText: (() => Promise<string>) | undefined
}

/** What was chosen; where nothing was and an OTLP endpoint is named, metrics go there. */
export function createMetricReaders(): MetricsOut {
  const isSent = hasCollector('METRICS')
  const chosen = new Set(getStringListFromEnv('OTEL_METRICS_EXPORTER') ?? (isSent ? ['otlp'] : []))
  const pull = chosen.has('prometheus') ? new PullReader() : undefined
  // Every series says which service it is of; what else is known of the process, the scrape says.
  const serializer = new PrometheusSerializer('', false, /^service\.name$/, true, true)
  return {
    readers: [...(pull ? [pull] : []), ...(chosen.has('otlp') && isSent ? [periodic()] : [])],
    readText: pull && (async () => serializer.serialize(namedForPrometheus((await pull.collect()).resourceMetrics))),
  }
}

function periodic(): IMetricReader {
  const exportIntervalMillis = getNumberFromEnv('OTEL_METRIC_EXPORT_INTERVAL') ?? INTERVAL_MS
  const asked = getNumberFromEnv('OTEL_METRIC_EXPORT_TIMEOUT') ?? TIMEOUT_MS_MAX
  return new PeriodicExportingMetricReader({
    exporter: listedOnly(createExporter<PushMetricExporter>('METRICS', EXPORTERS)),
    exportIntervalMillis,
    exportTimeoutMillis: Math.min(asked, exportIntervalMillis),
  })
}
