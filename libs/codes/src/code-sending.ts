// Pushes each code to the notification service, after the answer to the browser, until it is accepted or expired, then wipes it. [D42]
// The row of a stranger (an address of no party) is processed without a mail, so that a request costs the same for everybody.
import { elementAt } from '@paraph/protocol/element-at'
import { sql, type Kysely, type QueryExecutorProvider, type Transaction } from 'kysely'
import type { Readings } from '@paraph/background/row-gauges'
import { createTaskQueue, QUEUED_COLUMNS, type QueuedTask, type TaskTable } from '@paraph/messaging/task-queue'
import { failPoint } from '@paraph/testing/fail-point'
import { unseal, type Keyring } from '@paraph/config/keyring'
import type { Logger } from '@paraph/telemetry/logger'
import type { CodeTables } from './code-tables.js'
import { CODE_TTL_SECONDS } from './send-limits.js'

/** Pause between two searches for expired codes. No claim takes an expired one. */
const EXPIRE_EVERY_MS = 15_000
/** The longest duration of a push, because calls between services time out after 5 s. */
const PUSH_SECONDS = 5

interface CodeTask extends QueuedTask {
  id: string
  scope: string
  mailbox: string
  recipient: string | null
  codeSealed: Buffer
  codeKeyId: string
  secondsLeft: number
}

// A code that was requested before the clock was set back has no more time left than a new one: the receiver refuses more. [F32]
const QUEUE: TaskTable = {
  table: 'code_send',
  lease: { column: 'leased_until', seconds: 12 },
  due: sql`finished_at is null and expires_at > clock_timestamp()`,
  order: sql`created_at`,
  batch: 16,
  columns: sql`id, scope, mailbox, recipient, code_sealed as "codeSealed", code_key_id as "codeKeyId", ${QUEUED_COLUMNS},
    least(extract(epoch from expires_at - clock_timestamp()), ${CODE_TTL_SECONDS})::float8 as "secondsLeft"`,
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
  /** The scope's name in a span; without this function, a span does not name the scope. */
  subjectOf?: (scope: string) => string
  /** Pushes a code; if it rejects, the push is retried. */
  push: (code: CodeToPush) => Promise<unknown>
  /** Runs when a party's code was accepted, in the transaction that wipes the code. */
  onPushed?: (trx: Transaction<Tables>, pushed: { id: string; scope: string }) => Promise<void>
  /** Runs after the transaction that wipes the code. */
  afterPushed?: () => void
  logger: Logger
}

/** The loop that pushes codes. After a failed push, a code waits until its lease ends, and does not block other codes. */
export function createCodeSending<Tables extends CodeTables>(deps: CodeSendingDeps<Tables>) {
  const { database, codeKeys, subjectOf, push, logger } = deps
  let expiredAtMs = -Infinity

  async function expireNowAndThen(): Promise<void> {
    if (performance.now() - expiredAtMs < EXPIRE_EVERY_MS) return
    await expireCodes(database)
    expiredAtMs = performance.now()
  }

  async function send({ id, scope, mailbox, recipient, ...sealed }: CodeTask): Promise<void> {
    failPoint('code.claimed')
    if (recipient === null) return finish(id, scope, 'stranger')
    const code = unseal(codeKeys, { keyId: sealed.codeKeyId, bytes: sealed.codeSealed }, id)
    // A duration, because the clocks of two databases may differ, minus the time of the push. A code with no time left would arrive too
    // late, so it is not pushed, and a later round expires it.
    const lapsesInSeconds = sealed.secondsLeft - PUSH_SECONDS
    if (lapsesInSeconds <= 0) return
    await push({ id, scope, mailbox, recipient, code, lapsesInSeconds })
    failPoint('code.pushed')
    await finish(id, scope, 'pushed')
    failPoint('code.committed')
    deps.afterPushed?.()
  }

  /** Wipes the code and records its outcome. */
  async function finish(id: string, scope: string, outcome: 'pushed' | 'stranger'): Promise<void> {
    await database.transaction().execute(async (trx) => {
      const { rows } = await sql`
        update code_send set finished_at = clock_timestamp(), outcome = ${outcome}, code_sealed = null
         where id = ${id} and finished_at is null returning id`.execute(trx)
      if (outcome !== 'pushed') return
      if (rows.length > 0) await deps.onPushed?.(trx, { id, scope })
      failPoint('code.wiped')
    })
  }

  return createTaskQueue<CodeTask>({
    database,
    queue: QUEUE,
    prepare: expireNowAndThen,
    span: 'push code',
    subjectOf: subjectOf && (({ scope }) => subjectOf(scope)),
    perform: send,
    onFailure: (error, { id }, waitMs) =>
      logger.warn({ err: error, codeId: id, retryInMs: waitMs }, 'could not push a one-time code; retrying'),
    failureMessage: 'could not push one-time codes; they stay queued until they expire',
    logger,
  })
}

/** Wipes the codes that were not pushed within their ten minutes; an expired code is never sent. */
async function expireCodes(database: QueryExecutorProvider): Promise<void> {
  await sql`
    update code_send set finished_at = clock_timestamp(), outcome = 'lapsed', code_sealed = null
     where finished_at is null and expires_at <= clock_timestamp()`.execute(database)
}

/**
 * Counts the codes that are not pushed yet, for a gauge that names no mailbox and no code. [I14]
 * The rows of strangers count too, because they leave the queue in the same way.
 */
export const collectCodeGauges = (database: QueryExecutorProvider) => async (): Promise<Readings> => {
  const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from code_send where finished_at is null`.execute(database)
  return { 'paraph.code.waiting': elementAt(rows, 0).waiting }
}
