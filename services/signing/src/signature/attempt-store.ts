// The rows of sign attempts: submitted once, whoever clicks how often, with the entries of the submission. [D30, D31, D41]
// Does not own: how an attempt ends (settlement.ts), nor whom to ask (sign.ts).
import { sql, type Kysely, type Transaction } from 'kysely'
import type { ContractFacts } from './contract-facts.js'
import type { AttemptState, SigningDatabase } from './database.js'
import { append } from './evidence-chain.js'
import { Personal, sha256Hex } from './evidence.js'
import { attemptIdOf } from './sign-attempt-id.js'
import type { MailboxSession } from '@paraph/codes/mailbox-session'
import type { Visitor } from './verification-code.js'

type Trx = Transaction<SigningDatabase>

export interface SignForm {
  partyIndex: number
  attemptId: string
  typedName: string
  consent: { id: string; text: string; language: string }
}

/** Where an attempt stands after it was submitted; `unknown`: this session has no such attempt for that party. */
export interface Attempt {
  state: AttemptState | 'unknown'
  signedAt: Date | null
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const UNKNOWN: Attempt = { state: 'unknown', signedAt: null }

/** Notes the submission, before anybody is asked. A second submission of the same attempt adds nothing. */
export async function submitAttempt(
  trx: Trx,
  session: MailboxSession,
  { contractId, contentSha256 }: ContractFacts,
  form: SignForm,
  visitor: Visitor,
): Promise<Attempt> {
  const { partyIndex, attemptId, typedName, consent } = form
  if (!UUID.test(attemptId)) return UNKNOWN
  const known = await readAttempt(trx, session, form)
  if (known) return known
  if (attemptId !== (await nextAttemptId(trx, session, partyIndex))) return UNKNOWN
  const { rows } = await sql`
    insert into sign_attempt (id, contract_id, party_index, session_id, state, typed_name, submitted_at)
    values (${attemptId}, ${contractId}, ${partyIndex}, ${session.id}, 'submitted', ${typedName}, clock_timestamp())
    on conflict do nothing returning 1`.execute(trx)
  // The other click of a double click was faster.
  if (rows.length === 0) return (await readAttempt(trx, session, form)) ?? UNKNOWN
  const sessionId = session.id
  await append(trx, contractId, 'consent.given', {
    ...{ partyIndex, sessionId },
    ...{ consentId: consent.id, consentSha256: sha256Hex(consent.text), language: consent.language },
  })
  await append(trx, contractId, 'signature.submitted', {
    ...{ partyIndex, attemptId, contentSha256, sessionId },
    typedName: new Personal(typedName),
    ip: new Personal(visitor.clientAddress),
    userAgent: new Personal(visitor.userAgent),
  })
  return { state: 'submitted', signedAt: null }
}

async function readAttempt(
  trx: Trx,
  session: MailboxSession,
  { attemptId, partyIndex }: SignForm,
): Promise<Attempt | undefined> {
  return trx
    .selectFrom('sign_attempt')
    .select(['state', 'signed_at as signedAt'])
    .where('id', '=', attemptId)
    .where('session_id', '=', session.id)
    .where('party_index', '=', partyIndex)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * The id of the session's live attempt for a party, or of its next one: made from what stays the same until a refusal, so that
 * showing a form writes nothing. It is no secret: only its own session can submit it.
 */
export async function nextAttemptId(trx: Trx, session: MailboxSession, partyIndex: number): Promise<string> {
  const { refused } = await trx
    .selectFrom('sign_attempt')
    .select(sql<number>`count(*)::int`.as('refused'))
    .where('session_id', '=', session.id)
    .where('party_index', '=', partyIndex)
    .where('state', '=', 'refused')
    .executeTakeFirstOrThrow()
  return attemptIdOf(session.id, partyIndex, refused)
}

/** True while an attempt of this party is on its way, from whatever browser: the answer to it did not come yet. */
export async function isOnItsWay(
  database: Kysely<SigningDatabase>,
  contractId: string,
  partyIndex: number,
): Promise<boolean> {
  return (await readUnrefused(database, contractId, partyIndex)).some(({ state }) => state === 'submitted')
}

/**
 * True where nobody may say that this party has not signed: an attempt is on its way, or was accepted since the contract service
 * was asked what stands.
 * @param exceptId an attempt whose end is known
 */
export async function mayHaveSigned(
  database: Kysely<SigningDatabase>,
  contractId: string,
  partyIndex: number,
  exceptId?: string,
): Promise<boolean> {
  return (await readUnrefused(database, contractId, partyIndex)).some(({ id }) => id !== exceptId)
}

const readUnrefused = (database: Kysely<SigningDatabase>, contractId: string, partyIndex: number) =>
  database
    .selectFrom('sign_attempt')
    .select(['id', 'state'])
    .where('contract_id', '=', contractId)
    .where('party_index', '=', partyIndex)
    .where('state', '<>', 'refused')
    .execute()

/** What a party typed when it signed; undefined while the acceptance is not noted here yet. */
export async function readTypedName(
  database: Kysely<SigningDatabase>,
  contractId: string,
  partyIndex: number,
): Promise<string | undefined> {
  const row = await database
    .selectFrom('sign_attempt')
    .select('typed_name')
    .where('contract_id', '=', contractId)
    .where('party_index', '=', partyIndex)
    .where('state', '=', 'accepted')
    .executeTakeFirst()
  return row?.typed_name
}
