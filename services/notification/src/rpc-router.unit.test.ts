import type { Caller } from '@paraph/protocol/services'
import { expect, it } from '@jest/globals'
import type { ContractMails } from './mail-history.js'
import type { DeliveryIntake } from './queue/add-delivery.js'
import { OWNER_MAIL_NAMES, sampleOwnerMail } from '../test/mail-fixture.js'
import type { OwnerMailData } from './compose/mail-data.js'
import { createRpcRouter } from './rpc-router.js'
import type { TestMailbox } from './test-mailbox.js'
import type { NoticeRouter } from './notices/router.js'
import type { WebhookRouter } from './webhooks/router.js'

/** Opens the procedures for owner mails as the caller `issuer`. `accepted`: the owner mails that were accepted. */
function open(issuer: Caller) {
  const accepted: OwnerMailData[] = []
  let triggers = 0
  const router = createRpcRouter({
    intake: { addOwnerMail: async (mail) => void accepted.push(mail) } as Partial<DeliveryIntake> as DeliveryIntake,
    contractMails: {} as ContractMails,
    testMailbox: {} as TestMailbox,
    webhooks: {} as WebhookRouter,
    notices: {} as NoticeRouter,
    triggerWorker: () => (triggers += 1),
    isSmtpUnavailable: () => false,
  })
  const { owner } = router.createCaller({ caller: { issuer, principal: undefined }, requestId: 'r' } as never)
  const push = (ownerMail: OwnerMailData) => (ownerMail.kind === 'code' ? owner.code(ownerMail) : owner.mail(ownerMail))
  return { push, accepted, triggers: () => triggers }
}

const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'accepted',
    ({ code }: { code?: unknown }) => code,
  )

it('the procedures accept every kind of owner mail unchanged, and trigger the worker [D24, D42]', async () => {
  const { push, accepted, triggers } = open('gateway')
  const ownerMails = OWNER_MAIL_NAMES.map((name) => sampleOwnerMail(name))
  for (const ownerMail of ownerMails) expect(await push(ownerMail)).toEqual({ accepted: true })
  expect(accepted).toEqual(ownerMails)
  expect(triggers()).toBe(ownerMails.length)
})

it.each(['signing', 'contract', 'operator'] as const)(
  'the procedures refuse owner mails from the service %s [D44]',
  async (issuer) => {
    const { push, accepted } = open(issuer)
    for (const name of OWNER_MAIL_NAMES) expect(await refusalOf(push(sampleOwnerMail(name)))).not.toBe('accepted')
    expect(accepted).toEqual([])
  },
)

it('the procedures refuse an invalid owner mail before they store it [D14, D24]', async () => {
  const { push, accepted } = open('gateway')
  const [code, mail] = [sampleOwnerMail('signIn'), sampleOwnerMail('keyCreated')]
  const wrong: object[] = [
    { ...mail, data: { accountName: 'Nordic' } },
    { ...mail, kind: 'advertisement' },
    { ...mail, id: 'c1' },
    { ...mail, to: 'a@b.co, c@d.co' },
    { ...code, to: 'a@b.co\r\nBcc: c@d.co' },
    { ...code, code: '12345' },
    { ...code, purpose: 'reply_address' },
    { ...code, lapsesInSeconds: 0 },
    { ...code, lapsesInSeconds: 601 },
  ]
  for (const ownerMail of wrong) expect(await refusalOf(push(ownerMail as OwnerMailData))).toBe('BAD_REQUEST')
  expect(accepted).toEqual([])
})
