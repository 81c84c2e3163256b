// The procedures of the notification service over a database of their own, over real HTTP. Sends no mail. For tests.
import type { Keyring } from '@paraph/config/keyring'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase } from '@paraph/database/test-database'
import { createContractMails } from '@paraph/notification/mail-history'
import type { NoticeRouter } from '@paraph/notification/notices/router'
import { createDeliveryIntake } from '@paraph/notification/queue/add-delivery'
import { createRpcRouter } from '@paraph/notification/rpc-router'
import type { TestMailbox } from '@paraph/notification/test-mailbox'
import type { WebhookRouter } from '@paraph/notification/webhooks/router'
import { openRpcFixture } from '@paraph/rpc/test/caller-fixture'
import { createLogger } from '@paraph/telemetry/logger'

export async function openNotificationFixture(codeKeys: Keyring) {
  const clone = await cloneTestDatabase('notification')
  const database = createDatabase<unknown>(openPool(clone.url, createLogger('notification', 'silent')))
  const triggerWorker = () => undefined
  const router = createRpcRouter({
    intake: createDeliveryIntake({ database, codeKeys }),
    contractMails: createContractMails({ database, readMailData: () => Promise.resolve(null), triggerWorker }),
    testMailbox: {} as TestMailbox,
    webhooks: {} as WebhookRouter,
    notices: {} as NoticeRouter,
    triggerWorker,
    isSmtpUnavailable: () => false,
  })
  let isUp = true
  const link = await openRpcFixture({
    caller: 'signing',
    callee: 'notification',
    router,
    line: (ctx, next) => (isUp ? next() : void ctx.req.socket.destroy()),
  })
  return {
    rpc: link.rpc,
    /** Starts or ends an outage, in which every request fails. */
    setUp: (next: boolean): void => void (isUp = next),
    async close(): Promise<void> {
      await link.close()
      await database.destroy()
      await clone.drop()
    },
  }
}
