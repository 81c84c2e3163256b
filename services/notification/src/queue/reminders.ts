// Adds the reminders to the parties of contracts that expire soon, each once. [D58]
// Does not own: who still needs one, which is decided when the mail is sent (compose/contract-mail.ts).
import { createLoop } from '@paraph/background/loop'
import type { Logger } from '@paraph/telemetry/logger'
import { sql, type Kysely } from 'kysely'
import { PRIORITY_OTHER } from '../database.js'

/** Hours before the expiry at which a reminder is added, the first and the second. */
const HOURS_BEFORE = [72, 24] as const
/** Two reminders of a party are at least this far apart, so the first is not sent later than that before the second. */
const HOURS_APART = 20
/** No reminder is sent in the last hour, and none soon after another invitation. */
const LAST_HOURS = 1
const PAUSE_MS = 60_000
const BATCH = 200

export interface RemindersDeps {
  database: Kysely<unknown>
  /** Called after reminders were added. */
  triggerWorker: () => void
  logger: Logger
}

export const createReminders = ({ database, triggerWorker, logger }: RemindersDeps) =>
  createLoop({
    name: 'reminders',
    async work() {
      const contracts = await addReminders(database)
      if (contracts > 0) triggerWorker()
      return contracts >= BATCH
    },
    pauseMs: PAUSE_MS,
    failureMessage: 'could not add reminders; retrying',
    logger,
  })

/**
 * Adds the due reminders of up to 200 contracts, in one statement. After a pause of the service in which both became due, only the second.
 * A party whose newest invitation was refused, or was sent less than 20 hours ago, gets none. Any number of processes may call it.
 * @returns the number of contracts
 */
export async function addReminders(database: Kysely<unknown>): Promise<number> {
  const [first, second] = HOURS_BEFORE.map((hours) => sql.lit(hours))
  const { rows } = await sql<{ contracts: number }>`with due as (
      select contract_id, account_id, expires_at,
             case when expires_at <= clock_timestamp() + make_interval(hours => ${second}) then 2 else 1 end as stage
        from contract_mail
       where reminders < 2 and ended is null and environment = 'production'
         and expires_at <= clock_timestamp() + make_interval(hours => case reminders when 0 then ${first} else ${second} end)
       order by expires_at limit ${BATCH} for update skip locked
    ), counted as (
      update contract_mail m set reminders = due.stage from due where m.contract_id = due.contract_id returning m.contract_id
    ), newest as (
      select distinct on (d.contract_id, d.party_index) d.contract_id, d.party_index, d.state, d.created_at, d.traceparent
        from delivery d join due using (contract_id) where d.kind = 'invitation'
       order by d.contract_id, d.party_index, d.send_number desc
    ), added as (
      insert into delivery (contract_id, account_id, party_index, kind, send_number, priority, lapses_at, traceparent)
      select due.contract_id, due.account_id, newest.party_index, 'reminder', due.stage, ${PRIORITY_OTHER},
             due.expires_at - make_interval(hours => case due.stage when 1 then ${second} + ${sql.lit(HOURS_APART)} else ${sql.lit(LAST_HOURS)} end),
             newest.traceparent
        from due join newest using (contract_id)
       where newest.state in ('accepted', 'skipped')
         and newest.created_at < clock_timestamp() - make_interval(hours => ${sql.lit(HOURS_APART)})
         and due.expires_at > clock_timestamp() + make_interval(hours => ${sql.lit(LAST_HOURS)})
      on conflict on constraint delivery_once do nothing
    )
    select count(*)::int as contracts from counted`.execute(database)
  return rows[0]?.contracts ?? 0
}
