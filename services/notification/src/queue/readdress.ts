// The mails of a party whose address an owner corrected: an invitation to the new address, and one mail to the old one. [D61]
import type { EventData } from '@paraph/protocol/events'
import { sql, type Transaction } from 'kysely'
import { PRIORITY_OTHER, TRY_HOURS } from '../database.js'
import { addInvitation, lockParty, traceparent } from './add-delivery.js'

/** The recorded outcome of a mail that waited for an address that is no longer the party's. */
export const READDRESSED = 'address corrected'

/**
 * Ends the mails that wait, because each would go to the new address, and adds the two mails. The old address gets its mail only if it
 * accepted the newest invitation: who never got one needs no correction, and a refused mail would be refused again.
 */
export async function readdressParty(
  trx: Transaction<unknown>,
  { contractId, accountId, partyIndex, addressNumber }: EventData<'contract.party_readdressed'>,
): Promise<void> {
  await lockParty(trx, contractId, partyIndex)
  await sql`
    update delivery set state = 'skipped', outcome = ${READDRESSED}, finished_at = clock_timestamp(), claim = null, claimed_until = null,
           sealed = null
     where contract_id = ${contractId} and party_index = ${partyIndex} and state = 'due'
       and kind in ('invitation', 'reminder', 'code')`.execute(trx)
  await sql`
    insert into delivery (contract_id, account_id, party_index, kind, send_number, priority, lapses_at, traceparent)
    select ${contractId}, ${accountId}, ${partyIndex}::smallint, 'readdressed', ${addressNumber}, ${PRIORITY_OTHER},
           clock_timestamp() + make_interval(hours => ${TRY_HOURS}), ${traceparent()}::text
      from (select state from delivery where contract_id = ${contractId} and party_index = ${partyIndex}::smallint
               and kind = 'invitation' order by send_number desc limit 1) as newest
     where newest.state = 'accepted'
    on conflict on constraint delivery_once do nothing`.execute(trx)
  await addInvitation(trx, { contractId, accountId, partyIndex })
}
