// I13: a mail belongs to the trace of the call that caused it: an event and the mails that it caused have the same trace.
// Cannot see: spans. Leaves out events that waited for an hour: they start a new trace with a link that no row records.
// Reads deliveries before the outbox.
import type { Found, Looks, Scope, TableCheck, Violation } from '../check.js'
import { add, listed, LISTED_MAX, recordViolation } from '../violations.js'

const CHUNK = 500
/** Less than the hour after which a consumer starts a new trace. */
const SAME_TRACE_MS = 3_000_000
const TRACEPARENT = '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'

interface Created {
  key: string
  traceparent: string
  publishedAt: Date | null
}

export const mailsKeepTheirTrace: TableCheck = {
  invariants: ['I13'],
  compares: 'the trace of each event contract.created with that of its invitations',
  parts: [{ reads: ['notification', 'contract'], look }],
}

async function look(looks: Looks, { since, contractId }: Scope): Promise<Found> {
  const looked = { 'events with a trace': 0, invitations: 0 }
  const found: Found = { looked, violations: [] }
  const broken = (subject: string, fault: string): Violation => ({ invariant: 'I13', kind: 'broken', subject, fault })
  const malformed = await looks.contract.query<{ key: string; all: number }>(
    `select key, count(*) over ()::int as all from outbox
        where traceparent is not null and traceparent !~ $1 and ($2::timestamptz is null or occurred_at >= $2)
          and ($3::text is null or key = $3) group by key order by key limit ${LISTED_MAX}`,
    [TRACEPARENT, since ?? null, contractId ?? null],
  )
  add(found, { looked: {}, ...listed(malformed, ({ key }) => broken(key, 'has an event with a malformed trace')) })
  let chunk: Created[] = []
  const flush = async (): Promise<void> => {
    const created = new Map(chunk.map((row) => [row.key, row]))
    const mails = await looks.notification.query<{ contractId: string; traceparent: string | null; createdAt: Date }>(
      `select contract_id as "contractId", traceparent, created_at as "createdAt" from delivery
          where contract_id = any($1) and kind = 'invitation' and send_number = 1`,
      [[...created.keys()]],
    )
    looked['events with a trace'] += chunk.length
    looked.invitations += mails.length
    for (const mail of mails) {
      const event = created.get(mail.contractId)!
      const waitedMs = mail.createdAt.getTime() - (event.publishedAt?.getTime() ?? 0)
      if (mail.traceparent === null)
        recordViolation(found, [broken(mail.contractId, 'has an invitation without the trace of its creation')])
      else if (waitedMs < SAME_TRACE_MS && traceIdOf(mail.traceparent) !== traceIdOf(event.traceparent))
        recordViolation(found, [broken(mail.contractId, 'has an invitation whose trace differs from its creation')])
    }
    chunk = []
  }
  const events = looks.contract.stream<Created & Record<string, unknown>>(
    `select key, traceparent, published_at as "publishedAt" from outbox
        where type = 'contract.created' and traceparent ~ $3 and published_at is not null
          and ($1::timestamptz is null or occurred_at >= $1) and ($2::text is null or key = $2)`,
    [since ?? null, contractId ?? null, TRACEPARENT],
  )
  for await (const event of events) {
    chunk.push(event)
    if (chunk.length === CHUNK) await flush()
  }
  if (chunk.length > 0) await flush()
  return found
}

const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35)
