// Counts the SQL statements of an act from its spans: those of its own, and those of the services that it calls and waits for. Pure.
import { SPAN_KIND, type ExportedSpan } from '../../harness/stack/otlp-collector.js'

/** Act → the largest number of its statements. `begin` and `commit` are counted. */
export const STATEMENTS_MAX: Readonly<Record<string, number>> = {
  'gateway POST /api/external/v2/contracts': 3,
  'gateway GET /contract/{shareToken}': 2,
  'gateway POST /contract/{shareToken}/code': 16,
  'gateway POST /contract/{shareToken}/code/{challenge}': 15,
  'gateway GET /contract/{shareToken}/review': 7,
  'gateway POST /contract/{shareToken}/sign': 12,
  'signing push code': 6,
  'signing process contract.events.v1': 4,
  'signing enter evidence': 12,
  'signing seal evidence': 13,
  'notification process contract.events.v1': 4,
  'notification send invitation mail': 3,
  'notification send code mail': 2,
  'notification send completed mail': 4,
}

/** @returns the statements of the act with this name that has most of them; undefined if no span has the name */
export function countStatements(act: string, spans: readonly ExportedSpan[]): string[] | undefined {
  const counts = spans
    .filter(({ service, name, kind }) => `${service} ${name}` === act && kind !== SPAN_KIND.client)
    .map((span) => statementsBelow(span, spans))
  return counts.sort((a, b) => b.length - a.length)[0]
}

function statementsBelow(span: ExportedSpan, spans: readonly ExportedSpan[]): string[] {
  const children = spans.filter(
    ({ traceId, parentSpanId, kind }) =>
      traceId === span.traceId &&
      parentSpanId === span.spanId &&
      (kind === SPAN_KIND.client || kind === SPAN_KIND.server),
  )
  return children.flatMap((child) => {
    if (!child.name.startsWith('pg.query')) return statementsBelow(child, spans)
    const text = String(child.attributes['db.query.text'] ?? child.attributes['db.statement'])
    // A new connection sends this statement, whatever the act is.
    return text.includes('pg_backend_pid') ? [] : [text.slice(0, 100)]
  })
}
