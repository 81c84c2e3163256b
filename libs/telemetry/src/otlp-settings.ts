// Reads OTEL_EXPORTER_OTLP_[TRACES_|METRICS_]ENDPOINT and PROTOCOL. The exporters read headers, timeouts and TLS themselves.
import { getStringFromEnv } from '@opentelemetry/core'

type Signal = 'TRACES' | 'METRICS'
type Protocol = 'grpc' | 'http/json' | 'http/protobuf'

/** The variable of the signal takes precedence over the common one. */
const settingOf = (signal: Signal, name: 'ENDPOINT' | 'PROTOCOL'): string | undefined =>
  getStringFromEnv(`OTEL_EXPORTER_OTLP_${signal}_${name}`) ?? getStringFromEnv(`OTEL_EXPORTER_OTLP_${name}`)

export const hasCollector = (signal: Signal): boolean => settingOf(signal, 'ENDPOINT') !== undefined

/** The exporter for the configured protocol; protobuf over HTTP if it is missing or unknown. */
export function createExporter<Exporter>(
  signal: Signal,
  exporters: Readonly<Record<Protocol, new () => Exporter>>,
): Exporter {
  const protocol = settingOf(signal, 'PROTOCOL') as Protocol
  return new (exporters[protocol] ?? exporters['http/protobuf'])()
}
