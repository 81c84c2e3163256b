// Publishes once for each invitation that it has waited too long, for example because the mail server does not take it. [D52]
// Does not own: the end of a mail, which has an event of its own (finish-delivery.ts).
import { createLoop } from '@paraph/background/loop'
import { appendToOutbox } from '@paraph/messaging/outbox'
import type { EventData } from '@paraph/protocol/events'
import type { Logger } from '@paraph/telemetry/logger'
import { sql, type Kysely } from 'kysely'

const DELAYED_AFTER_SECONDS = 300
/** A round reads every due mail. */
const PAUSE_MS = 15_000
const BATCH = 200

/** The mails of suspended accounts wait for their account, not for the mail server. [D37] */
const WAITS_TOO_LONG = sql`state = 'due' and kind = 'invitation' and not is_delayed and due_at < 'infinity'
  and created_at < clock_timestamp() - make_interval(secs => ${sql.lit(DELAYED_AFTER_SECONDS)})`

type DelayedRow = Omit<EventData<'email.delayed'>, 'createdAt' | 'delayedAt'> & {
  sequence: number
  createdAt: Date
  at: Date
}

export interface DelayedInvitationsDeps {
  database: Kysely<unknown>
  notifyRelay: () => void
  logger: Logger
}

export const createDelayedInvitations = ({ database, notifyRelay, logger }: DelayedInvitationsDeps) =>
  createLoop({
    name: 'delayed invitations',
    async work() {
      const delayed = await publishDelayed(database)
      if (delayed > 0) notifyRelay()
      return delayed >= BATCH
    },
    pauseMs: PAUSE_MS,
    failureMessage: 'could not publish which invitations are delayed; retrying',
    logger,
  })

/** Publishes the delayed invitations of up to 200 contracts, in one transaction. Any number of processes may call it. @returns their number */
export const publishDelayed = (database: Kysely<unknown>): Promise<number> =>
  database.transaction().execute(async (trx) => {
    // Locks the contract's row before the deliveries, as finishDelivery does. A locked contract has its turn in the next round.
    const { rows } = await sql<DelayedRow>`with contract as (
        select contract_id, account_id, environment from contract_mail
         where account_id is not null
           and contract_id in (select contract_id from delivery where ${WAITS_TOO_LONG} limit ${BATCH})
           for update skip locked
      ), delayed as (
        update delivery set is_delayed = true
         where id in (select id from delivery where contract_id in (select contract_id from contract) and ${WAITS_TOO_LONG} for update skip locked)
        returning *
      ), numbered as (
        update contract_mail m set sequence = m.sequence + added.events
          from (select contract_id, count(*) as events from delayed group by contract_id) added
         where m.contract_id = added.contract_id returning m.contract_id, m.sequence
      )
      select d.contract_id as "contractId", c.account_id as "accountId", c.environment, d.kind, d.party_index as "partyIndex",
             d.send_number as "sendNumber", d.attempts, d.created_at as "createdAt", clock_timestamp() as at,
             (n.sequence - count(*) over contract_of + row_number() over (contract_of order by d.id))::int as sequence
        from delayed d join contract c using (contract_id) join numbered n using (contract_id)
      window contract_of as (partition by d.contract_id)
       order by d.id`.execute(trx)
    await appendToOutbox(
      trx,
      ...rows.map(({ sequence, createdAt, at, ...mail }) => ({
        topic: 'notification.events.v1' as const,
        type: 'email.delayed' as const,
        subject: mail.contractId,
        sequence,
        time: at,
        data: { ...mail, createdAt: createdAt.toISOString(), delayedAt: at.toISOString() },
      })),
    )
    return rows.length
  })
