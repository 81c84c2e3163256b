// The delivery rows: queue and record of every mail in one table. [D24, D42, D49; why no queue library: P7]
// Owns: what waits and who may send it. Does not own: how a mail ends (settlement.ts), what it says (templates/), when a worker
// asks (delivery-worker.ts).
// Every instant is the database's: a worker whose clock is wrong claims, lapses and retries like any other.
import { currentTraceparent } from '@paraph/telemetry/trace-context'
import { seal, type Keyring } from '@paraph/service/keyring'
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import type { Environment } from '@paraph/protocol/caller'
import type { MailKind, NotificationDatabase, OwnerKind } from './database.js'
import { isHeldSql, NAME } from './held-mails.js'
import type { OwnerLetter } from './owner-letter.js'
import { pauseSql, type Probe } from './relay-circuit.js'
import { noteContract } from './settlement.js'

/**
 * Longer than a worker holds it (delivery-worker.ts): 40 s for the attempt, facts and relay together, and 8 s to record it make 48 s.
 * A claim of a killed worker still ends within a minute. [F8]
 */
const CLAIM_SECONDS = 50
/** How long a mail is tried. [D49] */
const TRY_HOURS = 48

const PRIORITY_CODE = 0
const PRIORITY_OTHER = 1

/** What a mail is about: a party of a contract, or an owner, of whom the sealed letter alone tells. */
type Addressee =
  { kind: MailKind; contractId: string; partyIndex: number } | { kind: OwnerKind; contractId: null; partyIndex: null }

/** A delivery that this worker alone may send until its claim ends. */
export type ClaimedDelivery = Addressee & {
  id: number
  claim: string
  sendNumber: number
  /** This one included. */
  attempts: number
  /** Time that is left to send it. */
  lapsesInMs: number
  ageMs: number
  /** Why it was put off last. */
  lastReason: string | null
  traceparent: string | null
  /** The code, or the letter to an owner. */
  sealed: { requestId: string; keyId: string; bytes: Buffer } | null
}

type Trx = Transaction<NotificationDatabase>

interface Created {
  contractId: string
  accountId: string
  environment: Environment
  partyCount: number
}

/**
 * One invitation per party, and the outcomes of an end that was told before. Called again it changes nothing. [F10]
 * A contract of which nothing was heard before costs one statement.
 */
export async function addInvitations(trx: Trx, created: Created): Promise<void> {
  const { contractId, accountId, environment } = created
  const { rows } = await sql<{ isNew: boolean }>`with noted as (
      insert into contract_mail (contract_id, account_id, environment) values (${contractId}, ${accountId}, ${environment})
      on conflict (contract_id) do nothing returning contract_id
    ), invited as (${insertInvitations(created, sql`where exists (select 1 from noted)`)})
    select exists (select 1 from noted) as "isNew"`.execute(trx)
  if (rows[0]?.isNew) return
  const ended = await noteContract(trx, created)
  await insertInvitations(created, sql``).execute(trx)
  if (ended) await addOutcomes(trx, contractId, ended)
}

const insertInvitations = ({ contractId, accountId, partyCount }: Created, where: RawBuilder<unknown>) =>
  sql`insert into delivery (contract_id, account_id, party_index, kind, send_number, priority, lapses_at, traceparent)
    select ${contractId}, ${accountId}, party_index, 'invitation', 1, ${PRIORITY_OTHER}, now() + make_interval(hours => ${TRY_HOURS}),
      ${currentTraceparent() ?? null}::text
    from generate_series(0, ${partyCount}::int - 1) as party_index ${where}
    on conflict on constraint delivery_once do nothing`

