// Adds deliveries, each one once. [D24, D42, D49; why no queue library: P7]
// Owns the inserts, and sealing the content of codes and owner mails. Does not own: claims (claim-delivery.ts), how a mail ends
// (finish-delivery.ts). All times come from the database's clock, so that a wrong clock of a worker has no effect.
import { elementAt } from '@paraph/protocol/element-at'
import { currentTraceparent } from '@paraph/telemetry/trace-context'
import { seal, unseal, type Keyring } from '@paraph/config/keyring'
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import { PRIORITY_CODE, PRIORITY_OTHER, TRY_HOURS, type ClaimedDelivery } from '../database.js'
import type { OwnerMailData } from '../compose/mail-data.js'
import { recordContract, type OwnedContract } from './finish-delivery.js'

type Trx = Transaction<unknown>

type Created = OwnedContract & { partyCount: number }
type Invited = Omit<Created, 'environment' | 'expiresAt'>

/**
 * Adds one invitation per party, and the outcome mails if the end of the contract was consumed before its creation. Idempotent. [F10]
 * For a new contract, this takes one statement.
 */
export async function addInvitations(trx: Trx, created: Created): Promise<void> {
  const { contractId, accountId, environment, expiresAt } = created
  const { rows } = await sql<{ isNew: boolean }>`with recorded as (
      insert into contract_mail (contract_id, account_id, environment, expires_at)
      values (${contractId}, ${accountId}, ${environment}, ${expiresAt})
      on conflict (contract_id) do nothing returning contract_id
    ), invited as (${insertForParties(created, 'invitation', sql`where exists (select 1 from recorded)`)})
    select exists (select 1 from recorded) as "isNew"`.execute(trx)
  if (rows[0]?.isNew) return
  const ended = await recordContract(trx, created)
  await insertForParties(created, 'invitation').execute(trx)
  if (ended) await addOutcomes(trx, contractId, ended)
}

/** Adds one mail with the sealed PDF per party. The sending skips a party with the same mailbox as an earlier party. [D24] */
export const addCompletions = async (trx: Trx, contract: Invited): Promise<void> =>
  void (await insertForParties(contract, 'completed').execute(trx))

const insertForParties = (
  { contractId, accountId, partyCount }: Invited,
  kind: 'invitation' | 'completed',
  where: RawBuilder<unknown> = sql``,
) =>
  sql`insert into delivery (contract_id, account_id, party_index, kind, send_number, priority, lapses_at, traceparent)
    select ${contractId}, ${accountId}, party_index, ${kind}, 1, ${PRIORITY_OTHER}, now() + make_interval(hours => ${TRY_HOURS}),
      ${traceparent()}::text
    from generate_series(0, ${partyCount}::int - 1) as party_index ${where}
    on conflict on constraint delivery_once do nothing`

