import type { Caller } from '@paraph/protocol/services'
import { expect, it } from '@jest/globals'
import type { ContractMails } from './mail-history.js'
import type { DeliveryIntake } from './queue/add-delivery.js'
import { OWNER_MAIL_NAMES, sampleOwnerMail } from '../test/mail-fixture.js'
import type { OwnerMailData } from './compose/mail-data.js'
import { createRpcRouter } from './rpc-router.js'

/** What a caller may ask, and what was taken over. */
function open(issuer: Caller) {
  const taken: OwnerMailData[] = []
  let wakes = 0
  const router = createRpcRouter({
    intake: { addOwnerMail: async (mail) => void taken.push(mail) } as Partial<DeliveryIntake> as DeliveryIntake,
    contractMails: {} as ContractMails,
    triggerWorker: () => (wakes += 1),
    isSmtpUnavailable: () => false,
  })
  const { owner } = router.createCaller({ caller: { issuer, principal: undefined }, requestId: 'r' } as never)
  const hand = (letter: OwnerMailData) => (letter.kind === 'code' ? owner.code(letter) : owner.mail(letter))
  return { hand, taken, wakes: () => wakes }
}

const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'taken',
    ({ code }: { code?: unknown }) => code,
  )

it('the procedure accepts every kind of owner mail unchanged, and notifies the worker [D24, D42]', async () => {
  const { hand, taken, wakes } = open('gateway')
  const letters = OWNER_MAIL_NAMES.map((name) => sampleOwnerMail(name))
  for (const letter of letters) expect(await hand(letter)).toEqual({ accepted: true })
  expect(taken).toEqual(letters)
  expect(wakes()).toBe(letters.length)
})

it.each(['signing', 'contract', 'operator'] as const)(
  'the procedure refuses owner mails from %s [D44]',
  async (issuer) => {
    const { hand, taken } = open(issuer)
    for (const name of OWNER_MAIL_NAMES) expect(await refusalOf(hand(sampleOwnerMail(name)))).not.toBe('taken')
    expect(taken).toEqual([])
  },
)

it('the procedure refuses an invalid owner mail before it stores anything [D14, D24]', async () => {
  const { hand, taken } = open('gateway')
  const [code, mail] = [sampleOwnerMail('signIn'), sampleOwnerMail('keyCreated')]
  const wrong: object[] = [
    { ...mail, facts: { accountName: 'Nordic' } },
    { ...mail, kind: 'advertisement' },
    { ...mail, id: 'c1' },
    { ...mail, to: 'a@b.co, c@d.co' },
    { ...code, to: 'a@b.co\r\nBcc: c@d.co' },
    { ...code, code: '12345' },
    { ...code, purpose: 'reply_address' },
    { ...code, lapsesInSeconds: 0 },
    { ...code, lapsesInSeconds: 601 },
  ]
  for (const letter of wrong) expect(await refusalOf(hand(letter as OwnerMailData))).toBe('BAD_REQUEST')
  expect(taken).toEqual([])
})
