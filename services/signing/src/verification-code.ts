// One-time codes: asked for by typing an address, proven by typing the code. [D16, D42]
// Owns: challenges, codes, counts. Parties and strangers take the same path through the same statements; only the row of
// the code differs (a stranger's can never match) and who reads the mail.
import { randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import { mailboxOf } from '@paraph/protocol/text-rules'
import { authenticate, seal, type Keyring } from '@paraph/service/keyring'
import {
  CHALLENGES_PER_CLIENT_AND_HOUR,
  CODE_TTL_SECONDS,
  decideSend,
  LIVE_CODES_MAX,
  WRONG_CODES_BEFORE_LONG,
  type SendDecision,
} from './code-throttle.js'
import { partiesOf, type ContractFacts } from './contract-facts.js'
import type { SigningDatabase } from './database.js'
import { append, openChain } from './evidence-chain.js'
import { Personal } from './evidence.js'
import { startSession, type StartedSession } from './signing-session.js'

type Trx = Transaction<SigningDatabase>

/** What a person meets as the code page. */
export interface Challenge {
  id: string
  mailbox: string
  /** The address as typed. */
  typed: string
  triesLeft: number
  /** Length of the address's next code. */
  digits: 6 | 12
  isResend: boolean
  refusal: { reason: 'too_soon' | 'used_up'; tryAgainAt: Date } | undefined
}

export type CodeOutcome =
  | { kind: 'verified'; session: StartedSession }
  /** No try used: it cannot be a code. */
  | { kind: 'wrong_shape'; challenge: Challenge }
  | { kind: 'wrong'; challenge: Challenge }
  | { kind: 'expired'; challenge: Challenge }
  | { kind: 'used'; challenge: Challenge }
  | { kind: 'dead'; challenge: Challenge }

export interface Visitor {
  clientAddress: string
  userAgent: string
}

export function createVerificationCodes({
  database,
  peppers,
  codeKeys,
  wakeSending,
}: {
  database: Kysely<SigningDatabase>
  peppers: Keyring
  codeKeys: Keyring
  wakeSending: () => void
}) {
  /**
   * Makes a challenge for the typed address and, where the limits allow, a code that is pushed to notification after the answer.
   * @returns undefined when this client asked too often
   */
  async function request(
    facts: ContractFacts,
    { typed, isResend }: { typed: string; isResend: boolean },
    visitor: Visitor,
  ): Promise<{ challengeId: string } | undefined> {
    const mailbox = mailboxOf(typed)
    const challengeId = randomBytes(16).toString('base64url')
    const client = authenticate(peppers, `client ${visitor.clientAddress}`)
    const made = await database.transaction().execute(async (trx) => {
      await lockContract(trx, facts.contractId)
      if (await isClientOverLimit(trx, client)) return undefined
      const decision = await send(trx, facts, mailbox)
      await trx
        .insertInto('challenge')
        .values({
          id: challengeId,
          contract_id: facts.contractId,
          mailbox,
          typed,
          client_hmac: client,
          is_resend: isResend,
          send_refusal: decision.send ? null : decision.reason,
          try_again_at: decision.send ? null : decision.tryAgainAt,
        })
        .execute()
      return { challengeId }
    })
    if (made) wakeSending()
    return made
  }

  /** Makes a code where the limits allow it. Under the contract's lock, so that the counts are exact. */
  async function send(trx: Trx, facts: ContractFacts, mailbox: string): Promise<SendDecision> {
    const now = await readClock(trx)
    const decision = decideSend(await readHistory(trx, facts, mailbox), now)
    if (!decision.send) return decision
    const [partyIndex] = partiesOf(facts, mailbox)
    const digits = await digitsOf(trx, facts.contractId, mailbox)
    const code = randomInt(10 ** digits)
    const text = String(code).padStart(digits, '0')
    const id = randomUUID()
    const expiresAt = new Date(now.getTime() + CODE_TTL_SECONDS * 1_000)
    await endOldest(trx, facts.contractId, mailbox, LIVE_CODES_MAX - 1)
    await trx
      .insertInto('one_time_code')
      .values({
        id,
        contract_id: facts.contractId,
        mailbox,
        // A stranger's row holds noise: no code opens it.
        code_hmac:
          partyIndex === undefined ? randomBytes(32) : hmacOf(facts.contractId, mailbox, text, peppers.currentId),
        pepper_id: peppers.currentId,
        expires_at: expiresAt,
      })
      .execute()
    const sealed = seal(codeKeys, text, id)
    await trx
      .insertInto('code_send')
      .values({
        id,
        contract_id: facts.contractId,
        mailbox,
        party_index: partyIndex ?? null,
        code_sealed: sealed.bytes,
        code_key_id: sealed.keyId,
        expires_at: expiresAt,
      })
      .execute()
    return decision
  }

  /** The challenge of this contract, or undefined. */
  async function find(contractId: string, challengeId: string): Promise<Challenge | undefined> {
    return read(database, contractId, challengeId)
  }

  /**
   * Checks a typed code. Right: every code of the mailbox ends, a session begins, the chain says so, all in one transaction.
   * Wrong: the challenge loses a try; after 100 wrong ones in a row the address's codes end and its next have 12 digits.
   */
  async function verify(
    facts: ContractFacts,
    challengeId: string,
    typedCode: string,
    visitor: Visitor,
  ): Promise<CodeOutcome | undefined> {
    return database.transaction().execute(async (trx) => {
      await lockContract(trx, facts.contractId)
      const challenge = await read(trx, facts.contractId, challengeId)
      if (!challenge) return undefined
      if (challenge.triesLeft === 0) return { kind: 'dead', challenge }
      const code = typedCode.normalize('NFKC').replace(/[\s\p{Pd}.]/gu, '')
      const codes = await readCodes(trx, facts.contractId, challenge.mailbox)
      if (!/^[0-9]+$/.test(code) || code.length !== challenge.digits) return { kind: 'wrong_shape', challenge }
      // Every code is compared, matching or not, so that the time tells nothing.
      const matches = codes.filter((row) =>
        timingSafeEqual(row.code_hmac, hmacOf(facts.contractId, challenge.mailbox, code, row.pepper_id)),
      )
      const live = matches.find((row) => row.is_live)
      if (live) return { kind: 'verified', session: await succeed(trx, facts, challenge, live.id, visitor) }
      const triesLeft = await useTry(trx, challenge.id)
      const after = { ...challenge, triesLeft }
      if (matches.some((row) => row.ended_by === 'used' || row.ended_by === 'success'))
        return { kind: 'used', challenge: after }
      if (matches.length > 0) return { kind: 'expired', challenge: after }
      await countWrong(trx, facts, challenge.mailbox)
      return triesLeft === 0 ? { kind: 'dead', challenge: after } : { kind: 'wrong', challenge: after }
    })
  }

  async function succeed(
    trx: Trx,
    facts: ContractFacts,
    challenge: Challenge,
    codeId: string,
    visitor: Visitor,
  ): Promise<StartedSession> {
    const { contractId } = facts
    await trx
      .updateTable('one_time_code')
      .set({
        ended_at: sql<Date>`clock_timestamp()`,
        ended_by: sql<'used'>`case when id = ${codeId} then 'used' else 'success' end`,
      })
      .where('contract_id', '=', contractId)
      .where('mailbox', '=', challenge.mailbox)
      .where('ended_at', 'is', null)
      .execute()
    await trx.updateTable('challenge').set({ tries_left: 0 }).where('id', '=', challenge.id).execute()
    await trx
      .updateTable('mailbox_guard')
      .set({ wrong_in_row: 0, code_digits: 6 })
      .where('contract_id', '=', contractId)
      .where('mailbox', '=', challenge.mailbox)
      .execute()
    const session = await startSession(trx, contractId, challenge.mailbox)
    await openChain(trx, facts)
    await append(trx, contractId, 'code.verified', {
      codeId,
      sessionId: session.id,
      mailbox: new Personal(challenge.mailbox),
      ip: new Personal(visitor.clientAddress),
      userAgent: new Personal(visitor.userAgent),
    })
    return session
  }

  /** Counts a wrong code for the address; at 100 its live codes end and the next are long. `code.locked` is that moment. */
  async function countWrong(trx: Trx, facts: ContractFacts, mailbox: string): Promise<void> {
    const { contractId } = facts
    const guard = await trx
      .insertInto('mailbox_guard')
      .values({ contract_id: contractId, mailbox, wrong_in_row: 1, code_digits: 6 })
      .onConflict((conflict) =>
        conflict
          .columns(['contract_id', 'mailbox'])
          .doUpdateSet({ wrong_in_row: sql<number>`mailbox_guard.wrong_in_row + 1` }),
      )
      .returning(['wrong_in_row', 'code_digits'])
      .executeTakeFirstOrThrow()
    if (guard.wrong_in_row < WRONG_CODES_BEFORE_LONG || guard.code_digits === 12) return
    await trx
      .updateTable('mailbox_guard')
      .set({ code_digits: 12 })
      .where('contract_id', '=', contractId)
      .where('mailbox', '=', mailbox)
      .execute()
    await trx
      .updateTable('one_time_code')
      .set({ ended_at: sql<Date>`clock_timestamp()`, ended_by: 'locked' })
      .where('contract_id', '=', contractId)
      .where('mailbox', '=', mailbox)
      .where('ended_at', 'is', null)
      .execute()
    // A stranger's address never reaches the chain, or anybody could fill it.
    if (partiesOf(facts, mailbox).length === 0) return
    await openChain(trx, facts)
    await append(trx, contractId, 'code.locked', { mailbox: new Personal(mailbox) })
  }

  const hmacOf = (contractId: string, mailbox: string, code: string, pepperId: string): Buffer =>
    peppers.keys.has(pepperId)
      ? authenticate(peppers, `code ${contractId} ${mailbox} ${code}`, pepperId)
      : randomBytes(32)

  return { request, find, verify }
}

export type VerificationCodes = ReturnType<typeof createVerificationCodes>

/** Serialises what is counted per contract; released at commit. */
async function lockContract(trx: Trx, contractId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`codes ${contractId}`}, 0))`.execute(trx)
}

async function readClock(trx: Trx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(trx)
  return rows[0]!.now
}

async function isClientOverLimit(trx: Trx, client: Buffer): Promise<boolean> {
  const { rows } = await sql<{ made: number }>`
    select count(*)::int as made from challenge
     where client_hmac = ${client} and created_at > clock_timestamp() - interval '1 hour'`.execute(trx)
  return rows[0]!.made >= CHALLENGES_PER_CLIENT_AND_HOUR
}

async function readHistory(trx: Trx, facts: ContractFacts, mailbox: string) {
  const { rows } = await sql<{ mailbox_matches: boolean; is_real: boolean; created_at: Date }>`
    select mailbox = ${mailbox} as mailbox_matches, party_index is not null as is_real, created_at
      from code_send
     where contract_id = ${facts.contractId} and created_at > clock_timestamp() - interval '24 hours'
     order by created_at desc`.execute(trx)
  return {
    toAddress: rows.filter((row) => row.mailbox_matches).map((row) => row.created_at),
    toParties: rows.filter((row) => row.is_real).map((row) => row.created_at),
    partyCount: facts.parties.length,
  }
}

async function digitsOf(trx: Trx, contractId: string, mailbox: string): Promise<6 | 12> {
  const guard = await trx
    .selectFrom('mailbox_guard')
    .select('code_digits')
    .where('contract_id', '=', contractId)
    .where('mailbox', '=', mailbox)
    .executeTakeFirst()
  return guard?.code_digits === 12 ? 12 : 6
}

/** Ends all but the `keep` newest live codes of the mailbox. */
async function endOldest(trx: Trx, contractId: string, mailbox: string, keep: number): Promise<void> {
  await sql`
    update one_time_code set ended_at = clock_timestamp(), ended_by = 'superseded'
     where id in (select id from one_time_code
                   where contract_id = ${contractId} and mailbox = ${mailbox} and ended_at is null and expires_at > clock_timestamp()
                   order by created_at desc offset ${keep})`.execute(trx)
}

interface CodeRow {
  id: string
  code_hmac: Buffer
  pepper_id: string
  is_live: boolean
  ended_by: string | null
}

/** Live codes, and those that ended within the hour: whoever types one of these deserves to hear why it does not work. */
async function readCodes(trx: Trx, contractId: string, mailbox: string): Promise<CodeRow[]> {
  const { rows } = await sql<CodeRow>`
    select id, code_hmac, pepper_id, ended_by, (ended_at is null and expires_at > clock_timestamp()) as is_live
      from one_time_code
     where contract_id = ${contractId} and mailbox = ${mailbox} and expires_at > clock_timestamp() - interval '1 hour'`.execute(
    trx,
  )
  return rows
}

async function useTry(trx: Trx, challengeId: string): Promise<number> {
  const row = await trx
    .updateTable('challenge')
    .set({ tries_left: sql<number>`tries_left - 1` })
    .where('id', '=', challengeId)
    .where('tries_left', '>', 0)
    .returning('tries_left')
    .executeTakeFirst()
  return row?.tries_left ?? 0
}

async function read(
  database: Kysely<SigningDatabase>,
  contractId: string,
  challengeId: string,
): Promise<Challenge | undefined> {
  const row = await database
    .selectFrom('challenge')
    .leftJoin('mailbox_guard', (join) =>
      join
        .onRef('mailbox_guard.contract_id', '=', 'challenge.contract_id')
        .onRef('mailbox_guard.mailbox', '=', 'challenge.mailbox'),
    )
    .select([
      'challenge.id',
      'challenge.mailbox',
      'typed',
      'tries_left',
      'is_resend',
      'send_refusal',
      'try_again_at',
      'code_digits',
    ])
    .where('challenge.id', '=', challengeId)
    .where('challenge.contract_id', '=', contractId)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    id: row.id,
    mailbox: row.mailbox,
    typed: row.typed,
    triesLeft: row.tries_left,
    digits: row.code_digits === 12 ? 12 : 6,
    isResend: row.is_resend,
    refusal:
      row.send_refusal && row.try_again_at ? { reason: row.send_refusal, tryAgainAt: row.try_again_at } : undefined,
  }
}
