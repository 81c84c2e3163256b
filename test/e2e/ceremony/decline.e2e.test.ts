// A party says no on a phone, reads what it means, and changes its mind; the sender sees why. [D57]
import type { Page } from 'playwright-core'
import { expect, it } from '@jest/globals'
import { follow, press, proveMailbox, signAs } from '../../harness/browser/party.js'
import { PHONE, useStage, type Stage } from '../../harness/browser/stage.js'
import { until } from '../../harness/until.js'

const NOTE = 'Clause 4 must end after two years.'

let stage: Stage
let mailboxUrl: string
useStage((opened) => {
  stage = opened
  mailboxUrl = opened.running.stack.mailboxUrl
})

const heading = (page: Page): Promise<string> => page.locator('h1').innerText()

/** The types of the entries about a party, in their order. */
const entriesOf = async (id: string, ...types: string[]): Promise<string[]> =>
  (
    await stage.query<{ type: string }>(
      'signing',
      'select type from evidence_entry where contract_id = $1 and type = any($2) order by seq',
      [id, types],
    )
  ).map(({ type }) => type)

const openPhone = (): Promise<Page> => stage.openPage({ viewport: PHONE, javaScriptEnabled: false })

it('a party declines on a phone in three taps after the contract, and can sign after all; the chain has both [D57, D30]', async () => {
  const { shareUrl, mailboxes, id } = await stage.createContract('declines')
  const page = await openPhone()
  await proveMailbox(page, shareUrl, mailboxes[1]!, mailboxUrl)
  await follow(page, () => page.getByRole('link', { name: 'Decline to sign' }).click())
  expect(await heading(page)).toBe('Decline to sign')
  await page.getByLabel('I do not agree with the contract').check()
  expect(await press(page, 'Decline to sign')).toBe(200)
  expect(await heading(page)).toBe('You have declined')

  const { contract } = (await stage.api.get(id)).body
  expect(contract.status).toBe('pending_signature')
  expect(contract.parties.map(({ declinedAt }) => declinedAt === null)).toEqual([true, false])
  await until('the entry of the decline', async () =>
    (await entriesOf(id, 'party.declined')).length === 1 ? true : undefined,
  )

  await follow(page, () => page.getByRole('link', { name: 'Read and sign after all' }).click())
  await signAs(page, 'Jane Roe')
  expect(await heading(page)).toBe('You have signed')
  const { contract: after } = (await stage.api.get(id)).body
  expect(after.parties[1]).toMatchObject({ hasSigned: true, declinedAt: null })
  await until('the entry of the signature', async () =>
    (await entriesOf(id, 'signature.accepted')).length === 1 ? true : undefined,
  )
  expect(await entriesOf(id, 'party.declined', 'signature.accepted')).toEqual(['party.declined', 'signature.accepted'])
  // The form of a party that has signed leads to what it signed.
  await page.goto(`${shareUrl}/decline`)
  expect(await heading(page)).toBe('You have signed')
})

it('the form says what is missing or too long, keeps what was typed, and declines nothing [D57]', async () => {
  const { shareUrl, mailboxes, id } = await stage.createContract('declines-wrongly')
  const page = await openPhone()
  await proveMailbox(page, shareUrl, mailboxes[1]!, mailboxUrl)
  await page.goto(`${shareUrl}/decline`)
  await page.getByLabel('Tell the sender more').fill(NOTE)
  expect(await press(page, 'Decline to sign')).toBe(422)
  expect(await page.locator('.error-summary').innerText()).toContain('Choose why you decline')
  expect(await page.getByLabel('Tell the sender more').inputValue()).toBe(NOTE)
  await page.getByLabel('Something else').check()
  await page.getByLabel('Tell the sender more').fill('x'.repeat(501))
  expect(await press(page, 'Decline to sign')).toBe(422)
  expect(await page.locator('.error-summary').innerText()).toContain('Write at most 500 characters')
  expect((await stage.api.get(id)).body.contract.parties.every(({ declinedAt }) => declinedAt === null)).toBe(true)
})

it('a stranger, and a party of a cancelled contract, decline nothing [D57, D16]', async () => {
  const { shareUrl, mailboxes, id } = await stage.createContract('declines-late')
  const page = await openPhone()
  await page.goto(`${shareUrl}/decline`)
  expect(await heading(page)).not.toBe('Decline to sign')
  await proveMailbox(page, shareUrl, mailboxes[1]!, mailboxUrl)
  await page.goto(`${shareUrl}/decline`)
  await page.getByLabel('I am not the right person').check()
  await stage.command('contract', 'cancel', id, '--reason', 'The price has changed.')
  await press(page, 'Decline to sign')
  expect(await page.locator('main').innerText()).toContain('cancelled')
  const { parties } = (await stage.api.get(id)).body.contract
  expect(parties.every(({ declinedAt }) => declinedAt === null)).toBe(true)
})

it('the form says that a decline cancels the contract, if the account wishes so, and then it does [D57]', async () => {
  const { shareUrl, mailboxes, id } = await stage.createContract('declines-for-all')
  await stage.query('contract', 'update contract set cancels_on_decline = true where id = $1', [id])
  const page = await openPhone()
  await proveMailbox(page, shareUrl, mailboxes[1]!, mailboxUrl)
  await page.goto(`${shareUrl}/decline`)
  expect(await page.locator('main').innerText()).toContain('The contract is then cancelled for every party.')
  await page.getByLabel('I do not agree with the contract').check()
  await press(page, 'Decline to sign')
  expect(await page.locator('main').innerText()).toContain('A party declined to sign')
  expect((await stage.api.get(id)).body.contract.status).toBe('cancelled')
})
