// Chains the entries of the audit log by hash and writes one log line for each, so that a copy exists outside the database. [P35]
// A loop does so after the commits, so that no request waits for the lock of the chain.
import { createHmac } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { createLoop } from '@paraph/background/loop'
import { AUDIT_GENESIS, auditColumns, auditHash, type AuditRow } from '@paraph/database/audit-chain'
import type { Logger } from '@paraph/telemetry/logger'
import type { GatewayDatabase } from '../database.js'

const BATCH = 100
const PAUSE_MS = 5_000
/** Ids commit out of order: a round looks for entries this far behind the newest chained one. I15 would show an entry later than that. */
const LATE_IDS = 10_000

interface AuditChainDeps {
  database: Kysely<GatewayDatabase>
  /** Key of the tags that stand for mailboxes in log lines. */
  secret: string
  logger: Logger
}

/** The loop of the chain. Every replica runs it; a lock lets one at a time append. */
export function createAuditChain({ database, secret, logger }: AuditChainDeps) {
  const next = (): Promise<boolean> =>
    database.transaction().execute(async (trx) => {
      const lock = sql<{ isOurs: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended('audit chain', 0)) as "isOurs"`
      if (!(await lock.execute(trx)).rows[0]?.isOurs) return false
      const { rows } = await sql<AuditRow & { mailbox: string | null }>`
        select ${sql.raw(auditColumns('audit_digest(e)'))}, e.mailbox from audit_entry e
         where e.id > (select coalesce(max(entry_id), 0) from audit_chain) - ${LATE_IDS}
           and not exists (select from audit_chain c where c.entry_id = e.id)
         order by e.id limit ${BATCH}`.execute(trx)
      if (rows.length === 0) return false
      const last = await trx
        .selectFrom('audit_chain')
        .select(['sequence', 'hash'])
        .orderBy('sequence', 'desc')
        .limit(1)
        .executeTakeFirst()
      let { sequence, hash: previous } = last ?? { sequence: 0, hash: AUDIT_GENESIS }
      const links = rows.map((row) => {
        sequence += 1
        const link = { sequence, entry_id: row.id, previous, hash: auditHash(row, sequence, previous) }
        previous = link.hash
        return link
      })
      await trx.insertInto('audit_chain').values(links).execute()
      // Before the commit: after a crash here the lines are written a second time instead of never.
      for (const [index, { id, act, accountId, actor, subject, mailbox }] of rows.entries()) {
        const by = mailbox === null ? {} : { mailboxTag: mailboxTag(secret, mailbox) }
        const { sequence, hash } = links[index] ?? {}
        logger.info({ audit: { sequence, hash, entry: id, act, accountId, actor, subject, ...by } }, 'audit entry')
      }
      return rows.length === BATCH
    })
  const loop = createLoop({
    name: 'audit chain',
    work: next,
    pauseMs: PAUSE_MS,
    failureMessage: 'could not chain audit entries; retrying with back-off',
    logger,
  })
  return { ...loop, next }
}

/**
 * Stands for a mailbox in log lines: equal for equal mailboxes. Keyed, because whoever reads logs could guess the address behind a plain
 * hash. @returns 16 hex digits
 */
export const mailboxTag = (secret: string, mailbox: string): string =>
  createHmac('sha256', secret).update(`audit mailbox\n${mailbox}`).digest('hex').slice(0, 16)
