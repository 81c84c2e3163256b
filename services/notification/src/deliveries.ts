// The delivery rows: queue and record of every mail in one table. [D24, D42, D49; why no queue library: P7]
// Owns: the statements. Does not own: what a mail says (templates/), when a worker asks (delivery-worker.ts).
// Every instant is the database's: a worker whose clock is wrong claims, lapses and retries like any other.
import { currentTraceparent } from '@paraph/telemetry/trace-context'
import { seal, type Keyring } from '@paraph/service/keyring'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { DeliveryState, MailKind, NotificationDatabase } from './database.js'

/**
 * Longer than a worker holds it (delivery-worker.ts): 40 s for the attempt, facts and relay together, and 8 s to record it make 48 s.
 * A claim of a killed worker still ends within a minute. [F8]
 */
const CLAIM_SECONDS = 50
/** How long a mail is tried. [D49] */
const TRY_HOURS = 48

const PRIORITY_CODE = 0
const PRIORITY_OTHER = 1

/** A delivery that this worker alone may send until its claim ends. */
export interface ClaimedDelivery {
  id: number
  claim: string
  contractId: string
  partyIndex: number
  kind: MailKind
  sendNumber: number
  /** This one included. */
  attempts: number
  /** Time that is left to send it. */
  lapsesInMs: number
  ageMs: number
  traceparent: string | null
  code: { requestId: string; keyId: string; bytes: Buffer } | null
}

type Trx = Transaction<NotificationDatabase>

/** One invitation per party. Called again it changes nothing. */
export async function addInvitations(
  trx: Trx,
  { contractId, accountId, partyCount }: { contractId: string; accountId: string; partyCount: number },
): Promise<void> {
  await sql`insert into delivery (contract_id, account_id, party_index, kind, send_number, priority, lapses_at, traceparent)
    select ${contractId}, ${accountId}, party_index, 'invitation', 1, ${PRIORITY_OTHER}, now() + make_interval(hours => ${TRY_HOURS}),
      ${currentTraceparent() ?? null}::text
    from generate_series(0, ${partyCount}::int - 1) as party_index
    on conflict on constraint delivery_once do nothing`.execute(trx)
}

/** One outcome per party that was invited; who had not signed is skipped when it is sent. */
export async function addOutcomes(trx: Trx, contractId: string, kind: 'cancelled' | 'expired'): Promise<void> {
  await sql`insert into delivery (contract_id, account_id, party_index, kind, send_number, priority, lapses_at, traceparent)
    select contract_id, account_id, party_index, ${kind}, 1, ${PRIORITY_OTHER}, now() + make_interval(hours => ${TRY_HOURS}),
      ${currentTraceparent() ?? null}::text
    from delivery where contract_id = ${contractId} and kind = 'invitation' and send_number = 1
    on conflict on constraint delivery_once do nothing`.execute(trx)
}

/** The mails of an account that is no longer suspended are due now, and are tried as long as any other. [D37] */
export async function releaseHeld(trx: Trx, accountId: string): Promise<void> {
  await sql`update delivery set due_at = clock_timestamp(), lapses_at = clock_timestamp() + make_interval(hours => ${TRY_HOURS})
    where account_id = ${accountId} and state = 'due'`.execute(trx)
}

/** Held while the account is suspended: neither sent nor given up. A code is nobody's: whoever has signed may fetch the copy. [D37] */
const NOT_HELD = sql`not exists (select 1 from account_hold h where h.account_id = delivery.account_id and h.is_suspended)`

