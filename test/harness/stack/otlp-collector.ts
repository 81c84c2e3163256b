// An OpenTelemetry collector for tests: receives OTLP over HTTP as JSON. Keeps the parsed spans and metrics, and all requests unchanged.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from '../until.js'

export const SPAN_KIND = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const

export interface ExportedSpan {
  service: string
  scope: string
  traceId: string
  spanId: string
  /** Empty for the root of a trace. */
  parentSpanId: string
  name: string
  kind: number
  attributes: Record<string, unknown>
  links: { traceId: string; spanId: string }[]
  startedAtMs: number
  durationMs: number
  hasFailed: boolean
}

export interface ExportedMetric {
  service: string
  name: string
  attributes: Record<string, unknown>[]
  /** For each of `attributes`: the value of a gauge, or of a sum since the start of the process; undefined for histograms. */
  values: (number | undefined)[]
}

interface Attribute {
  key: string
  value: Record<string, unknown>
}
interface Resource {
  resource: { attributes: Attribute[] }
}
interface RawSpan extends Omit<
  ExportedSpan,
  'service' | 'scope' | 'attributes' | 'links' | 'hasFailed' | 'durationMs'
> {
  attributes?: Attribute[]
  links?: ExportedSpan['links']
  startTimeUnixNano: string
  endTimeUnixNano: string
  status?: { code?: number }
}
interface Traces {
  resourceSpans?: (Resource & { scopeSpans: { scope: { name: string }; spans: RawSpan[] }[] })[]
}
type Points = { dataPoints: { attributes?: Attribute[]; asInt?: string; asDouble?: number }[] }
interface Metrics {
  resourceMetrics?: (Resource & {
    scopeMetrics: { metrics: ({ name: string } & Record<'sum' | 'gauge' | 'histogram', Points | undefined>)[] }[]
  })[]
}

/** Listens on a free port until `close`. */
export async function startCollector() {
  const spans: ExportedSpan[] = []
  const metrics: ExportedMetric[] = []
  const received: string[] = []
  /** The number of exports of metrics, by service. */
  const exportsOf = new Map<string, number>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      received.push(`${request.url} ${text}`)
      if (request.url === '/v1/traces') spans.push(...readSpans(JSON.parse(text) as Traces))
      if (request.url === '/v1/metrics') {
        const read = readMetrics(JSON.parse(text) as Metrics)
        metrics.push(...read)
        for (const service of new Set(read.map((metric) => metric.service)))
          exportsOf.set(service, (exportsOf.get(service) ?? 0) + 1)
      }
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    spans,
    metrics,
    /** Path and body of each request, unchanged. */
    received,
    /** The last exported value of the counter `name` of `service`, summed over the points with this `error.type`. */
    sumOf(service: string, name: string, errorType: string): number {
      const last = metrics.findLast((metric) => metric.service === service && metric.name === name)
      const ofType = last?.values.filter((_, at) => last.attributes[at]?.['error.type'] === errorType) ?? []
      return ofType.reduce<number>((sum, each) => sum + (each ?? 0), 0)
    },
    /** The last exported value of the gauge `name` of `service`; undefined before its first export. */
    gaugeOf(service: string, name: string): number | undefined {
      return metrics.findLast((metric) => metric.service === service && metric.name === name)?.values[0]
    },
    /**
     * Waits until each service has exported its metrics `times` more times. Spans are exported five times as often, so after two exports
     * of metrics all spans that ended before the call are exported. A service that has received no request exports no metrics.
     */
    async whenExported(services: readonly string[], times: number): Promise<void> {
      const before = services.map((service) => exportsOf.get(service) ?? 0)
      await until(`${times} exports of ${services.join(', ')}`, () =>
        services.every((service, at) => (exportsOf.get(service) ?? 0) >= before[at]! + times) ? true : undefined,
      )
    },
    /** Settings of a stack whose services export every trace to this collector, at short intervals. */
    environment: {
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '200',
      OTEL_METRIC_EXPORT_INTERVAL: '1000',
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type Collector = Awaited<ReturnType<typeof startCollector>>

const readAttributes = (attributes: Attribute[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

const serviceOf = ({ resource }: Resource): string => String(readAttributes(resource.attributes)['service.name'])

const readSpans = ({ resourceSpans = [] }: Traces): ExportedSpan[] =>
  resourceSpans.flatMap((resource) =>
    resource.scopeSpans.flatMap(({ scope, spans }) =>
      spans.map(
        ({
          traceId,
          spanId,
          parentSpanId,
          name,
          kind,
          attributes,
          links,
          startTimeUnixNano,
          endTimeUnixNano,
          status,
        }) => ({
          service: serviceOf(resource),
          scope: scope.name,
          traceId,
          spanId,
          name,
          kind,
          parentSpanId: parentSpanId ?? '',
          attributes: readAttributes(attributes),
          links: (links ?? []).map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
          startedAtMs: Number(BigInt(startTimeUnixNano) / 1_000n) / 1_000,
          durationMs: Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6,
          hasFailed: status?.code === 2,
        }),
      ),
    ),
  )

const readMetrics = ({ resourceMetrics = [] }: Metrics): ExportedMetric[] =>
  resourceMetrics.flatMap((resource) =>
    resource.scopeMetrics.flatMap(({ metrics }) =>
      metrics.map((metric) => {
        const points = [metric.sum, metric.gauge, metric.histogram].flatMap((each) => each?.dataPoints ?? [])
        return {
          service: serviceOf(resource),
          name: metric.name,
          attributes: points.map(({ attributes }) => readAttributes(attributes)),
          values: points.map(({ asInt, asDouble }) => (metric.histogram ? undefined : Number(asInt ?? asDouble))),
        }
      }),
    ),
  )
