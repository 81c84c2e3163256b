// Mails the owners of an account that a webhook endpoint was disabled. [D65]
// Notification disables it, and does not know who owns the account.
import type { TRPCClient } from '@trpc/client'
import { sql, type Kysely } from 'kysely'
import { createLoop } from '@paraph/background/loop'
import { settleAll } from '@paraph/background/settle-all'
import type { RpcRouter as NotificationRouter } from '@paraph/notification/rpc-router'
import type { Logger } from '@paraph/telemetry/logger'
import type { GatewayDatabase } from '../database.js'
import { lockAccount } from './account-change.js'
import { recordAct, SERVICE } from './audit.js'
import { queueMailToOwners } from './owner-mail-queue.js'

const PAUSE_MS = 60_000

interface DisabledWebhooksDeps {
  database: Kysely<GatewayDatabase>
  webhooks: Pick<TRPCClient<NotificationRouter>['webhooks'], 'disabled' | 'reported'>
  /** Called after mails were queued. */
  triggerMails: () => void
  logger: Logger
}

/** Any number of gateways may run the loop: each disabling is mailed once. */
export function createDisabledWebhooks({ database, webhooks, triggerMails, logger }: DisabledWebhooksDeps) {
  /** Always returns false: what is left waits for the next round. */
  async function report(): Promise<false> {
    const disabled = await webhooks.disabled.query()
    await settleAll(disabled, reportOne, (error, { id }) =>
      logger.warn({ err: error, endpointId: id }, 'could not report a disabled webhook endpoint; retrying in 60 s'),
    )
    return false
  }

  async function reportOne({ id, accountId, disabledAt }: { id: string; accountId: string; disabledAt: string }) {
    await database.transaction().execute(async (trx) => {
      const { name: accountName } = await lockAccount(trx, accountId)
      const { rows } = await sql`
        select 1 from audit_entry
         where account_id = ${accountId} and act = 'webhook.disabled' and subject = ${id}
           and facts ->> 'disabledAt' = ${disabledAt}`.execute(trx)
      if (rows.length > 0) return
      await recordAct(trx, { actor: SERVICE, act: 'webhook.disabled', accountId, subject: id, facts: { disabledAt } })
      await queueMailToOwners(trx, { accountId, kind: 'webhook_disabled', data: { accountName } })
    })
    triggerMails()
    await webhooks.reported.mutate({ id })
  }

  return createLoop({
    name: 'disabled webhooks',
    work: report,
    pauseMs: PAUSE_MS,
    failureMessage: 'could not read disabled webhook endpoints from the notification service; retrying',
    logger,
  })
}
