// Claims due deliveries for sending, and reads the queue. [D24, D37, D49]
// Does not own: adding deliveries (add-delivery.ts), how a mail ends (finish-delivery.ts), when a worker claims (delivery-worker.ts).
// All times come from the database's clock, so that a wrong clock of a worker has no effect.
import { brandSql } from '@paraph/messaging/account-brand'
import { sql, type Kysely, type Transaction } from 'kysely'
import { PRIORITY_CODE, PRIORITY_OTHER, TRY_HOURS, type ClaimedDelivery } from '../database.js'
import { isHeldSql, NAME } from './held-mails.js'
import { isProbeDue, pauseSql, type Probe } from '../smtp/circuit.js'
import { POSTPONED, POSTPONED_HOURS_MAX } from './mailbox-limit.js'
import { TAKEN_MAX_MS, TAKEN_MIN_MS } from './retry-delay.js'

/** Longer than an attempt, which takes at most 40 s: no two workers send one mail at the same time. [F7] */
export const CLAIM_SECONDS = 42
/**
 * An expired claim gets this much time from the first worker that finds it. An outage of the database ends the claims of live workers too,
 * and a worker that reconnects late still records its outcomes within the grace: 12 s until a hung statement fails, 1 s of back-off, and
 * the write. The mail of a killed worker is sent within a minute. [F3, F8]
 */
export const GRACE_SECONDS = 15
/** The outcome of a mail whose claim has expired. Every other outcome ends the claim. */
export const UNRECORDED = 'no outcome recorded'

type Trx = Transaction<unknown>

/** Moves the due mails of a suspended account to the end of the queue, because every claim would scan them at the front. [D37] */
export async function pauseDelivery(trx: Trx, accountId: string): Promise<void> {
  // Reads the account's present state, because events may arrive in any order.
  await sql`update delivery set due_at = 'infinity' where account_id = ${accountId} and state = 'due'
    and exists (select 1 from account_hold h where h.account_id = ${accountId} and h.is_suspended)`.execute(trx)
}

/** Makes the mails of a resumed account due now, with another 48 hours to be sent. [D37] */
export async function releasePaused(trx: Trx, accountId: string): Promise<void> {
  await sql`update delivery set due_at = clock_timestamp(), lapses_at = clock_timestamp() + make_interval(hours => ${TRY_HOURS})
    where account_id = ${accountId} and state = 'due'`.execute(trx)
}

/** Mails of a suspended account are neither sent nor given up. Codes have no account, so that signers can still fetch the copy. [D37] */
export const NOT_SUSPENDED = sql`not exists (select 1 from account_hold h where h.account_id = delivery.account_id and h.is_suspended)`

const UNCLAIMED = sql`(claimed_until is null or claimed_until < clock_timestamp())`
/** Twice the length, so that a small step of the clock changes no claim. */
const CLAIMED_TOO_LONG = sql`coalesce(claimed_until > clock_timestamp() + make_interval(secs => ${2 * CLAIM_SECONDS}), false)`
/** The longest pause grows with the age (retry-delay.ts), or is that of a full mailbox. The mails of suspended accounts wait for ever. */
const LONGEST_PAUSE = sql`case outcome when ${POSTPONED} then make_interval(hours => ${POSTPONED_HOURS_MAX})
  else 1.5 * least(make_interval(secs => ${TAKEN_MAX_MS / 1_000}),
    greatest(make_interval(secs => ${TAKEN_MIN_MS / 1_000}), clock_timestamp() - created_at)) end`
const WAITS_TOO_LONG = sql`(due_at < 'infinity' and due_at > clock_timestamp() + ${LONGEST_PAUSE})`
const CLAIM = sql`claim = gen_random_uuid(), claimed_until = clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS})`
/** On a row whose claim has expired: true until it has had its grace. */
const NEEDS_GRACE = sql`(claim is not null and outcome is distinct from ${UNRECORDED})`
/** Gives an expired claim its grace, in which its worker keeps it; otherwise claims the row. */
const CLAIM_OR_GRACE = sql`claim = case when ${NEEDS_GRACE} then claim else gen_random_uuid() end,
  claimed_until = clock_timestamp() + make_interval(secs => case when ${NEEDS_GRACE} then ${sql.lit(GRACE_SECONDS)} else ${sql.lit(CLAIM_SECONDS)} end),
  outcome = case when ${NEEDS_GRACE} then ${UNRECORDED} else nullif(outcome, ${UNRECORDED}) end`
