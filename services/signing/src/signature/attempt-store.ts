// The rows of sign attempts and the entries of their submission: a double click submits once. [D30, D31, D41]
// Does not own: how an attempt ends (finish-attempt.ts), the calls to the contract service (sign.ts).
import { elementAt } from '@paraph/protocol/element-at'
import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { ContractView } from '../clients/contract.js'
import type { AttemptState, SigningDatabase } from '../database.js'
import { appendSql } from '../chain/chain-store.js'
import { ContractErased } from '../chain/erasure.js'
import { Personal, sha256Hex, type Visitor } from '../chain/entry.js'
import type { MailboxSession } from '@paraph/codes/mailbox-session'

export interface SignForm {
  partyIndex: number
  attemptId: string
  typedName: string
  consent: { id: string; text: string; language: string }
}

/** The status of a submitted attempt; `unknown`: this session has no such attempt for that party. */
export interface Attempt {
  state: AttemptState | 'unknown'
  signedAt: Date | null
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const UNKNOWN: Attempt = { state: 'unknown', signedAt: null }

/**
 * Records the submission and its entries, before the contract service is called. Submitting the same attempt again adds nothing.
 * @throws ContractErased when the contract was erased
 */
export async function submitAttempt(
  database: Kysely<SigningDatabase>,
  session: MailboxSession,
  { contractId, contentSha256 }: ContractView,
  form: SignForm,
  visitor: Visitor,
): Promise<Attempt> {
  const { partyIndex, attemptId, typedName, consent } = form
  if (!UUID.test(attemptId)) return UNKNOWN
  const attempts = await readAttempts(database, session, partyIndex)
  const known = attempts.find(({ id }) => id === attemptId)
  if (known) return known
  const refused = attempts.filter(({ state }) => state === 'refused').length
  if (attemptId !== attemptIdOf(session.id, partyIndex, refused)) return UNKNOWN
  const sessionId = session.id
  const given = {
    partyIndex,
    sessionId,
    consentId: consent.id,
    consentSha256: sha256Hex(consent.text),
    language: consent.language,
  }
  const submitted = {
    partyIndex,
    attemptId,
    contentSha256,
    sessionId,
    typedName: new Personal(typedName),
    ip: new Personal(visitor.clientAddress),
    userAgent: new Personal(visitor.userAgent),
  }
  const entries = appendSql(contractId, [
    { type: 'consent.given', data: given },
    { type: 'signature.submitted', data: submitted },
  ])
  const { rows } = await sql<{ isErased: boolean; isNew: boolean }>`
    with erasure as materialized (select delay_erasure(${contractId}) as is_erased),
    attempt as (
      insert into sign_attempt (id, contract_id, party_index, session_id, state, typed_name, submitted_at)
      select ${attemptId}::uuid, ${contractId}, ${partyIndex}::int, ${sessionId}::uuid, 'submitted', ${typedName}, clock_timestamp()
        from erasure where not is_erased
      on conflict do nothing returning 1),
    entry as materialized (select ${entries} from attempt)
    select is_erased as "isErased", exists (select from entry) as "isNew" from erasure`.execute(database)
  const { isErased, isNew } = elementAt(rows, 0)
  if (isErased) throw new ContractErased()
  if (isNew) return { state: 'submitted', signedAt: null }
  // The other click of a double click inserted the row first.
  return (await readAttempts(database, session, partyIndex)).find(({ id }) => id === attemptId) ?? UNKNOWN
}

const readAttempts = (database: Kysely<SigningDatabase>, session: MailboxSession, partyIndex: number) =>
  database
    .selectFrom('sign_attempt')
    .select(['id', 'state', 'signed_at as signedAt'])
    .where(({ and }) => and({ session_id: session.id, party_index: partyIndex }))
    .execute()

/**
 * The id of the session's live attempt for a party, or of its next attempt. The id changes only after a refusal, so that showing a form
 * writes nothing. The id is not a secret: only its own session can submit it.
 */
export async function nextAttemptId(
  database: Kysely<SigningDatabase>,
  session: MailboxSession,
  partyIndex: number,
): Promise<string> {
  const { refused } = await database
    .selectFrom('sign_attempt')
    .select(sql<number>`count(*)::int`.as('refused'))
    .where(({ and }) => and({ session_id: session.id, party_index: partyIndex, state: 'refused' }))
    .executeTakeFirstOrThrow()
  return attemptIdOf(session.id, partyIndex, refused)
}

/** The id of an attempt: a UUID of version 8. [RFC 9562 5.8] @param refusedBefore the number of refused attempts of this session and party */
function attemptIdOf(sessionId: string, partyIndex: number, refusedBefore: number): string {
  const bytes = createHash('sha256')
    .update(`sign attempt ${sessionId} ${partyIndex} ${refusedBefore}`)
    .digest()
    .subarray(0, 16)
  bytes[6] = (elementAt(bytes, 6) & 0x0f) | 0x80
  bytes[8] = (elementAt(bytes, 8) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The attempts of this party, from any browser, that are pending or accepted. */
export const readUnrefused = (database: Kysely<SigningDatabase>, contractId: string, partyIndex: number) =>
  database
    .selectFrom('sign_attempt')
    .select(['id', 'state'])
    .where(({ and }) => and({ contract_id: contractId, party_index: partyIndex }))
    .where('state', '<>', 'refused')
    .execute()

/** The name that a party typed when it signed; undefined until the acceptance is recorded here. */
export async function readTypedName(
  database: Kysely<SigningDatabase>,
  contractId: string,
  partyIndex: number,
): Promise<string | undefined> {
  const row = await database
    .selectFrom('sign_attempt')
    .select('typed_name')
    .where(({ and }) => and({ contract_id: contractId, party_index: partyIndex, state: 'accepted' }))
    .executeTakeFirst()
  return row?.typed_name
}