/** Locks the invitations of one party until the commit, so that two transactions do not use the same `send_number`. */
export const lockParty = (trx: Trx, contractId: string, partyIndex: number) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`${contractId}/${partyIndex}`}, 0))`.execute(trx)

/** Adds another invitation for one party; call `lockParty` before. @returns the send number of the invitation */
export async function addInvitation(
  trx: Trx,
  { contractId, accountId, partyIndex }: { contractId: string; accountId: string; partyIndex: number },
): Promise<number> {
  const { rows } = await sql<{ sendNumber: number }>`
    insert into delivery (contract_id, account_id, party_index, kind, send_number, priority, lapses_at, traceparent)
    select ${contractId}, ${accountId}, ${partyIndex}::smallint, 'invitation', coalesce(max(send_number), 0) + 1, ${PRIORITY_OTHER},
      clock_timestamp() + make_interval(hours => ${TRY_HOURS}), ${traceparent()}::text
    from delivery where contract_id = ${contractId} and party_index = ${partyIndex}::smallint and kind = 'invitation'
    returning send_number as "sendNumber"`.execute(trx)
  return elementAt(rows, 0).sendNumber
}

/** Adds one outcome mail per invited party. The sending skips a party that had not signed. */
export async function addOutcomes(trx: Trx, contractId: string, kind: 'cancelled' | 'expired'): Promise<void> {
  // Locks the contract's row, as recordContract does, so that the later transaction sees the rows of the earlier one.
  await sql`insert into contract_mail (contract_id, ended) values (${contractId}, ${kind})
    on conflict (contract_id) do update set ended = excluded.ended`.execute(trx)
  await sql`insert into delivery (contract_id, account_id, party_index, kind, send_number, priority, lapses_at, traceparent)
    select contract_id, account_id, party_index, ${kind}, 1, ${PRIORITY_OTHER}, now() + make_interval(hours => ${TRY_HOURS}),
      ${traceparent()}::text
    from delivery where contract_id = ${contractId} and kind = 'invitation' and send_number = 1
    on conflict on constraint delivery_once do nothing`.execute(trx)
}

interface PushedCode {
  requestId: string
  contractId: string
  partyIndex: number
  code: string
  lapsesInSeconds: number
}

export interface DeliveryIntakeDeps {
  database: Kysely<unknown>
  codeKeys: Keyring
}

/** Stores the mails that other services push. */
export function createDeliveryIntake({ database, codeKeys }: DeliveryIntakeDeps) {
  /** Stores a one-time code, once per `requestId`. The code is encrypted with AES-GCM, and wiped when it is sent or expires. [D42] */
  async function addCode({ requestId, contractId, partyIndex, code, lapsesInSeconds }: PushedCode): Promise<void> {
    const sealed = seal(codeKeys, code, sealedContext(requestId))
    const receivedAtMs = performance.now()
    const insert = async (connection: Kysely<unknown>): Promise<true> => {
      // Subtracts the wait for a connection from the life of the code.
      const secondsLeft = lapsesInSeconds - (performance.now() - receivedAtMs) / 1_000
      await sql`insert into delivery
          (contract_id, party_index, kind, send_number, request_id, priority, lapses_at, sealed, sealed_key_id, traceparent)
        select ${contractId}, ${partyIndex}::smallint, 'code', coalesce(max(send_number), 0) + 1, ${requestId}, ${PRIORITY_CODE},
          clock_timestamp() + make_interval(secs => ${secondsLeft}), ${sealed.bytes}::bytea, ${sealed.keyId},
          ${traceparent()}::text
        from delivery where contract_id = ${contractId} and party_index = ${partyIndex} and kind = 'code'
        on conflict on constraint delivery_request_unique do nothing`.execute(connection)
      return true
    }
    // A lock would need a transaction of four statements; two codes for one party at the same time are rare.
    while (!(await database.connection().execute(insert).catch(isNumberTaken)));
  }

  /**
   * Stores a mail to an owner, once per `id`. The whole mail is encrypted with AES-GCM, and wiped at the end of the delivery. The worker
   * tries to send a code until it expires, and any other mail for 48 hours. [D24]
   */
  async function addOwnerMail(mail: OwnerMailData): Promise<void> {
    const sealed = seal(codeKeys, JSON.stringify(mail), sealedContext(mail.id))
    const receivedAtMs = performance.now()
    await database.connection().execute(async (connection) => {
      // Subtracts the wait for a connection from the life of a code.
      const waitedSeconds = (performance.now() - receivedAtMs) / 1_000
      const [kind, priority, seconds] =
        mail.kind === 'code'
          ? ['owner_code', PRIORITY_CODE, mail.lapsesInSeconds - waitedSeconds]
          : ['owner_mail', PRIORITY_OTHER, TRY_HOURS * 3_600]
      await sql`insert into delivery (kind, send_number, request_id, priority, lapses_at, sealed, sealed_key_id, traceparent)
        values (${kind}, 1, ${mail.id}, ${priority}, clock_timestamp() + make_interval(secs => ${seconds}),
          ${sealed.bytes}::bytea, ${sealed.keyId}, ${traceparent()}::text)
        on conflict on constraint delivery_request_unique do nothing`.execute(connection)
    })
  }

  return { addCode, addOwnerMail }
}

export type DeliveryIntake = ReturnType<typeof createDeliveryIntake>

/** Decrypts the code or owner mail that the intake encrypted; undefined for other deliveries. */
export const openSealed = (codeKeys: Keyring, delivery: ClaimedDelivery): string | undefined => {
  const { sealed: bytes, sealedKeyId: keyId, requestId } = delivery
  return bytes && keyId && requestId ? unseal(codeKeys, { keyId, bytes }, sealedContext(requestId)) : undefined
}

/** Of the present span; null without one. */
export const traceparent = (): string | null => currentTraceparent() ?? null

/** @returns false if another mail has got the `send_number` meanwhile, so that the insert must be repeated @throws every other error */
function isNumberTaken(error: unknown): false {
  if ((error as { constraint?: unknown }).constraint !== 'delivery_once') throw error
  return false
}

/** Binds a ciphertext to its row. */
const sealedContext = (requestId: string): string => `delivery:${requestId}`