const COUNT_ATTEMPT = sql`attempts = attempts + case when ${NEEDS_GRACE} then 0 else 1 end`
/** The claimed rows among those that CLAIM_OR_GRACE updated. */
const IS_CLAIMED = sql`"lastReason" is distinct from ${UNRECORDED}`

export interface DeliveryClaimsDeps {
  database: Kysely<unknown>
  /** Mails created before this instant, except codes, wait for an operator (held-mails.ts). */
  holdBefore?: Date | undefined
}

export function createDeliveryClaims({ database, holdBefore }: DeliveryClaimsDeps) {
  /** This condition costs 33 ms per claim if 100,000 mails are held, and nothing without the setting. */
  const notForOperator = holdBefore === undefined ? sql`` : sql`and not ${isHeldSql(holdBefore)}`

  /**
   * Claims up to `count` due deliveries: codes first, then by due time. Of expired claims, takes over only those that had their grace.
   * @param kinds `codes` claims codes only
   * @param probe while the SMTP server is unavailable: claims only if the lane may probe now, and schedules the next probe of the lane
   */
  async function claim(count: number, kinds: 'all' | 'codes', probe?: Probe): Promise<ClaimedDelivery[]> {
    const mayProbe = probe ? sql`and exists (select 1 from token)` : sql``
    const { rows } = await sql<ClaimedDelivery>`with ${probe ? lockLane(probe) : sql``} due as (
         select id from delivery
         where state = 'due' and due_at <= clock_timestamp() and lapses_at > clock_timestamp()
           and ${UNCLAIMED} and priority <= ${kinds === 'codes' ? PRIORITY_CODE : PRIORITY_OTHER}
           ${notForOperator} and ${NOT_SUSPENDED} ${mayProbe}
         order by ${probe ? anyAccount() : sql`priority, due_at`} limit ${count} for update skip locked
       ), updated as (
         update delivery set ${CLAIM_OR_GRACE}, ${COUNT_ATTEMPT} where id in (select id from due) returning ${COLUMNS}
       ), claimed as (
         select * from updated where ${IS_CLAIMED}
       ) ${probe ? moveLane(probe) : sql``} select * from claimed`.execute(database)
    return rows
  }

  /**
   * Limits the waits that were set before the clock was set back. A delivery that waits longer than any pause of its age becomes due. A
   * claim that is longer than any other gets the usual length, and does not end, because its worker may still be sending the mail. [F32]
   */
  async function limitWaits(): Promise<void> {
    await sql`update delivery set due_at = case when ${WAITS_TOO_LONG} then clock_timestamp() else due_at end,
      claimed_until = case when ${CLAIMED_TOO_LONG} then clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS}) else claimed_until end
      where state = 'due' and (${WAITS_TOO_LONG} or ${CLAIMED_TOO_LONG})`.execute(database)
  }

  /** Claims up to `count` expired deliveries, to end them. */
  async function claimExpired(count: number): Promise<ClaimedDelivery[]> {
    const { rows } = await sql<ClaimedDelivery>`with updated as (
      update delivery set ${CLAIM_OR_GRACE}
      where id in (
        select id from delivery
        where state = 'due' and lapses_at <= clock_timestamp() and ${UNCLAIMED} ${notForOperator} and ${NOT_SUSPENDED}
        limit ${count} for update skip locked
      ) returning ${COLUMNS}) select * from updated where ${IS_CLAIMED}`.execute(database)
    return rows
  }

  /**
   * Claims the held mails with these names (`NAME`), to end them as sent. Counts an attempt, because the restored row does not contain
   * the attempt that sent the mail. Expired claims get no grace: their workers ended before the restore.
   */
  async function claimHeld(names: readonly string[]): Promise<ClaimedDelivery[]> {
    if (holdBefore === undefined) return []
    const { rows } = await sql<ClaimedDelivery>`update delivery set ${CLAIM}, attempts = attempts + 1
      where id in (
        select id from delivery
        where state = 'due' and ${isHeldSql(holdBefore)} and ${NAME} = any(${[...names]}::text[]) and ${UNCLAIMED}
        for update skip locked
      ) returning ${COLUMNS}`.execute(database)
    return rows
  }

  /** Gives another 48 hours to up to `count` held mails with less than half of that left. @returns the number of these mails */
  async function prolongHeld(count: number): Promise<number> {
    if (holdBefore === undefined) return 0
    const { numAffectedRows } =
      await sql`update delivery set lapses_at = clock_timestamp() + make_interval(hours => ${TRY_HOURS})
      where id in (
        select id from delivery
        where state = 'due' and lapses_at <= clock_timestamp() + make_interval(hours => ${TRY_HOURS / 2}) and ${isHeldSql(holdBefore)}
        limit ${count} for update skip locked
      )`.execute(database)
    return Number(numAffectedRows ?? 0n)
  }

  /** Releases the claim and makes the delivery due again after `waitMs`. Has no effect if another worker has the claim. */
  async function reschedule({ id, claim }: ClaimedDelivery, waitMs: number, reason: string): Promise<void> {
    await sql`update delivery set due_at = clock_timestamp() + make_interval(secs => ${waitMs / 1_000}), outcome = ${reason},
      claim = null, claimed_until = null where id = ${id} and claim = ${claim}`.execute(database)
  }

  /**
   * Makes a delivery due again that ended as refused. Restores the wiped code, unless it has expired. Its earlier end stays published, and
   * a later end is published too.
   */
  async function putBack({ id, sealed }: ClaimedDelivery, waitMs: number): Promise<void> {
    await sql`update delivery set state = 'due', finished_at = null, is_published = false, is_delayed = false, sealed = ${sealed}::bytea,
      due_at = clock_timestamp() + make_interval(secs => ${waitMs / 1_000})
      where id = ${id} and state = 'failed' and lapses_at > clock_timestamp()`.execute(database)
  }

  /** Counts due mails by kind; `held` counts the mails of suspended accounts. Scans every due row. */
  async function readQueue() {
    const { rows } = await sql<{ kind: ClaimedDelivery['kind']; waiting: number; held: number; oldestSeconds: number }>`
      select kind, count(*)::int as waiting, count(*) filter (where not ${NOT_SUSPENDED})::int as held,
        extract(epoch from clock_timestamp() - min(created_at))::int as "oldestSeconds"
      from delivery where state = 'due' group by kind, priority order by priority, kind`.execute(database)
    return rows
  }

  return { claim, claimExpired, claimHeld, limitWaits, prolongHeld, reschedule, putBack, readQueue }
}