/** Whoever adds mails of one party that count on from those before holds this until the commit: two at once would take the same number. */
export const lockParty = (trx: Trx, contractId: string, partyIndex: number) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`${contractId}/${partyIndex}`}, 0))`.execute(trx)

/** One invitation more to one party, under its lock. @returns its number */
export async function addInvitation(
  trx: Trx,
  { contractId, accountId, partyIndex }: { contractId: string; accountId: string; partyIndex: number },
): Promise<number> {
  const { rows } = await sql<{ sendNumber: number }>`
    insert into delivery (contract_id, account_id, party_index, kind, send_number, priority, lapses_at, traceparent)
    select ${contractId}, ${accountId}, ${partyIndex}::smallint, 'invitation', coalesce(max(send_number), 0) + 1, ${PRIORITY_OTHER},
      clock_timestamp() + make_interval(hours => ${TRY_HOURS}), ${currentTraceparent() ?? null}::text
    from delivery where contract_id = ${contractId} and party_index = ${partyIndex}::smallint and kind = 'invitation'
    returning send_number as "sendNumber"`.execute(trx)
  return rows[0]!.sendNumber
}

/** One outcome per party that was invited; who had not signed is skipped when it is sent. */
export async function addOutcomes(trx: Trx, contractId: string, kind: 'cancelled' | 'expired'): Promise<void> {
  // Whoever comes second sees the first's rows: both hold the contract's row.
  await sql`insert into contract_mail (contract_id, ended) values (${contractId}, ${kind})
    on conflict (contract_id) do update set ended = excluded.ended`.execute(trx)
  await sql`insert into delivery (contract_id, account_id, party_index, kind, send_number, priority, lapses_at, traceparent)
    select contract_id, account_id, party_index, ${kind}, 1, ${PRIORITY_OTHER}, now() + make_interval(hours => ${TRY_HOURS}),
      ${currentTraceparent() ?? null}::text
    from delivery where contract_id = ${contractId} and kind = 'invitation' and send_number = 1
    on conflict on constraint delivery_once do nothing`.execute(trx)
}

/** The sealed PDF for each party; whoever shares a mailbox with an earlier one is skipped when it is sent. [D24] */
export async function addCompletions(
  trx: Trx,
  { contractId, accountId, partyCount }: Pick<Created, 'contractId' | 'accountId' | 'partyCount'>,
): Promise<void> {
  await sql`insert into delivery (contract_id, account_id, party_index, kind, send_number, priority, lapses_at, traceparent)
    select ${contractId}, ${accountId}, party_index, 'completed', 1, ${PRIORITY_OTHER}, now() + make_interval(hours => ${TRY_HOURS}),
      ${currentTraceparent() ?? null}::text
    from generate_series(0, ${partyCount}::int - 1) as party_index
    on conflict on constraint delivery_once do nothing`.execute(trx)
}

/** What an account that is suspended has waiting leaves the front of the queue, where every look would pass it. [D37] */
export async function holdBack(trx: Trx, accountId: string): Promise<void> {
  // By what is so, not by what was told: events may come in any order.
  await sql`update delivery set due_at = 'infinity' where account_id = ${accountId} and state = 'due'
    and exists (select 1 from account_hold h where h.account_id = ${accountId} and h.is_suspended)`.execute(trx)
}

/** The mails of an account that is no longer suspended are due now, and are tried as long as any other. [D37] */
export async function releaseHeld(trx: Trx, accountId: string): Promise<void> {
  await sql`update delivery set due_at = clock_timestamp(), lapses_at = clock_timestamp() + make_interval(hours => ${TRY_HOURS})
    where account_id = ${accountId} and state = 'due'`.execute(trx)
}

/** Held while the account is suspended: neither sent nor given up. A code is nobody's: whoever has signed may fetch the copy. [D37] */
const NOT_HELD = sql`not exists (select 1 from account_hold h where h.account_id = delivery.account_id and h.is_suspended)`

/**
 * @param codeKeys of the codes that wait here
 * @param holdBefore mails made before it wait for an operator, codes excepted (held-mails.ts)
 */
export function createDeliveries({
  database,
  codeKeys,
  holdBefore,
}: {
  database: Kysely<NotificationDatabase>
  codeKeys: Keyring
  holdBefore?: Date | undefined
}) {
  /** A look takes 33 ms where 100,000 are held, and is as ever where nothing is. */
  const notForOperator = holdBefore === undefined ? sql`` : sql`and not ${isHeldSql(holdBefore)}`

  /** Takes over a one-time code, once per `requestId`. The code is kept under AES-GCM and wiped when sent or lapsed. [D42] */
  async function addCode(push: {
    requestId: string
    contractId: string
    partyIndex: number
    code: string
    lapsesInSeconds: number
  }): Promise<void> {
    const { requestId, contractId, partyIndex, lapsesInSeconds } = push
    const sealed = seal(codeKeys, push.code, sealedContext(requestId))
    const receivedAtMs = performance.now()
    await database.transaction().execute(async (trx) => {
      await lockParty(trx, contractId, partyIndex)
      // The life of the code went on while this waited for a connection and for the lock.
      const secondsLeft = lapsesInSeconds - (performance.now() - receivedAtMs) / 1_000
      await sql`insert into delivery
          (contract_id, party_index, kind, send_number, request_id, priority, lapses_at, sealed, sealed_key_id, traceparent)
        select ${contractId}, ${partyIndex}::smallint, 'code', coalesce(max(send_number), 0) + 1, ${requestId}, ${PRIORITY_CODE},
          clock_timestamp() + make_interval(secs => ${secondsLeft}), ${sealed.bytes}::bytea, ${sealed.keyId},
          ${currentTraceparent() ?? null}::text
        from delivery where contract_id = ${contractId} and party_index = ${partyIndex} and kind = 'code'
        on conflict on constraint delivery_request_unique do nothing`.execute(trx)
    })
  }

  /**
   * Takes over a mail to an owner, once per `id`. All of it is kept under AES-GCM and wiped when it is sent or given up; a code is tried
   * until it lapses, any other for 48 hours. [D24]
   */
  async function addOwnerLetter(letter: OwnerLetter): Promise<void> {
    const sealed = seal(codeKeys, JSON.stringify(letter), sealedContext(letter.id))
    const receivedAtMs = performance.now()
    await database.connection().execute(async (connection) => {
      // The life of a code went on while this waited for a connection.
      const waitedSeconds = (performance.now() - receivedAtMs) / 1_000
      const [kind, priority, seconds] =
        letter.kind === 'code'
          ? ['owner_code', PRIORITY_CODE, letter.lapsesInSeconds - waitedSeconds]
          : ['owner_mail', PRIORITY_OTHER, TRY_HOURS * 3_600]
      await sql`insert into delivery (kind, send_number, request_id, priority, lapses_at, sealed, sealed_key_id, traceparent)
        values (${kind}, 1, ${letter.id}, ${priority}, clock_timestamp() + make_interval(secs => ${seconds}),
          ${sealed.bytes}::bytea, ${sealed.keyId}, ${currentTraceparent() ?? null}::text)
        on conflict on constraint delivery_request_unique do nothing`.execute(connection)
    })
  }

  /**
   * Claims up to `count` due deliveries, codes first, the longest due next.
   * @param kinds `codes` leaves everything else for later
   * @param probe while the relay is away: nothing is claimed unless its lane's time has come, and a claim uses it up
   */
  async function claim(count: number, kinds: 'all' | 'codes', probe?: Probe): Promise<ClaimedDelivery[]> {
    const mayProbe = probe ? sql`and exists (select 1 from token)` : sql``
    const { rows } = await sql<ClaimedRow>`with ${probe ? lockLane(probe) : sql``} due as (
         select id from delivery
         where state = 'due' and due_at <= clock_timestamp() and lapses_at > clock_timestamp()
           and (claimed_until is null or claimed_until < clock_timestamp())
           and priority <= ${kinds === 'codes' ? PRIORITY_CODE : PRIORITY_OTHER} ${notForOperator} and ${NOT_HELD} ${mayProbe}
         order by priority, due_at limit ${count} for update skip locked
       ), claimed as (
         update delivery set claim = gen_random_uuid(), claimed_until = clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS}),
           attempts = attempts + 1
         where id in (select id from due) returning ${COLUMNS}
       ) ${probe ? moveLane(probe) : sql``} select * from claimed`.execute(database)
    return rows.map(toClaimed)
  }

  /** Claims up to `count` that nobody sent in time, to be ended. */
  async function claimLapsed(count: number): Promise<ClaimedDelivery[]> {
    const { rows } = await sql<ClaimedRow>`update delivery
      set claim = gen_random_uuid(), claimed_until = clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS})
      where id in (
        select id from delivery
        where state = 'due' and lapses_at <= clock_timestamp() and (claimed_until is null or claimed_until < clock_timestamp())
          ${notForOperator} and ${NOT_HELD}
        limit ${count} for update skip locked
      ) returning ${COLUMNS}`.execute(database)
    return rows.map(toClaimed)
  }

  /**
   * Claims those of the mails held for an operator that have these names (`NAME`), to be ended as sent: what was sent before a restore
   * was tried once more than the row knows.
   */
  async function claimHeld(names: readonly string[]): Promise<ClaimedDelivery[]> {
    if (holdBefore === undefined) return []
    const { rows } = await sql<ClaimedRow>`update delivery set claim = gen_random_uuid(), attempts = attempts + 1,
        claimed_until = clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS})
      where id in (
        select id from delivery
        where state = 'due' and ${isHeldSql(holdBefore)} and ${NAME} = any(${[...names]}::text[])
          and (claimed_until is null or claimed_until < clock_timestamp())
        for update skip locked
      ) returning ${COLUMNS}`.execute(database)
    return rows.map(toClaimed)
  }

  /** Gives up to `count` mails that are held for an operator their whole time again, before it is over. @returns how many */
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

  /** Gives a delivery back, due again after `waitMs`. */
  async function putOff({ id, claim }: ClaimedDelivery, waitMs: number, reason: string): Promise<void> {
    await sql`update delivery set due_at = clock_timestamp() + make_interval(secs => ${waitMs / 1_000}), outcome = ${reason},
      claim = null, claimed_until = null where id = ${id} and claim = ${claim}`.execute(database)
  }

  /** What waits, by kind; `held` of it for a suspended account. Costs a look at every row that waits. */
  async function readQueue() {
    const { rows } = await sql<{ kind: MailKind | OwnerKind; waiting: number; held: number; oldestSeconds: number }>`
      select kind, count(*)::int as waiting, count(*) filter (where not ${NOT_HELD})::int as held,
        extract(epoch from clock_timestamp() - min(created_at))::int as "oldestSeconds"
      from delivery where state = 'due' group by kind, priority order by priority, kind`.execute(database)
    return rows
  }

  return { addCode, addOwnerLetter, claim, claimLapsed, claimHeld, prolongHeld, putOff, readQueue }
}

export type Deliveries = ReturnType<typeof createDeliveries>

/** Nobody else may probe in this lane until the statement ends. */
const lockLane = ({ lane }: Probe) => sql`token as (
    select lane from relay_circuit where lane = ${lane} and probe_at <= clock_timestamp() for update skip locked
  ),`

/** A lane's next time moves on only when there was a mail to probe with. */
const moveLane = ({ lane, pace }: Probe) => sql`, used as (
    update relay_circuit set failures = failures + 1, probe_at = clock_timestamp() + ${pauseSql(pace, 'failures + 1')}
    where lane = ${lane} and exists (select 1 from claimed)
  )`

interface ClaimedRow {
  id: number
  claim: string
  contract_id: string | null
  party_index: number | null
  kind: MailKind | OwnerKind
  send_number: number
  attempts: number
  lapses_in_ms: number
  age_ms: number
  outcome: string | null
  traceparent: string | null
  request_id: string | null
  sealed_key_id: string | null
  sealed: Buffer | null
}

const COLUMNS = sql`id, claim, contract_id, party_index, kind, send_number, attempts, outcome, traceparent, request_id, sealed_key_id,
  sealed, (extract(epoch from lapses_at - clock_timestamp()) * 1000)::float8 as lapses_in_ms,
  (extract(epoch from clock_timestamp() - created_at) * 1000)::float8 as age_ms`

const toClaimed = (row: ClaimedRow): ClaimedDelivery => ({
  id: row.id,
  claim: row.claim,
  // The table's own rule: both or neither, by the kind.
  ...({ kind: row.kind, contractId: row.contract_id, partyIndex: row.party_index } as Addressee),
  sendNumber: row.send_number,
  attempts: row.attempts,
  lapsesInMs: row.lapses_in_ms,
  ageMs: row.age_ms,
  lastReason: row.outcome,
  traceparent: row.traceparent,
  sealed:
    row.sealed && row.sealed_key_id && row.request_id
      ? { requestId: row.request_id, keyId: row.sealed_key_id, bytes: row.sealed }
      : null,
})

/** Binds a ciphertext to its row. */
export const sealedContext = (requestId: string): string => `delivery:${requestId}`
