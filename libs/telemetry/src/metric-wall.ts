// The allow-list of metrics: only those of metric-list.ts leave the process, with the attributes that span-wall.ts allows. [I14]
import {
  AggregationType,
  type MetricData,
  type PushMetricExporter,
  type ResourceMetrics,
  type ViewOptions,
} from '@opentelemetry/sdk-metrics'
import { LIBRARY_METRICS, METRICS, prometheusName, type Metric } from './metric-list.js'
import { allowedAttributes } from './span-wall.js'

const LISTED: ReadonlyMap<string, Metric> = new Map(Object.entries<Metric>({ ...METRICS, ...LIBRARY_METRICS }))

/** The buckets of the convention, and one more for our promise to answer reads within 200 ms. */
const HTTP_BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.2, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** One view per listed metric: two matching views would export it twice. */
export const LISTED_VIEWS: readonly ViewOptions[] = [...LISTED.keys()].map((instrumentName) => ({
  instrumentName,
  attributesProcessors: [{ process: allowedAttributes }],
  ...(instrumentName === 'http.server.request.duration' && {
    aggregation: { type: AggregationType.EXPLICIT_BUCKET_HISTOGRAM, options: { boundaries: HTTP_BOUNDARIES } },
  }),
}))

/** Passes only listed metrics to `exporter`. */
export function listedOnly(exporter: PushMetricExporter): PushMetricExporter {
  return {
    export: (collected, done) =>
      exporter.export(
        mapMetrics(collected, (metric) => metric),
        done,
      ),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
    ...(exporter.selectAggregation && { selectAggregation: exporter.selectAggregation.bind(exporter) }),
    ...(exporter.selectAggregationTemporality && {
      selectAggregationTemporality: exporter.selectAggregationTemporality.bind(exporter),
    }),
  }
}

/** The listed metrics under the names that Prometheus gives to OTLP metrics: the library's serializer omits the units. */
export const namedForPrometheus = (collected: ResourceMetrics): ResourceMetrics =>
  mapMetrics(collected, (metric, { kind, unit }) => ({
    ...metric,
    descriptor: { ...metric.descriptor, name: prometheusName(metric.descriptor.name, { kind, unit }) },
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
