// Draws traces as SVG waterfalls, like a trace viewer: one row per span, parents above their children. Pure.
import type { ExportedSpan } from '../../harness/stack/otlp-collector.js'

const ROW = 20
const HEAD = 44
const LABELS = 430
const WIDTH = 1_100
const BAR_MIN = 2
const COLOURS: Readonly<Record<string, string>> = {
  gateway: '#3b5bdb',
  contract: '#2b8a3e',
  signing: '#862e9c',
  notification: '#c2410c',
}

/** @param traces the root span of each trace @param spans contains the descendants of the root spans */
export function drawTraces(
  traces: readonly { title: string; root: ExportedSpan }[],
  spans: readonly ExportedSpan[],
): string {
  let top = HEAD
  const parts: string[] = []
  for (const { title, root } of traces) {
    const rows = rowsBelow(root, spans, 0)
    const endMs = Math.max(...rows.map(({ span }) => span.startedAtMs + span.durationMs)) - root.startedAtMs
    parts.push(
      text(0, top, `${title}: ${rows.length} spans, ${Math.round(endMs)} ms`, 'font-weight="600" font-size="14"'),
    )
    top += 12
    for (const { span, depth } of rows) {
      const x = LABELS + ((span.startedAtMs - root.startedAtMs) / endMs) * (WIDTH - LABELS - 60)
      const width = Math.max(BAR_MIN, (span.durationMs / endMs) * (WIDTH - LABELS - 60))
      const colour = COLOURS[span.service] ?? '#495057'
      parts.push(
        text(depth * 10, top + 14, `${span.service}  ${span.name}`, `fill="${colour}"`),
        `<rect x="${x.toFixed(1)}" y="${top + 4}" width="${width.toFixed(1)}" height="12" rx="2" fill="${colour}"/>`,
        text(x + width + 4, top + 14, `${span.durationMs.toFixed(1)} ms`, 'fill="#495057" font-size="10"'),
      )
      top += ROW
    }
    top += HEAD
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-16 0 ${WIDTH + 32} ${top}" font-family="sans-serif" font-size="12" role="img">`,
    '<title>Two traces, from a request to the last mail that it causes</title>',
    `<rect x="-16" width="${WIDTH + 32}" height="${top}" fill="#ffffff"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n')
}

interface Row {
  span: ExportedSpan
  depth: number
}

/** Omits the spans of Postgres queries, because most spans are queries, and none is a step between services. */
function rowsBelow(span: ExportedSpan, spans: readonly ExportedSpan[], depth: number): Row[] {
  const children = spans
    .filter(({ traceId, parentSpanId }) => traceId === span.traceId && parentSpanId === span.spanId)
    .filter(({ name }) => !name.startsWith('pg'))
    .toSorted((left, right) => left.startedAtMs - right.startedAtMs)
  return [{ span, depth }, ...children.flatMap((child) => rowsBelow(child, spans, depth + 1))]
}

const text = (x: number, y: number, content: string, attributes: string): string =>
  `<text x="${x.toFixed(1)}" y="${y}" ${attributes}>${content.replace(/[&<>]/g, (each) => `&#${each.charCodeAt(0)};`)}</text>`
