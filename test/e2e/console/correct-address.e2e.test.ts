// An owner hears that a contract is stuck, corrects the address of a party, and the right person signs. [D61, D70]
import type { Page } from 'playwright-core'
import { expect, it } from '@jest/globals'
import { askForCode, follow, press, proveMailbox, signAs, TEXTS } from '../../harness/browser/party.js'
import { PHONE, useStage, type Stage } from '../../harness/browser/stage.js'
import { createApiClient } from '../../harness/clients/api-client.js'
import { createAccount } from '../../harness/stack/accounts.js'
import { until } from '../../harness/until.js'

const OWNER = 'owner@correct-address.example'

let stage: Stage
useStage((opened) => (stage = opened))

const heading = (page: Page): Promise<string> => page.locator('h1').innerText()
const openPhone = (): Promise<Page> => stage.openPage({ viewport: PHONE, javaScriptEnabled: false })

/** A page of the console, signed in as an owner of a new account. */
async function openConsole(mailbox = OWNER) {
  const { liveKey } = await createAccount(stage.running.folder, { name: 'Correct Ltd.', email: mailbox })
  const page = await openPhone()
  const seen = await stage.mailbox.idsTo(mailbox)
  await page.goto(`${stage.running.stack.shareUrl}/console`)
  await page.getByLabel('Your email address').fill(mailbox)
  await press(page, TEXTS.en.sendCode)
  await page.getByLabel(TEXTS.en.code).fill(await stage.mailbox.waitForCode(mailbox, seen))
  await press(page, TEXTS.en.continue)
  return { page, api: createApiClient(stage.running.stack.apiUrl, liveKey) }
}

it('an owner hears of a decline, corrects the address, and only the new mailbox can sign [D61, D70, D30]', async () => {
  const { page: owner, api } = await openConsole()
  const { id, shareUrl, mailboxes } = await stage.createContract('wrong-address', {}, api)
  const { mailboxUrl } = stage.running.stack
  const stranger = await openPhone()
  await proveMailbox(stranger, shareUrl, mailboxes[1]!, mailboxUrl)
  await stranger.goto(`${shareUrl}/decline`)
  await stranger.getByLabel('I am not the right person').check()
  await press(stranger, 'Decline to sign')
  await stage.mailbox.waitFor(OWNER, 'declined')

  await owner.goto(`${stage.running.stack.shareUrl}/console/contracts/production/${id}`)
  await follow(owner, () => owner.getByRole('link', { name: 'Correct the address: Recipient' }).click())
  await owner.getByLabel('New email address').fill('nobody')
  expect(await press(owner, 'Correct the address')).toBe(422)
  await owner.getByLabel('New email address').fill('right.person@example.test')
  expect(await press(owner, 'Correct the address')).toBe(200)
  expect(await owner.locator('main').innerText()).toContain('The address is corrected')
  expect((await api.get(id)).body.contract.parties[1]).toMatchObject({
    email: 'right.person@example.test',
    declinedAt: null,
  })

  await stage.mailbox.waitFor(mailboxes[1]!, 'no longer for this address')
  await stage.mailbox.waitFor('right.person@example.test', '')
  await stranger.goto(`${shareUrl}/review`)
  expect(await stranger.getByLabel(TEXTS.en.email).count()).toBe(1)
  for (const [mailbox, name] of [
    ['right.person@example.test', 'Jane Roe'],
    [mailboxes[0]!, 'Nordic Foods Ltd.'],
  ] as const) {
    const party = await openPhone()
    await proveMailbox(party, shareUrl, mailbox, mailboxUrl)
    await signAs(party, name)
  }
  expect((await api.get(id)).body.contract.status).toBe('signed')
  await until('the seal', async () =>
    (await stage.query('signing', 'select 1 from sealed_evidence where contract_id = $1', [id])).length === 1
      ? true
      : undefined,
  )
  const types = await stage.query<{ type: string }>(
    'signing',
    `select type from evidence_entry where contract_id = $1 and type like 'party.%' order by seq`,
    [id],
  )
  expect(types.map(({ type }) => type)).toEqual(['party.declined', 'party.readdressed'])
})

it('a code that was sent to the old address opens nothing after the correction [D61, D16]', async () => {
  const { page: owner, api } = await openConsole('code@correct-address.example')
  const { id, shareUrl, mailboxes } = await stage.createContract('code-in-flight', {}, api)
  const stranger = await openPhone()
  const code = await askForCode(stranger, shareUrl, mailboxes[1]!, stage.running.stack.mailboxUrl)
  await owner.goto(`${stage.running.stack.shareUrl}/console/contracts/production/${id}/parties/1/address`)
  await owner.getByLabel('New email address').fill('new@code-in-flight.test')
  await press(owner, 'Correct the address')
  await stranger.getByLabel(TEXTS.en.code).fill(code)
  await press(stranger, TEXTS.en.continue)
  expect(await heading(stranger)).not.toBe(TEXTS.en.review)
  expect((await stranger.goto(`${shareUrl}/contract.txt`))!.url()).not.toContain('contract.txt')
})
