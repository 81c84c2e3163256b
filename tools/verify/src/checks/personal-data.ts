// I14: no e-mail address and no share token in events and what remains of them. By shape, because the checker knows neither: an `@`, or
// 43 isolated characters of base64url. Names the row, never its content.
// Cannot see: one-time codes (any six digits look like one), names, and data outside databases (logs, spans).
import type { Found, Looks, Scope, Source, TableCheck } from '../check.js'
import { listed, LISTED_MAX } from '../violations.js'

/** Table → the searched text, the name of a row, and the column of its age. */
const PLACES: readonly { sources: readonly Source[]; table: string; text: string; name: string; at: string }[] = [
  {
    sources: ['gateway', 'contract', 'signing', 'notification'],
    table: 'outbox',
    text: "concat_ws(' ', key, type, traceparent, data)",
    name: 'id',
    at: 'occurred_at',
  },
  {
    sources: ['gateway', 'signing', 'notification'],
    table: 'inbox',
    text: 'event_id',
    name: 'event_id',
    at: 'received_at',
  },
  {
    sources: ['gateway', 'signing', 'notification'],
    table: 'dead_letter',
    text: "concat_ws(' ', key, headers, value, reason)",
    name: 'id',
    at: 'dead_at',
  },
  {
    sources: ['notification'],
    table: 'delivery',
    text: "concat_ws(' ', request_id, outcome, traceparent)",
    name: 'id',
    at: 'created_at',
  },
  {
    sources: ['bus'],
    table: 'bus.message',
    text: "concat_ws(' ', key, headers, value)",
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
      look: (looks: Looks, scope: Scope) => searchTable(place, source, looks, scope),
    })),
  ),
}

async function searchTable(
  { table, text, name, at }: (typeof PLACES)[number],
  source: Source,
  looks: Looks,
  { since }: Scope,
): Promise<Found> {
  const look = looks[source]
  const [place] = look
    ? await look.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table])
    : []
  if (!look || !place?.there) return { looked: {}, violations: [] }
  const [row] = await look.query<{ rows: number; all: number; suspects: string[] | null }>(
    `select count(*)::int as rows, count(*) filter (where (${text}) ~ $1)::int as all,
            (array_agg(${name}::text) filter (where (${text}) ~ $1))[:${LISTED_MAX}] as suspects
       from ${table} where $2::timestamptz is null or ${at} >= $2`,
    [SHAPE, since ?? null],
  )
  const suspects = (row?.suspects ?? []).map((id) => ({ id, all: row?.all ?? 0 }))
  return {
    looked: { [`${source} ${table}`]: row?.rows ?? 0 },
    ...listed(suspects, ({ id }) => ({
      invariant: 'I14',
      kind: 'broken',
      subject: `${source} ${table} ${id}`,
      fault: 'contains text shaped like an address or a token',
    })),
  }
}
