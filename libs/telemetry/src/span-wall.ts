// The second wall: whatever an instrumentation puts into a span or a metric, only this leaves the process. Pure. [I14]
// Fails closed: what is not on the list is dropped, what looks like a secret or an address is hidden, errors never leave.
// The first wall is that nothing of the kind gets in (register.ts, trace-context.ts).

/** What may be told, and of which no value is ever a person's, a client's or a secret. */
export const TELLABLE: ReadonlySet<string> = new Set([
  ...[
    'http.request.method',
    'http.response.status_code',
    'http.route',
    'url.scheme',
    'url.path',
    'url.full',
    'url.template',
  ],
  ...['server.address', 'server.port', 'network.protocol.version', 'error.type'],
  ...['db.system.name', 'db.namespace', 'db.operation.name', 'db.query.text'],
  ...['messaging.operation.name', 'messaging.destination.name', 'messaging.consumer.group.name'],
  ...['messaging.batch.message_count', 'paraph.subject', 'paraph.attempt', 'paraph.outcome', 'paraph.rule'],
  ...['paraph.invariant', 'paraph.kind', 'paraph.reason', 'paraph.tier', 'paraph.environment', 'paraph.lane'],
  ...['paraph.from', 'paraph.to', 'paraph.loop', 'paraph.pool', 'paraph.state'],
  ...['v8js.heap.space.name', 'v8js.gc.type'],
  // Which part of OpenTelemetry's SDK speaks of itself.
  'otel.component.type',
])

/** An address, an API key, or as many random characters in a row as a share token has. */
const SUSPICIOUS = /@|paraph_(?:live|test)_|[A-Za-z0-9_-]{40}/
const HIDDEN = '[redacted]'
/** A string in single quotes or between dollars; parameters are `$1` and stay. */
const LITERAL = /'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$/g

/** The attributes that may leave. */
export function tellable<Value>(attributes: Readonly<Record<string, Value>>): Record<string, Value> {
  const told: Record<string, Value> = {}
  for (const [name, value] of Object.entries(attributes)) {
    if (TELLABLE.has(name)) told[name] = (typeof value === 'string' ? tellText(name, value) : value) as Value
  }
  return told
}

/** A span's name, where it looks harmless. */
export const tellName = (name: string): string => (SUSPICIOUS.test(name) ? HIDDEN : name)

function tellText(name: string, text: string): string {
  // The text of a statement is ours and has long names; values are parameters, and where one is not, it is a literal.
  if (name === 'db.query.text') return text.replace(LITERAL, '?').replace(/\s+/g, ' ').trim()
  return SUSPICIOUS.test(text) ? HIDDEN : text
}
