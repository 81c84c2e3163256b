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
/** A push ends within 10 s; after this another worker may try the same row. */
const LEASE_SECONDS = 20
const BATCH = 20

interface Waiting {
  id: string
  contract_id: string
  mailbox: string
  party_index: number | null
  code_sealed: Buffer
  code_key_id: string
  seconds_left: number
}

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
  /** One round over what waits. @returns true when more may wait */
  async function sendWaiting(): Promise<boolean> {
    await lapse()
    const rows = await claim()
    try {
      for (const row of rows) {
        if (row.party_index === null) await settle(row, 'stranger')
        else await push(row, row.party_index)
      }
    } catch (error) {
      await release(rows)
      throw error
    }
    return rows.length === BATCH
  }

  async function push(row: Waiting, partyIndex: number): Promise<void> {
    const code = unseal(codeKeys, { keyId: row.code_key_id, bytes: row.code_sealed }, row.id)
    const lapsesInSeconds = Math.max(1, Math.floor(row.seconds_left))
    await notification.code.send.mutate({
      id: row.id,
      contractId: row.contract_id,
      partyIndex,
      code,
      lapsesInSeconds,
    })
    const facts = await contract.ceremony.byId.query({ contractId: row.contract_id })
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

  /** Gives the rows in hand back at once, so that a short outage costs no lease. */
  async function release(rows: Waiting[]): Promise<void> {
    const ids = rows.map(({ id }) => id)
    await sql`update code_send set leased_until = null where id = any(${ids}) and settled_at is null`
      .execute(database)
      // The database is away too: the leases end by themselves.
      .catch(() => undefined)
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
