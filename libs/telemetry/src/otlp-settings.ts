// What OpenTelemetry's environment says of one kind of telemetry: whether there is a collector for it, and how it is spoken to.
// Owns: OTEL_EXPORTER_OTLP_[TRACES_|METRICS_]ENDPOINT and PROTOCOL. What the exporters read by themselves (headers, time-outs, TLS) is theirs.
import { getStringFromEnv } from '@opentelemetry/core'

type Signal = 'TRACES' | 'METRICS'
type Protocol = 'grpc' | 'http/json' | 'http/protobuf'

/** Its own word before that for both. */
const settingOf = (signal: Signal, name: 'ENDPOINT' | 'PROTOCOL'): string | undefined =>
  getStringFromEnv(`OTEL_EXPORTER_OTLP_${signal}_${name}`) ?? getStringFromEnv(`OTEL_EXPORTER_OTLP_${name}`)

export const hasCollector = (signal: Signal): boolean => settingOf(signal, 'ENDPOINT') !== undefined

/** The exporter of the protocol that is set; protobuf over HTTP where none is, or one that does not exist. */
export function createExporter<Exporter>(
  signal: Signal,
  exporters: Readonly<Record<Protocol, new () => Exporter>>,
): Exporter {
  const asked = settingOf(signal, 'PROTOCOL') as Protocol
  return new (exporters[asked] ?? exporters['http/protobuf'])()
}
