// A party declines: the reason is stored here, the contract service decides, and its event enters the chain. [D57]
// Until the entry is written, the row holds the personal values; the entry takes them over, as commitments with disclosures.
import { randomUUID } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { MailboxSession } from '@paraph/codes/mailbox-session'
import { elementAt } from '@paraph/protocol/element-at'
import type { EventData } from '@paraph/protocol/events'
import { append } from '../chain/chain-store.js'
import { Personal, type Visitor } from '../chain/entry.js'
import { delayErasure } from '../chain/erasure.js'
import type { ContractClient, ContractView } from '../clients/contract.js'
import type { SigningDatabase } from '../database.js'

/** Why a party declines. `wrong_person`: the note may say whom to ask. */
export const DECLINE_REASONS = ['disagree', 'wrong_person', 'other'] as const
export type DeclineReason = (typeof DECLINE_REASONS)[number]
/** Characters of the note. */
export const DECLINE_NOTE_MAX = 500

export interface DeclineForm {
  partyIndex: number
  reason: DeclineReason
  note: string
}

export function createDeclines({
  database,
  contract,
}: {
  database: Kysely<SigningDatabase>
  contract: ContractClient
}) {
  /**
   * Declines for a party of the session's mailbox. A party that has declined stays as it is.
   * @returns the answer of the contract service, which alone decides
   * @throws Error if there is no answer: the party may have declined, and its event then enters the chain
   */
  return async (
    session: MailboxSession,
    { contractId, parties }: ContractView,
    form: DeclineForm,
    visitor: Visitor,
  ) => {
    const { partyIndex, reason, note } = form
    const declineId = randomUUID()
    await database.transaction().execute(async (trx) => {
      await delayErasure(trx, contractId)
      await sql`
        insert into decline (id, contract_id, party_index, session_id, reason, note, client_address, user_agent)
        values (${declineId}, ${contractId}, ${partyIndex}, ${session.id}, ${reason}, ${note}, ${visitor.clientAddress},
                ${visitor.userAgent})`.execute(trx)
    })
    const answer = await contract.ceremony.decline.mutate({
      contractId,
      partyIndex,
      addressNumber: elementAt(parties, partyIndex).addressNumber,
      declineId,
    })
    if (answer.outcome === 'refused' || !answer.isNew) await deleteDecline(database, declineId)
    return answer
  }
}

export type Decline = ReturnType<typeof createDeclines>

const deleteDecline = (executor: Kysely<SigningDatabase>, declineId: string) =>
  sql`delete from decline where id = ${declineId}`.execute(executor)

/** Appends the entry of a decline that the contract service has recorded. Without the row, as after a restore, it has no reason. */
export async function appendDecline(trx: Transaction<SigningDatabase>, data: EventData<'contract.party_declined'>) {
  const { contractId, partyIndex, declineId, declinedAt } = data
  type Row = { sessionId: string; reason: DeclineReason; note: string; clientAddress: string; userAgent: string }
  const { rows } = await sql<Row>`
    select session_id as "sessionId", reason, note, client_address as "clientAddress", user_agent as "userAgent"
      from decline where id = ${declineId}`.execute(trx)
  const [row] = rows
  await append(trx, contractId, 'party.declined', {
    partyIndex,
    declinedAt,
    ...(row && {
      sessionId: row.sessionId,
      reason: row.reason,
      ...(row.note === '' ? {} : { note: new Personal(row.note) }),
      ip: new Personal(row.clientAddress),
      userAgent: new Personal(row.userAgent),
    }),
  })
  await deleteDecline(trx, declineId)
}