/** @param codeKeys of the codes that wait here */
export function createDeliveries({
  database,
  codeKeys,
}: {
  database: Kysely<NotificationDatabase>
  codeKeys: Keyring
}) {
  /** Takes over a one-time code, once per `requestId`. The code is kept under AES-GCM and wiped when sent or lapsed. [D42] */
  async function addCode(push: {
    requestId: string
    contractId: string
    partyIndex: number
    code: string
    lapsesInSeconds: number
  }): Promise<void> {
    const { requestId, contractId, partyIndex, lapsesInSeconds } = push
    const sealed = seal(codeKeys, push.code, codeContext(requestId))
    await database.transaction().execute(async (trx) => {
      // Two codes of one party at once would take the same number.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`${contractId}/${partyIndex}`}, 0))`.execute(trx)
      await sql`insert into delivery
          (contract_id, party_index, kind, send_number, request_id, priority, lapses_at, code_sealed, code_key_id, traceparent)
        select ${contractId}, ${partyIndex}::smallint, 'code', coalesce(max(send_number), 0) + 1, ${requestId}, ${PRIORITY_CODE},
          clock_timestamp() + make_interval(secs => ${lapsesInSeconds}), ${sealed.bytes}::bytea, ${sealed.keyId},
          ${currentTraceparent() ?? null}::text
        from delivery where contract_id = ${contractId} and party_index = ${partyIndex} and kind = 'code'
        on conflict on constraint delivery_request_unique do nothing`.execute(trx)
    })
  }

  /**
   * Claims up to `count` due deliveries, codes first, the longest due next.
   * @param kinds `codes` leaves everything else for later
   */
  async function claim(count: number, kinds: 'all' | 'codes'): Promise<ClaimedDelivery[]> {
    const { rows } = await sql<{
      id: number
      claim: string
      contract_id: string
      party_index: number
      kind: MailKind
      send_number: number
      attempts: number
      lapses_in_ms: number
      age_ms: number
      traceparent: string | null
      request_id: string | null
      code_key_id: string | null
      code_sealed: Buffer | null
    }>`update delivery
       set claim = gen_random_uuid(), claimed_until = clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS}), attempts = attempts + 1
       where id in (
         select id from delivery
         where state = 'due' and due_at <= clock_timestamp() and lapses_at > clock_timestamp()
           and (claimed_until is null or claimed_until < clock_timestamp())
           and priority <= ${kinds === 'codes' ? PRIORITY_CODE : PRIORITY_OTHER} and ${NOT_HELD}
         order by priority, due_at limit ${count} for update skip locked
       )
       returning id, claim, contract_id, party_index, kind, send_number, attempts, traceparent, request_id, code_key_id, code_sealed,
         (extract(epoch from lapses_at - clock_timestamp()) * 1000)::float8 as lapses_in_ms,
         (extract(epoch from clock_timestamp() - created_at) * 1000)::float8 as age_ms`.execute(database)
    return rows.map((row) => ({
      id: row.id,
      claim: row.claim,
      contractId: row.contract_id,
      partyIndex: row.party_index,
      kind: row.kind,
      sendNumber: row.send_number,
      attempts: row.attempts,
      lapsesInMs: row.lapses_in_ms,
      ageMs: row.age_ms,
      traceparent: row.traceparent,
      code:
        row.code_sealed && row.code_key_id && row.request_id
          ? { requestId: row.request_id, keyId: row.code_key_id, bytes: row.code_sealed }
          : null,
    }))
  }

  /** Ends a delivery and wipes its code. Without effect when the claim has passed to another worker. */
  async function settle(
    { id, claim }: ClaimedDelivery,
    state: Exclude<DeliveryState, 'due'>,
    outcome: string | null,
  ): Promise<void> {
    await sql`update delivery set state = ${state}, outcome = ${outcome}, settled_at = clock_timestamp(), claim = null,
      claimed_until = null, code_sealed = null where id = ${id} and claim = ${claim}`.execute(database)
  }

  /** Gives a delivery back, due again after `waitMs`. */
  async function putOff({ id, claim }: ClaimedDelivery, waitMs: number, reason: string): Promise<void> {
    await sql`update delivery set due_at = clock_timestamp() + make_interval(secs => ${waitMs / 1_000}), outcome = ${reason},
      claim = null, claimed_until = null where id = ${id} and claim = ${claim}`.execute(database)
  }

  /** Ends what nobody sent in time: a code is wiped, any other mail has failed visibly. Returns how many of the latter. */
  async function endLapsed(): Promise<number> {
    const { rows } = await sql<{ kind: MailKind }>`update delivery
      set state = case when kind = 'code' then 'lapsed' else 'failed' end, settled_at = clock_timestamp(), claim = null,
        claimed_until = null, code_sealed = null, outcome = 'not sent in time' || coalesce(': ' || outcome, '')
      where id in (
        select id from delivery
        where state = 'due' and lapses_at <= clock_timestamp() and (claimed_until is null or claimed_until < clock_timestamp())
          and ${NOT_HELD}
        limit 500 for update skip locked
      ) returning kind`.execute(database)
    return rows.filter((row) => row.kind !== 'code').length
  }

  return { addCode, claim, settle, putOff, endLapsed }
}

export type Deliveries = ReturnType<typeof createDeliveries>

/** Binds a code's ciphertext to its row. */
export const codeContext = (requestId: string): string => `code:${requestId}`
