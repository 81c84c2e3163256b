// Pushes codes to notification after the answer, until acknowledged or lapsed, and wipes them then. [D42]
// Strangers' rows go the same way but to nobody, so that asking costs the same for everybody.
import { sql, type Kysely } from 'kysely'
import { createLoop } from '@paraph/service/loop'
import { unseal, type Keyring } from '@paraph/service/keyring'
import type { Logger } from '@paraph/telemetry/logger'
import type { ContractClient } from './contract-client.js'
import type { ContractFacts } from './contract-facts.js'
import type { SigningDatabase } from './database.js'
import { append, openChain } from './evidence-chain.js'
import { Personal } from './evidence.js'
import type { NotificationClient } from './notification-client.js'

const POLL_MS = 1_000
/** The calls of a push end within 5 s each; after this the row is tried again, by whichever worker comes first. */
const LEASE_SECONDS = 12
const BATCH = 16

interface Waiting {
  id: string
  contract_id: string
  mailbox: string
  party_index: number | null
  code_sealed: Buffer
  code_key_id: string
  seconds_left: number
}

/** The loop that pushes codes; `sendWaiting` is one round of it. */
export function createCodeSending({
  database,
  codeKeys,
  contract,
  notification,
  logger,
}: {
  database: Kysely<SigningDatabase>
  codeKeys: Keyring
  contract: ContractClient
  notification: NotificationClient
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
    const results = await Promise.allSettled(rows.map(send))
    const failed = results.filter((result) => result.status === 'rejected')
    if (failed.length > 0 && failed.length === rows.length) throw failed[0]?.reason
    for (const { reason } of failed) logger.warn({ err: reason as unknown }, 'a code was not sent yet')
    return rows.length === BATCH
  }

  async function send(row: Waiting): Promise<void> {
    if (row.party_index === null) return settle(row, 'stranger')
    const { id, contract_id: contractId, party_index: partyIndex } = row
    const code = unseal(codeKeys, { keyId: row.code_key_id, bytes: row.code_sealed }, id)
    const lapsesInSeconds = Math.max(1, Math.floor(row.seconds_left))
    await notification.code.send.mutate({ id, contractId, partyIndex, code, lapsesInSeconds })
    // Asked only now: an answer that does not come must not keep the code from being sent; the same id is taken once.
    const facts = await contract.ceremony.byId.query({ contractId })
    await settle(row, 'pushed', facts ?? undefined)
  }

  /** Wipes the code and, for a real one, says in the chain that it was sent: that and when, not to whom. */
  async function settle(row: Waiting, outcome: 'pushed' | 'stranger', facts?: ContractFacts): Promise<void> {
    await database.transaction().execute(async (trx) => {
      const done = await trx
        .updateTable('code_send')
        .set({ settled_at: sql<Date>`clock_timestamp()`, outcome, code_sealed: null })
        .where('id', '=', row.id)
        .where('settled_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      if (!done || !facts) return
      await openChain(trx, facts)
      await append(trx, row.contract_id, 'code.sent', { codeId: row.id, mailbox: new Personal(row.mailbox) })
    })
  }

  async function claim(): Promise<Waiting[]> {
    const { rows } = await sql<Waiting>`
      update code_send set leased_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
       where id in (select id from code_send
                     where settled_at is null and expires_at > clock_timestamp()
                       and (leased_until is null or leased_until < clock_timestamp())
                     order by created_at limit ${BATCH} for update skip locked)
      returning id, contract_id, mailbox, party_index, code_sealed, code_key_id,
                extract(epoch from expires_at - clock_timestamp())::float8 as seconds_left`.execute(database)
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

export type CodeSending = ReturnType<typeof createCodeSending>
