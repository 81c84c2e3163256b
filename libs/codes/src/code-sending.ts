// Pushes codes to the notification service after the answer, until accepted or expired, then wipes them. [D42]
// A stranger's row is processed too but goes to nobody, so that a request costs the same for everybody.
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely'
import { continueTrace } from '@paraph/messaging/trace'
import { settleAll } from '@paraph/background/settle-all'
import { failPoint } from '@paraph/testing/fail-point'
import { createLoop } from '@paraph/background/loop'
import { unseal, type Keyring } from '@paraph/config/keyring'
import type { Logger } from '@paraph/telemetry/logger'
import { codeTablesOf, type CodeTables } from './code-tables.js'

const POLL_MS = 1_000
/** A push ends within this: calls between services time out after 5 s. */
const PUSH_SECONDS = 5
/** After this any worker may take the row again. */
const LEASE_SECONDS = 12
const BATCH = 16

type QueuedCode = Omit<Selectable<CodeTables['code_send']>, 'code_sealed'> & {
  code_sealed: Buffer
  seconds_left: number
  age_ms: number
}

export interface CodeToPush {
  /** The receiver sends one mail for an id, however often it is pushed. */
  id: string
  scope: string
  mailbox: string
  recipient: string
  code: string
  lapsesInSeconds: number
}

export interface CodeSendingDeps<Tables> {
  database: Kysely<Tables>
  codeKeys: Keyring
  /** The scope's name in a span; without it a span does not name the scope. */
  subjectOf?: (scope: string) => string
  /** Hands a code over; a rejected push is retried. */
  push: (code: CodeToPush) => Promise<unknown>
  /** Runs when a party's code was accepted, in the transaction that wipes it. */
  onPushed?: (trx: Transaction<Tables>, pushed: { id: string; scope: string }) => Promise<void>
  /** Runs after that transaction. */
  afterPushed?: () => void
  logger: Logger
}

/** The loop that pushes codes; `sendWaiting` is one round of it. */
export function createCodeSending<Tables extends CodeTables>({
  database,
  codeKeys,
  subjectOf,
  push,
  onPushed,
  afterPushed,
  logger,
}: CodeSendingDeps<Tables>) {
  /**
   * Pushes one batch. A row that fails waits for its lease to end and does not block the others.
   * @returns true when more may wait
   * @throws the error of a push when every row failed
   */
  async function sendWaiting(): Promise<boolean> {
    await expireCodes(database)
    const rows = await claimCodes(database)
    if (rows.length > 0) failPoint('code.claimed')
    await settleAll(rows, sendTraced, (error, { id }) =>
      logger.warn({ err: error, codeId: id }, `could not push a one-time code; retrying in ${LEASE_SECONDS} s`),
    )
    return rows.length === BATCH
  }

  const sendTraced = (row: QueuedCode): Promise<void> =>
    continueTrace(
      {
        name: 'push code',
        attributes: subjectOf ? { 'paraph.subject': subjectOf(row.scope) } : {},
        traceparent: row.traceparent,
        ageMs: row.age_ms,
      },
      () => send(row),
    )

  async function send(row: QueuedCode): Promise<void> {
    const { id, scope, mailbox, recipient } = row
    if (recipient === null) return finish(row, 'stranger')
    const code = unseal(codeKeys, { keyId: row.code_key_id, bytes: row.code_sealed }, id)
    // A duration, because the clocks of two databases may differ; less the time of the push itself. A code with no time left
    // would arrive too late; the next round expires it.
    const lapsesInSeconds = row.seconds_left - PUSH_SECONDS
    if (lapsesInSeconds <= 0) return
    await push({ id, scope, mailbox, recipient, code, lapsesInSeconds })
    failPoint('code.pushed')
    await finish(row, 'pushed')
    failPoint('code.committed')
    afterPushed?.()
  }

  /** Wipes the code and records its outcome. */
  async function finish({ id, scope }: QueuedCode, outcome: 'pushed' | 'stranger'): Promise<void> {
    await database.transaction().execute(async (trx) => {
      const finished = await codeTablesOf(trx)
        .updateTable('code_send')
        .set({ settled_at: sql<Date>`clock_timestamp()`, outcome, code_sealed: null })
        .where('id', '=', id)
        .where('settled_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      if (finished && outcome === 'pushed') await onPushed?.(trx, { id, scope })
      if (outcome === 'pushed') failPoint('code.wiped')
    })
  }

  const loop = createLoop({
    work: sendWaiting,
    pauseMs: POLL_MS,
    trouble: 'could not push one-time codes; they stay queued until they expire',
    logger,
  })
  return { ...loop, sendWaiting }
}

async function claimCodes<Tables>(database: Kysely<Tables>): Promise<QueuedCode[]> {
  const { rows } = await sql<QueuedCode>`
    update code_send set leased_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
     where id in (select id from code_send
                   where settled_at is null and expires_at > clock_timestamp()
                     and (leased_until is null or leased_until < clock_timestamp())
                   order by created_at limit ${BATCH} for update skip locked)
    returning *, extract(epoch from expires_at - clock_timestamp())::float8 as seconds_left,
              (extract(epoch from clock_timestamp() - created_at) * 1000)::float8 as age_ms`.execute(database)
  return rows
}

/** Wipes the codes that were not pushed within their ten minutes; a stale code is never sent. */
async function expireCodes<Tables>(database: Kysely<Tables>): Promise<void> {
  await sql`
    update code_send set settled_at = clock_timestamp(), outcome = 'lapsed', code_sealed = null
     where settled_at is null and expires_at <= clock_timestamp()`.execute(database)
}