export type DeliveryClaims = ReturnType<typeof createDeliveryClaims>

/**
 * The order of a probe: codes, then any mail of any account with the same chance. The oldest mails may be thousands of dead addresses of
 * one account, which an SMTP server refuses however well it works. Sorts every due mail, but no more often than probes are sent.
 */
const anyAccount = () =>
  sql`priority, hashtextextended(coalesce(account_id, ''), ${Math.floor(Math.random() * 1e9)}), random()`

/** Locks the probe of a lane until the statement ends. */
const lockLane = ({ lane, pace }: Probe) => sql`token as (
    select lane from smtp_circuit where lane = ${lane} and ${isProbeDue(pace)} for update skip locked
  ),`

/** Schedules the next probe of a lane, only if a mail was claimed for the present probe. */
const moveLane = ({ lane, pace }: Probe) => sql`, used as (
    update smtp_circuit set failures = failures + 1, probe_at = clock_timestamp() + ${pauseSql(pace, 'failures + 1')}
    where lane = ${lane} and exists (select 1 from claimed)
  )`

/** The account of the contract; null while it is unknown, and for a mail to an owner. */
const OWNER = sql`coalesce(delivery.account_id, (select m.account_id from contract_mail m where m.contract_id = delivery.contract_id))`

/** A row as ClaimedDelivery; a table constraint guarantees the combinations of an Addressee. */
const COLUMNS = sql`id, claim, kind, attempts, traceparent, sealed, contract_id as "contractId", account_id as "accountId", party_index as "partyIndex",
  send_number as "sendNumber", outcome as "lastReason", request_id as "requestId", sealed_key_id as "sealedKeyId",
  (extract(epoch from lapses_at - clock_timestamp()) * 1000)::float8 as "lapsesInMs",
  (extract(epoch from clock_timestamp() - created_at) * 1000)::float8 as "ageMs",
  ${OWNER} as "brandOf", ${brandSql(OWNER)} as brand,
  case kind when 'reminder' then (
    select max(i.send_number) from delivery i
     where i.contract_id = delivery.contract_id and i.party_index = delivery.party_index and i.kind = 'invitation'
  ) end as "invitationNumber"`
