import type { Caller } from '@paraph/protocol/caller'
import { expect, it } from 'vitest'
import type { ContractMails } from './contract-mails.js'
import type { Deliveries } from './deliveries.js'
import { OWNER_LETTER_NAMES, ownerLetter } from './mail-fixture.js'
import type { OwnerLetter } from './owner-letter.js'
import { createRpcRouter } from './rpc-router.js'

/** What a caller may ask, and what was taken over. */
function open(issuer: Caller) {
  const taken: OwnerLetter[] = []
  let wakes = 0
  const router = createRpcRouter({
    deliveries: { addOwnerLetter: async (letter) => void taken.push(letter) } as Partial<Deliveries> as Deliveries,
    contractMails: {} as ContractMails,
    wakeWorker: () => (wakes += 1),
    isRelayAway: () => false,
  })
  const { owner } = router.createCaller({ caller: { issuer, principal: undefined }, requestId: 'r' } as never)
  const hand = (letter: OwnerLetter) => (letter.kind === 'code' ? owner.code(letter) : owner.mail(letter))
  return { hand, taken, wakes: () => wakes }
}

const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'taken',
    ({ code }: { code?: unknown }) => code,
  )

it('takes every letter to an owner as it is, and starts sending [D24, D42]', async () => {
  const { hand, taken, wakes } = open('gateway')
  const letters = OWNER_LETTER_NAMES.map((name) => ownerLetter(name))
  for (const letter of letters) expect(await hand(letter)).toEqual({ accepted: true })
  expect(taken).toEqual(letters)
  expect(wakes()).toBe(letters.length)
})

it.each(['signing', 'contract', 'operator'] as const)('takes none from %s [D44]', async (issuer) => {
  const { hand, taken } = open(issuer)
  for (const name of OWNER_LETTER_NAMES) expect(await refusalOf(hand(ownerLetter(name)))).not.toBe('taken')
  expect(taken).toEqual([])
})

it('refuses what is no such letter before anything of it is stored [D14, D24]', async () => {
  const { hand, taken } = open('gateway')
  const [code, mail] = [ownerLetter('signIn'), ownerLetter('keyCreated')]
  const wrong: object[] = [
    ...[
      { ...mail, facts: { accountName: 'Nordic' } },
      { ...mail, kind: 'advertisement' },
      { ...mail, id: 'c1' },
    ],
    ...[
      { ...mail, to: 'a@b.co, c@d.co' },
      { ...code, to: 'a@b.co\r\nBcc: c@d.co' },
      { ...code, code: '12345' },
    ],
    ...[
      { ...code, purpose: 'reply_address' },
      { ...code, lapsesInSeconds: 0 },
      { ...code, lapsesInSeconds: 601 },
    ],
  ]
  for (const letter of wrong) expect(await refusalOf(hand(letter as OwnerLetter))).toBe('BAD_REQUEST')
  expect(taken).toEqual([])
})
