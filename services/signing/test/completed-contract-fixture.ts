// A contract that every party signed, with a closed chain and a queued seal. For tests of sealing and of stored documents.
import type { Environment } from '@paraph/protocol/environment'
import { mailboxOf } from '@paraph/protocol/text-rules'
import { append } from '../src/chain/chain-store.js'
import { Personal, type EntryType } from '../src/chain/entry.js'
import type { ContractView } from '../src/clients/contract.js'
import type { EvidenceKeys } from '../src/sealing/keys.js'
import { CONSENT } from '../src/signature/consent-text.js'
import { createEvidenceTasks, queueTask } from '../src/tasks/evidence-tasks.js'
import type { CeremonyFixture } from './ceremony-fixture.js'
import { SAMPLE_KEYS } from './evidence-fixture.js'

const VISITOR = { clientAddress: '192.0.2.7', userAgent: 'Mozilla/5.0 test' }
export const KEYS: Record<Environment, EvidenceKeys> = { production: SAMPLE_KEYS, sandbox: SAMPLE_KEYS }

/** Appends the entry of a verified code, because the fixture's sessions begin without one. */
const confirmMailbox = (
  { database }: CeremonyFixture,
  { contractId }: ContractView,
  email: string,
  sessionId: string,
) =>
  database
    .transaction()
    .execute((trx) =>
      append(trx, contractId, 'code.verified', {
        codeId: new Personal(`code of ${sessionId}`),
        sessionId,
        mailbox: new Personal(mailboxOf(email)),
        ip: new Personal(VISITOR.clientAddress),
        userAgent: new Personal(VISITOR.userAgent),
      }),
    )

/** @param without types of entries that the chain lacks @param codesTo the mailbox that receives every code */
export async function completeContract(
  fixture: CeremonyFixture,
  partyCount = 2,
  { without = [], codesTo }: { without?: EntryType[]; codesTo?: string } = {},
): Promise<ContractView> {
  const view = await fixture.createContract(partyCount)
  for (let partyIndex = 0; partyIndex < partyCount; partyIndex += 1) {
    const session = await fixture.sessionOf(view, partyIndex)
    const { email } = view.parties[partyIndex]!
    if (!without.includes('code.verified')) await confirmMailbox(fixture, view, codesTo ?? email, session.id)
    const attemptId = await fixture.signing.prepare(session, view, partyIndex, 'en')
    const consent = { id: CONSENT.id, text: CONSENT.text.en, language: 'en' }
    const form = { partyIndex, attemptId, typedName: `Person ${partyIndex}`, consent }
    await fixture.signing.sign(session, view, form, VISITOR)
  }
  const { contractId, accountId, environment } = view
  const now = (await fixture.contract.ceremony.byId.query({ contractId }))!
  const data = { contractId, accountId, environment, total: partyCount, completedAt: now.completedAt! }
  await fixture.database.transaction().execute((trx) => queueTask(trx, { type: 'contract.completed', data } as never))
  const tasks = createEvidenceTasks(fixture)
  while (await tasks.next());
  return now
}
