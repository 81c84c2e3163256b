// The main story in Firefox and in WebKit. Every other browser test uses Chromium.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createMailbox } from '../../harness/clients/api-client.js'
import { createVisitor, proveMailbox, signOn } from '../../harness/clients/ceremony-client.js'
import { createSignable, untilSealed } from '../../harness/clients/sealed-contract.js'
import { openFirefox, openWebKit, type Window } from '../../harness/browser/other-browsers.js'
import { TEXTS } from '../../harness/browser/party.js'
import { CONTENT, partiesOf } from '../../harness/browser/stage.js'
import { createAccount } from '../../harness/stack/accounts.js'
import { joinStack, type SharedStack } from '../../harness/stack/shared-stack.js'

const text = TEXTS.en

let running: SharedStack
beforeAll(async () => {
  running = await joinStack()
})
afterAll(() => running?.close())

/** Requests a code for `address` on the page of the window, and enters it. */
async function enterCode(window: Window, address: string): Promise<void> {
  const mailbox = createMailbox(running.stack.mailboxUrl)
  const seen = await mailbox.idsTo(address)
  await window.fill(text.email, address)
  await window.press(text.sendCode)
  await window.fill(text.code, await mailbox.waitForCode(address, seen))
  await window.press(text.continue)
}

describe.each([
  { name: 'Firefox', launch: openFirefox },
  { name: 'WebKit', launch: openWebKit },
])('in $name', ({ name, launch }) => {
  const owner = `owner@${name.toLowerCase()}.test`
  const parties = partiesOf(name.toLowerCase())
  const [first, last] = [parties[0]!, parties[1]!]
  /** The first party. */
  const visitor = createVisitor()
  let window: Window
  let contract: Awaited<ReturnType<typeof createSignable>>
  beforeAll(async () => {
    window = await launch()
    const { liveKey } = await createAccount(running.folder, { name: 'Nordic Foods Ltd.', email: owner })
    contract = await createSignable(running, liveKey, { parties, content: CONTENT })
    const review = await proveMailbox(visitor, contract.shareUrl, first.email, running.stack.mailboxUrl)
    await signOn(visitor, review, first.legalName)
  })
  afterAll(async () => {
    visitor.close()
    await window?.close()
  })

  it('the last party opens the link, enters the code, reads, agrees, signs, and downloads the signed PDF [S2.1, S2.3-6, S4.4]', async () => {
    await window.open(contract.shareUrl)
    await enterCode(window, last.email)
    expect(await window.heading()).toBe(text.review)
    expect(await window.text()).toContain('The parties keep secrets secret.')
    await window.tick(text.consent)
    await window.fill(text.name, last.legalName)
    await window.press(text.sign)
    expect(await window.heading()).toBe(text.allSigned)
    // A browser beside the first seal of a stack takes most of two cores.
    await untilSealed(visitor, contract.shareUrl, 90_000)
    await window.open(`${contract.shareUrl}/done`)
    expect((await window.download('/copy.pdf')).subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('the owner signs in to the console and reads the contract, which both parties have signed [D38]', async () => {
    await window.open(`${running.stack.shareUrl}/console`)
    await enterCode(window, owner)
    await window.open(`${running.stack.shareUrl}/console/contracts/production/${contract.id}`)
    const shown = await window.text()
    for (const part of [contract.contractNumber, first.legalName, last.legalName, '2 of 2'])
      expect(shown).toContain(part)
  })
})
