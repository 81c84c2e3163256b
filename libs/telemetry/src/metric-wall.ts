// What leaves the process as metrics: those of the list and no others. [I14, B.6]
// Attributes pass span-wall.ts on their way in; whole metrics stop here that nobody has listed.
import {
  AggregationType,
  type MetricData,
  type PushMetricExporter,
  type ResourceMetrics,
  type ViewOptions,
} from '@opentelemetry/sdk-metrics'
import { LIBRARY_METRICS, METRICS, prometheusName, type Metric } from './metric-list.js'
import { tellable } from './span-wall.js'

const LISTED: ReadonlyMap<string, Metric> = new Map(Object.entries<Metric>({ ...METRICS, ...LIBRARY_METRICS }))

/** The convention's buckets, and one that ends where a promise does: readings within 200 ms. [B.5] */
const HTTP_BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.2, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** One view for each metric of the list: two that fit one metric would tell it twice. What is not listed needs none. */
export const LISTED_VIEWS: readonly ViewOptions[] = [...LISTED.keys()].map((instrumentName) => ({
  instrumentName,
  attributesProcessors: [{ process: tellable }],
  ...(instrumentName === 'http.server.request.duration' && {
    aggregation: { type: AggregationType.EXPLICIT_BUCKET_HISTOGRAM, options: { boundaries: HTTP_BOUNDARIES } },
  }),
}))

/** An exporter that is given only what is listed. */
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

/** What is listed, under the names that Prometheus gives to what it gets by OTLP: the library's text leaves the units out. */
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
