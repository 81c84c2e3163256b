// Records the metrics of metric-list.ts, by name. Nearly free while no metrics are collected: OpenTelemetry's API is a no-op then.
// Owns: each instrument is created once, as the list describes it. attribute-allow-list.ts and register.ts own the export.
import { metrics, type Attributes, type Counter, type Histogram } from '@opentelemetry/api'
import { METRICS, type MetricName } from './metric-list.js'

type OfKind<Kind> = { [Name in MetricName]: (typeof METRICS)[Name]['kind'] extends Kind ? Name : never }[MetricName]
/** All attributes of a metric. */
type AttributesOf<Name extends MetricName> = Readonly<Record<keyof (typeof METRICS)[Name]['attributes'], string>>

const BOUNDARIES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60, 300, 3_600]

const counters = new Map<MetricName, Counter>()
const histograms = new Map<MetricName, Histogram>()

const meter = () => metrics.getMeter('paraph')
const descriptionOf = (name: MetricName) => ({ unit: METRICS[name].unit, description: METRICS[name].description })

/** Adds `by` to a counter. */
export function count<Name extends OfKind<'counter'>>(name: Name, attributes: AttributesOf<Name>, by = 1): void {
  let counter = counters.get(name)
  if (!counter) counters.set(name, (counter = meter().createCounter(name, descriptionOf(name))))
  counter.add(by, attributes as Attributes)
}

/** Records a duration in a histogram. @param seconds a negative value, from two clocks that differ, counts as 0 */
export function measure<Name extends OfKind<'histogram'>>(
  name: Name,
  seconds: number,
  attributes: AttributesOf<Name>,
): void {
  let histogram = histograms.get(name)
  if (!histogram) {
    const advice = { explicitBucketBoundaries: BOUNDARIES }
    histograms.set(name, (histogram = meter().createHistogram(name, { ...descriptionOf(name), advice })))
  }
  histogram.record(Math.max(0, seconds), attributes as Attributes)
}

/** The current value of a gauge: one number, several with attributes, or none. */
export type Reading<Name extends MetricName> =
  | { value: number; attributes: AttributesOf<Name> }[]
  // A plain number only for a gauge without attributes.
  | (keyof AttributesOf<Name> extends never ? number | undefined : undefined)

/** Registers `read`, which every collection calls: it must be fast and do no I/O. @returns unregisters it */
export function observe<Name extends OfKind<'gauge'>>(name: Name, read: () => Reading<Name>): () => void {
  const gauge = meter().createObservableGauge(name, descriptionOf(name))
  const report = (observer: { observe: (value: number, attributes?: Attributes) => void }): void => {
    const reading: number | undefined | { value: number; attributes: object }[] = read()
    if (typeof reading === 'number') observer.observe(reading)
    else for (const { value, attributes } of reading ?? []) observer.observe(value, attributes as Attributes)
  }
  gauge.addCallback(report)
  return () => gauge.removeCallback(report)
}
