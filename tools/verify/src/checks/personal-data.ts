// Checks I14: events, and the rows that derive from events, contain no email address and no share token. Searches for shapes, because it
// knows no address or token: an `@`, or exactly 43 consecutive characters of base64url. Names the row, never its content.
// Cannot detect: one-time codes (any six digits look like one), names, and data outside databases (logs, spans).
import { SERVICES } from '@paraph/protocol/services'
import { listed, LISTED_MAX, type Found, type Scope, type TableCheck } from '../check.js'
import { CONSUMERS } from '../rows/outboxes.js'
import type { Sessions, Source } from '../sessions.js'

const CONSUMING = CONSUMERS.map(({ service }) => service)
/** Per table: its databases, the searched columns, SQL for the name of a row, and the column with the time of the row. */
const PLACES: readonly { sources: readonly Source[]; table: string; text: string; name: string; at: string }[] = [
  { sources: SERVICES, table: 'outbox', text: 'key, type, traceparent, data', name: 'id', at: 'occurred_at' },
  { sources: CONSUMING, table: 'inbox', text: 'event_id', name: 'event_id', at: 'received_at' },
  { sources: CONSUMING, table: 'dead_letter', text: 'key, headers, value, reason', name: 'id', at: 'dead_at' },
  {
    sources: ['notification'],
    table: 'delivery',
    text: 'request_id, outcome, traceparent',
    name: 'id',
    at: 'created_at',
  },
  {
    sources: ['bus'],
    table: 'bus.message',
    text: 'key, headers, value',
    name: "topic || '/' || partition || '/' || message_offset",
    at: 'published_at',
  },
]
const SHAPE = '@|(^|[^A-Za-z0-9_-])[A-Za-z0-9_-]{43}($|[^A-Za-z0-9_-])'

export const noPersonalDataInEvents: TableCheck = {
  invariants: ['I14'],
  compares:
    'outboxes, inboxes, dead letters, outcomes of mails and the embedded bus with the shapes of an address and a token',
  parts: PLACES.flatMap((place) =>
    place.sources.map((source) => ({
      reads: [source],
      check: (sessions: Sessions, scope: Scope) => searchTable(place, source, sessions, scope),
    })),
  ),
}

async function searchTable(
  { table, text, name, at }: (typeof PLACES)[number],
  source: Source,
  { [source]: session }: Sessions,
  { since }: Scope,
): Promise<Found> {
  if (!session) return { counts: {}, violations: [] }
  const isSuspect = `concat_ws(' ', ${text}) ~ $1`
  const [row] = await session.query<{ rows: number; all: number; suspects: string[] | null }>(
    `select count(*)::int as rows, count(*) filter (where ${isSuspect})::int as all,
            (array_agg(${name}::text) filter (where ${isSuspect}))[:${LISTED_MAX}] as suspects
       from ${table} where $2::timestamptz is null or ${at} >= $2`,
    [SHAPE, since],
  )
  const { rows = 0, all = 0, suspects } = row ?? {}
  const subjects = (suspects ?? []).map((id) => `${source} ${table} ${id}`)
  return {
    counts: { [`${source} ${table}`]: rows },
    ...listed(subjects, all, 'I14', 'contains text shaped like an address or a token'),
  }
}
