// Checks I13: a mail belongs to the trace of the call that caused it, so an event and its mails have the same trace.
// Cannot detect: wrong spans. Ignores events that waited for an hour: their mails have a new trace, whose link no row records.
// Reads the deliveries before the outbox.
import { add, broken, listBroken, record, type Found, type Scope, type TableCheck } from '../check.js'
import { inChunks } from '../rows/merge.js'
import type { Sessions } from '../sessions.js'

/** Less than the hour after which a consumer starts a new trace. */
const SAME_TRACE_MS = 3_000_000
const TRACEPARENT = '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'

interface Created extends Record<string, unknown> {
  key: string
  traceparent: string
  publishedAt: Date
}

export const mailsKeepTheirTrace: TableCheck = {
  invariants: ['I13'],
  compares: 'the trace of each event contract.created with that of its invitations',
  parts: [{ reads: ['notification', 'contract'], check: checkTraces }],
}

async function checkTraces(sessions: Sessions, { since, contractId }: Scope): Promise<Found> {
  const counts = { 'events with a trace': 0, invitations: 0 }
  const found: Found = { counts, violations: [] }
  const malformed = await listBroken(
    sessions.contract,
    'I13',
    'has an event with a malformed trace',
    `select key as subject from outbox
        where traceparent is not null and traceparent !~ $1 and ($2::timestamptz is null or occurred_at >= $2)
          and ($3::text is null or key = $3) group by key`,
    [TRACEPARENT, since, contractId],
  )
  add(found, malformed)
  const events = sessions.contract.stream<Created>(
    `select key, traceparent, published_at as "publishedAt" from outbox
        where type = 'contract.created' and traceparent ~ $3 and published_at is not null
          and ($1::timestamptz is null or occurred_at >= $1) and ($2::text is null or key = $2)`,
    [since, contractId, TRACEPARENT],
  )
  for await (const chunk of inChunks(events)) {
    const created = new Map(chunk.map((row) => [row.key, row]))
    const mails = await sessions.notification.query<{ id: string; traceparent: string | null; createdAt: Date }>(
      `select contract_id as id, traceparent, created_at as "createdAt" from delivery
          where contract_id = any($1) and kind = 'invitation' and send_number = 1`,
      [[...created.keys()]],
    )
    counts['events with a trace'] += chunk.length
    counts.invitations += mails.length
    for (const { id, traceparent, createdAt } of mails) {
      const event = created.get(id)
      const waitedMs = createdAt.getTime() - (event?.publishedAt.getTime() ?? 0)
      const isOther = waitedMs < SAME_TRACE_MS && traceIdOf(traceparent) !== traceIdOf(event?.traceparent)
      if (traceparent === null) record(found, broken('I13', id, 'has an invitation without the trace of its creation'))
      else if (isOther) record(found, broken('I13', id, 'has an invitation whose trace differs from its creation'))
    }
  }
  return found
}

const traceIdOf = (traceparent: string | null | undefined) => traceparent?.slice(3, 35)
