// Pushes codes to notification after the answer, until acknowledged or lapsed, and wipes them then. [D42]
// Strangers' rows go the same way but to nobody, so that asking costs the same for everybody.
import { sql, type Kysely, type Transaction } from 'kysely'
import { continueTrace } from '@paraph/messaging/trace'
import { allAtOnce } from '@paraph/service/at-once'
import { failPoint } from '@paraph/service/fail-point'
import { createLoop } from '@paraph/service/loop'
import { unseal, type Keyring } from '@paraph/service/keyring'
import type { Logger } from '@paraph/telemetry/logger'
import { codeTablesOf, type CodeTables } from './code-tables.js'

const POLL_MS = 1_000
/** The call of a push ends within this: a service's calls are given 5 s. */
const PUSH_SECONDS = 5
/** After this the row is tried again, by whichever worker comes first. */
const LEASE_SECONDS = 12
const BATCH = 16

interface Waiting {
  id: string
  scope: string
  mailbox: string
  recipient: string | null
  code_sealed: Buffer
  code_key_id: string
  seconds_left: number
  age_ms: number
  traceparent: string | null
}

/** A code on its way to the one who takes it. */
export interface CodeToPush {
  /** Taken again under the same id, it is one mail. */
  id: string
  scope: string
  mailbox: string
  recipient: string
  code: string
  lapsesInSeconds: number
}

/**
 * The loop that pushes codes; `sendWaiting` is one round of it.
 * @param subjectOf what a span may call the scope; without it a span does not name it
 * @param push hands a code over; what it throws is tried again
 * @param onTaken a real code was taken, in the transaction that wipes it
 * @param afterTaken after that transaction
 */
export function createCodeSending<Tables extends CodeTables>({
  database,
  codeKeys,
  subjectOf,
  push,
  onTaken,
  afterTaken,
  logger,
}: {
  database: Kysely<Tables>
  codeKeys: Keyring
  subjectOf?: (scope: string) => string
  push: (code: CodeToPush) => Promise<unknown>
  onTaken?: (trx: Transaction<Tables>, taken: { id: string; scope: string }) => Promise<void>
  afterTaken?: () => void
  logger: Logger
}) {
  /**
   * One round over what waits. A row that cannot be sent waits for its lease to end; it does not hold up the others.
   * @returns true when more may wait
   * @throws what stopped them when not one could be sent
   */
  async function sendWaiting(): Promise<boolean> {
    await lapse()
    const rows = await claim()
    if (rows.length > 0) failPoint('code.claimed')
    await allAtOnce(rows, sendTraced, (error, { id }) =>
      logger.warn({ err: error, codeId: id }, 'a code was not sent yet'),
    )
    return rows.length === BATCH
  }

  const sendTraced = (row: Waiting): Promise<void> =>
    continueTrace(
      {
        name: 'push code',
        attributes: subjectOf ? { 'paraph.subject': subjectOf(row.scope) } : {},
        traceparent: row.traceparent,
        ageMs: row.age_ms,
      },
      () => send(row),
    )

  async function send(row: Waiting): Promise<void> {
    const { id, scope, mailbox, recipient } = row
    if (recipient === null) return settle(row, 'stranger')
    const code = unseal(codeKeys, { keyId: row.code_key_id, bytes: row.code_sealed }, id)
    // A span, for two databases' clocks need not agree; the push's own time is taken off it. What is left of a life that is nearly over
    // would reach nobody in time: the next round ends it.
    const lapsesInSeconds = row.seconds_left - PUSH_SECONDS
    if (lapsesInSeconds <= 0) return
    await push({ id, scope, mailbox, recipient, code, lapsesInSeconds })
    failPoint('code.pushed')
    await settle(row, 'pushed')
    failPoint('code.committed')
    afterTaken?.()
  }

  /** Wipes the code. Waits for nobody. */
  async function settle({ id, scope }: Waiting, outcome: 'pushed' | 'stranger'): Promise<void> {
    await database.transaction().execute(async (trx) => {
      const done = await codeTablesOf(trx)
        .updateTable('code_send')
        .set({ settled_at: sql<Date>`clock_timestamp()`, outcome, code_sealed: null })
        .where('id', '=', id)
        .where('settled_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      if (done && outcome === 'pushed') await onTaken?.(trx, { id, scope })
      if (outcome === 'pushed') failPoint('code.wiped')
    })
  }

  async function claim(): Promise<Waiting[]> {
    const { rows } = await sql<Waiting>`
      update code_send set leased_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
       where id in (select id from code_send
                     where settled_at is null and expires_at > clock_timestamp()
                       and (leased_until is null or leased_until < clock_timestamp())
                     order by created_at limit ${BATCH} for update skip locked)
      returning id, scope, mailbox, recipient, code_sealed, code_key_id, traceparent,
                extract(epoch from expires_at - clock_timestamp())::float8 as seconds_left,
                (extract(epoch from clock_timestamp() - created_at) * 1000)::float8 as age_ms`.execute(database)
    return rows
  }

  /** A code that nobody took in its ten minutes is wiped and never sent stale. */
  async function lapse(): Promise<void> {
    await sql`
      update code_send set settled_at = clock_timestamp(), outcome = 'lapsed', code_sealed = null
       where settled_at is null and expires_at <= clock_timestamp()`.execute(database)
  }

  const loop = createLoop({
    work: sendWaiting,
    pauseMs: POLL_MS,
    trouble: 'codes cannot be sent at the moment; they wait',
    logger,
  })
  return { ...loop, sendWaiting }
}
