// Queues the parties of sandbox contracts that sign or decline by themselves: because of their address, or because the owner asks in the console.
// simulated-parties.ts acts for them. No party of a production contract is ever queued. [D63]
import { sql, type Kysely } from 'kysely'
import { simulatedActOf } from '@paraph/protocol/simulator'
import { currentTraceparent } from '@paraph/telemetry/trace-context'
import type { ContractView } from '../clients/contract.js'
import type { SigningDatabase } from '../database.js'

/** Queues the parties of a new sandbox contract that sign by themselves, once each. */
export async function queueSimulatedParties(
  trx: Kysely<SigningDatabase>,
  view: Pick<ContractView, 'contractId' | 'environment' | 'parties'>,
): Promise<void> {
  for (const [partyIndex, { email }] of view.parties.entries()) {
    const act = simulatedActOf(email)
    if (typeof act !== 'object') continue
    if (act.act === 'signs') await queue(trx, view, partyIndex, { act: 'sign', afterSeconds: act.afterSeconds })
    if (act.act === 'declines') await queue(trx, view, partyIndex, { act: 'decline' })
  }
}

/** Queues a party of a sandbox contract to sign now. @returns false for a contract of production and an unknown party */
export async function signAsParty(
  database: Kysely<SigningDatabase>,
  view: Pick<ContractView, 'contractId' | 'environment' | 'parties'>,
  partyIndex: number,
): Promise<boolean> {
  if (view.environment !== 'sandbox' || !view.parties[partyIndex]) return false
  await queue(database, view, partyIndex, { act: 'sign' })
  return true
}

async function queue(
  database: Kysely<SigningDatabase>,
  { contractId, environment }: Pick<ContractView, 'contractId' | 'environment'>,
  partyIndex: number,
  { act, afterSeconds = 0 }: { act: 'sign' | 'decline'; afterSeconds?: number },
): Promise<void> {
  if (environment !== 'sandbox') return
  await sql`
    insert into simulated_party as queued (contract_id, party_index, act, due_at, traceparent)
    values (${contractId}, ${partyIndex}, ${act}, clock_timestamp() + make_interval(secs => ${afterSeconds}),
            ${currentTraceparent() ?? null})
    on conflict (contract_id, party_index) do update
       set due_at = least(queued.due_at, excluded.due_at), act = excluded.act, finished_at = null`.execute(database)
}
