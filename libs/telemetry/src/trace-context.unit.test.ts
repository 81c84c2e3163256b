import { trace } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { inOwnTrace } from './trace-context.js'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const [KEPT, NOT_KEPT] = ['01', '00'].map((flags) => `00-${TRACE}-b7ad6b7169203331-${flags}`)
const exporter = new InMemorySpanExporter()

beforeAll(() => {
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }))
})
beforeEach(() => exporter.reset())
afterAll(() => trace.disable())

/** Runs a batch of items with these contexts. @returns the trace ids to which its span links; undefined without a span */
async function linksOf(causes?: (string | null)[]): Promise<string[] | undefined> {
  const batch = causes === undefined ? { name: 'batch' } : { name: 'batch', causes }
  expect(await inOwnTrace(batch, () => Promise.resolve('done'))).toBe('done')
  return exporter.getFinishedSpans()[0]?.links.map(({ context }) => context.traceId)
}

it('a batch has a trace of its own, with a link to each trace that is kept [D51]', async () => {
  expect(await linksOf([KEPT!, NOT_KEPT!, null])).toEqual([TRACE])
})

it('a batch that no kept trace has caused is not traced, but runs [D51]', async () => {
  expect(await linksOf([NOT_KEPT!, null])).toBeUndefined()
  expect(await linksOf([])).toBeUndefined()
})

it('work without causes has a trace of its own [D51]', async () => {
  expect(await linksOf()).toEqual([])
})
