// Reaches every page in the page table of docs/internal/ceremony.md in a real browser, as a person would. [ceremony: pages]
import type { Page } from 'playwright-core'
import { describe, expect, it } from '@jest/globals'
import { askForCode, enterCode, fillIn, press, proveMailbox, signAs, TEXTS } from '../../harness/browser/party.js'
import { partiesOf, useStage, type Stage, type StagedContract } from '../../harness/browser/stage.js'
import { until } from '../../harness/until.js'

const { code: CODE, continue: CONTINUE, email: EMAIL, newCode: NEW_CODE, sendCode: SEND_CODE, sign: SIGN } = TEXTS.en

let stage: Stage
let mailboxUrl: string
useStage((opened) => {
  stage = opened
  mailboxUrl = opened.running.stack.mailboxUrl
})

const textOf = (page: Page): Promise<string> => page.locator('body').innerText()
const heading = (page: Page): Promise<string> => page.locator('h1').innerText()
/** Waits until the error summary has the focus, which the browser sets when it renders the page. */
const summaryHasFocus = (page: Page): Promise<void> => page.locator('.error-summary:focus').waitFor()
/** The class of the focused element. */
const focus = (page: Page): Promise<string> => page.evaluate<string>('document.activeElement.className')

/** Shifts all times of a contract's codes into the past, to simulate that `seconds` have passed. */
async function letPass(contractId: string, seconds: number): Promise<void> {
  const past = (table: string, columns: string[]) =>
    stage.query(
      'signing',
      `update ${table} set ${columns.map((column) => `${column} = ${column} - make_interval(secs => $2)`).join(', ')} where scope = $1`,
      [contractId, seconds],
    )
  await past('one_time_code', ['created_at', 'expires_at'])
  await past('code_send', ['created_at', 'expires_at'])
  await past('challenge', ['created_at'])
}

const expire = (contractId: string) =>
  stage.query(
    'contract',
    "update contract set created_at = created_at - interval '30 days', expires_at = clock_timestamp() - interval '1 second' where id = $1",
    [contractId],
  )

const signatures = async (id: string): Promise<number> => (await stage.api.get(id)).body.contract.signingProgress.signed

/** Opens the review page for a party, in a new browser profile. */
async function read(contract: StagedContract, party: 0 | 1): Promise<Page> {
  const page = await stage.openPage()
  await proveMailbox(page, contract.shareUrl, contract.mailboxes[party]!, mailboxUrl)
  return page
}

describe('the page for the email address [ceremony 1]', () => {
  it('names the error in an address, keeps the typed value, and moves the focus to the error summary [1e]', async () => {
    const { shareUrl, mailboxes } = await stage.createContract('1e')
    const page = await stage.openPage()
    await page.goto(shareUrl)
    expect(await heading(page)).toBe('Nordic Foods procurement has asked you to sign a contract')
    for (const kept of ['Jane Roe', mailboxes[0], 'secrets']) expect(await page.content()).not.toContain(kept)
    expect(await press(page, SEND_CODE)).toBe(422)
    expect(await page.title()).toMatch(/^Error: /)
    await summaryHasFocus(page)
    await page.getByLabel(EMAIL).fill('jane.1e@example')
    expect(await press(page, SEND_CODE)).toBe(422)
    expect(await page.getByLabel(EMAIL).inputValue()).toBe('jane.1e@example')
    await page.getByRole('link', { name: 'Enter an email address in the format' }).click()
    expect(await focus(page)).toContain('input')
    await page.getByLabel(EMAIL).fill(` ${mailboxes[1]!.toUpperCase()} `)
    expect(await press(page, SEND_CODE)).toBe(200)
    expect(await heading(page)).toBe('Check your email')
  })
})

describe('the code [ceremony 2 to 3u, D16]', () => {
  it('can be wrong five times, not counting malformed codes; then a new code must be requested [3w, 3f, 3m]', async () => {
    const { id, shareUrl, mailboxes } = await stage.createContract('3w')
    const page = await stage.openPage()
    const code = await askForCode(page, shareUrl, mailboxes[1]!, mailboxUrl)
    const wrong = code === '111111' ? '222222' : '111111'
    for (const [typed, sentence] of [
      ['', 'Enter the code from the email'],
      ['12345', 'Enter all 6 digits'],
      [wrong, 'That code is not correct. You have 4 tries left.'],
      ['12345a', 'Enter all 6 digits'],
      [wrong, 'You have 3 tries left.'],
      [wrong, 'You have 2 tries left.'],
      [wrong, 'You have 1 try left.'],
    ] as const) {
      await page.getByLabel(CODE).fill(typed)
      expect(await press(page, CONTINUE)).toBe(422)
      expect(await page.getByRole('alert').innerText()).toContain(sentence)
      expect(await page.getByLabel(CODE).inputValue()).toBe(typed)
      await summaryHasFocus(page)
    }
    await page.getByLabel(CODE).fill(wrong)
    expect(await press(page, CONTINUE)).toBe(429)
    expect(await heading(page)).toBe('Too many wrong codes')
    expect(await page.getByLabel(CODE).count()).toBe(0)
    // The next code cannot be sent yet, and both pages say so: none says that one was sent.
    expect(await textOf(page)).toContain('We can send the next one in less than a minute.')
    expect(await press(page, NEW_CODE)).toBe(200)
    expect(await textOf(page)).toContain('We have not sent another code')
    expect(await textOf(page)).not.toContain('we have sent it a one-time code')
    await letPass(id, 61)
    expect(await press(page, NEW_CODE)).toBe(200)
    // A code belongs to a mailbox, so the first code works at the new challenge. [D16]
    await page.getByLabel(CODE).fill(code)
    expect(await press(page, CONTINUE)).toBe(200)
    expect(await heading(page)).toBe('Read, then sign')
  })

  it('is not sent again within a minute, and the first code still works [3r]', async () => {
    const { shareUrl, mailboxes } = await stage.createContract('3r')
    const page = await stage.openPage()
    const code = await askForCode(page, shareUrl, mailboxes[1]!, mailboxUrl)
    expect(await press(page, NEW_CODE)).toBe(200)
    expect(await textOf(page)).toContain('less than a minute ago')
    await page.getByLabel(CODE).fill(code)
    await press(page, CONTINUE)
    expect(await heading(page)).toBe('Read, then sign')
  })

  it('is sent at most five times an hour, and the page shows when the next code is allowed [3r, 3m]', async () => {
    const { id, shareUrl, mailboxes } = await stage.createContract('3s')
    const page = await stage.openPage()
    await askForCode(page, shareUrl, mailboxes[1]!, mailboxUrl)
    for (let n = 0; n < 4; n += 1) {
      await letPass(id, 61)
      await press(page, NEW_CODE)
      expect(await textOf(page)).toContain('a new code is on its way')
    }
    await letPass(id, 61)
    expect(await press(page, NEW_CODE)).toBe(200)
    expect(await textOf(page)).toMatch(
      /We cannot send more codes now\. Try again after \d\d:\d\d\sUTC, or contact Nordic Foods/,
    )
    expect(await page.getByRole('button', { name: NEW_CODE }).count()).toBe(0)
  })

  it('is replaced by a new code if an expired code is entered [3x]', async () => {
    const { id, shareUrl, mailboxes } = await stage.createContract('3x')
    const page = await stage.openPage()
    const code = await askForCode(page, shareUrl, mailboxes[1]!, mailboxUrl)
    await letPass(id, 601)
    const seen = await stage.mailbox.idsTo(mailboxes[1]!)
    await page.getByLabel(CODE).fill(code)
    expect(await press(page, CONTINUE)).toBe(422)
    expect(await page.getByRole('alert').innerText()).toContain('That code has expired. We have sent a new one.')
    await page.getByLabel(CODE).fill(await stage.mailbox.waitForCode(mailboxes[1]!, seen))
    await press(page, CONTINUE)
    expect(await heading(page)).toBe('Read, then sign')
  })

  it('is accepted once, and a visitor with a session needs no code [3u]', async () => {
    const { shareUrl, mailboxes } = await stage.createContract('3u')
    const [page, elsewhere] = [await stage.openPage(), await stage.openPage()]
    const code = await askForCode(page, shareUrl, mailboxes[1]!, mailboxUrl)
    const codePage = page.url()
    await page.getByLabel(CODE).fill(code)
    await press(page, CONTINUE)
    // Skips the 30 seconds in which the same challenge accepts the code again, for a second click.
    await stage.query(
      'signing',
      "update challenge set passed_at = passed_at - interval '31 seconds' where passed_at is not null",
    )
    await elsewhere.goto(codePage)
    await elsewhere.getByLabel(CODE).fill(code)
    expect(await press(elsewhere, CONTINUE)).toBe(422)
    expect(await textOf(elsewhere)).toContain('That code has already been used. Ask for a new code.')
    for (const address of [codePage, shareUrl]) {
      await page.goto(address)
      expect(await heading(page)).toBe('Read, then sign')
    }
  })
})

it('a mailbox with two roles signs for each role separately [4]', async () => {
  const [discloser, recipient] = partiesOf('4')
  const parties = [discloser, recipient, { role: 'Director', legalName: 'Roe Inc.', email: recipient!.email }]
  const contract = await stage.createContract('4', { parties })
  const page = await stage.openPage()
  await enterCode(page, contract.shareUrl, recipient!.email, mailboxUrl)
  expect(await heading(page)).toBe('You are named twice in this contract')
  await page.getByRole('link', { name: 'Read and sign as Director' }).click()
  await signAs(page, 'roe inc')
  expect(await heading(page)).toBe('You have signed')
  await page.getByRole('link', { name: 'Next: sign as Recipient' }).click()
  expect(await textOf(page)).toContain('You are signing as Recipient, Jane Roe')
  await page.getByRole('link', { name: 'Choose another role' }).click()
  expect(await page.locator('.role').filter({ hasText: 'Director' }).innerText()).toMatch(/Signed \d/)
  await page.getByRole('link', { name: 'Read and sign as Recipient' }).click()
  await signAs(page, 'Jane Roe')
  expect(await signatures(contract.id)).toBe(2)
  expect(await page.getByRole('link', { name: /^Next/ }).count()).toBe(0)
})

describe('reading and signing [ceremony 5 and 6]', () => {
  it('requires the consent and the name, keeps the typed name, and accepts the name in any case [5, 6e, D26]', async () => {
    const contract = await stage.createContract('6e')
    const page = await read(contract, 1)
    expect(await page.getByRole('article').innerText()).toContain('The parties keep secrets secret.')
    expect(await textOf(page)).not.toContain(contract.mailboxes[0]!)
    expect(await page.getByLabel('I have read').isChecked()).toBe(false)
    await page.getByLabel(TEXTS.en.name).fill('Jane')
    expect(await press(page, SIGN)).toBe(422)
    expect(await page.getByRole('alert').getByRole('link').count()).toBe(2)
    await summaryHasFocus(page)
    expect(await page.getByLabel(TEXTS.en.name).inputValue()).toBe('Jane')
    expect(await signatures(contract.id)).toBe(0)
    expect(await signAs(page, '  JANE   rOe.')).toBe(200)
    expect(await page.locator('.slip-name').innerText()).toBe('JANE   rOe.'.replace(/ +/, ' '))
  })

  it('records nothing if the contract expires or its text differs during the review [6c, D20]', async () => {
    const contract = await stage.createContract('6c')
    const page = await read(contract, 1)
    await page.evaluate("document.querySelector('[name=contentSha256]').value = 'ab'.repeat(32)")
    expect(await signAs(page, 'Jane Roe')).toBe(409)
    expect(await textOf(page)).toContain('You have not signed.')
    await page.getByRole('link', { name: 'Read the contract again' }).click()
    await fillIn(page, 'Jane Roe')
    await expire(contract.id)
    expect(await press(page, SIGN)).toBe(409)
    expect(await heading(page)).toBe('This contract has just expired')
    expect(await textOf(page)).toContain('You have not signed.')
    expect(await signatures(contract.id)).toBe(0)
    expect((await page.goto(contract.shareUrl))?.status()).toBe(410)
    expect(await heading(page)).toBe('This contract has expired')
    expect(await page.locator('form').count()).toBe(0)
  })

  it('records nothing if the contract is cancelled during the review [6c, 11, D19]', async () => {
    const contract = await stage.createContract('11')
    const page = await read(contract, 1)
    await fillIn(page, 'Jane Roe')
    await stage.command('contract', 'cancel', contract.id, '--reason', 'Not needed any more')
    expect(await press(page, SIGN)).toBe(409)
    expect(await heading(page)).toBe('This contract was cancelled a moment ago')
    expect(await signatures(contract.id)).toBe(0)
    expect((await page.goto(contract.shareUrl))?.status()).toBe(410)
    expect(await heading(page)).toBe('This contract was cancelled')
    expect(await textOf(page)).not.toContain('Not needed')
  })

  it('signs once despite a double click, Back or another tab [6d, D41]', async () => {
    const contract = await stage.createContract('6d')
    const page = await read(contract, 1)
    const tab = await page.context().newPage()
    await tab.goto(contract.shareUrl)
    await fillIn(tab, 'Jane Roe')
    await fillIn(page, 'Jane Roe')
    await page.getByRole('button', { name: SIGN }).dblclick()
    await page.getByRole('heading', { name: 'You have signed' }).waitFor()
    expect(await press(tab, SIGN)).toBe(200)
    expect(await heading(tab)).toBe('You have signed')
    await page.goBack()
    expect(await heading(page)).toBe('You have signed')
    const entries = await stage.query<{ type: string }>(
      'signing',
      "select type from evidence_entry where contract_id = $1 and type like 'signature.%' order by seq",
      [contract.id],
    )
    expect(entries.map(({ type }) => type)).toEqual(['signature.submitted', 'signature.accepted'])
  })
})

it('the status page shows the current state and the copies to a party that has signed, also after leaving [7, 8, 9, D33]', async () => {
  const contract = await stage.createContract('7')
  const page = await read(contract, 1)
  await signAs(page, 'Jane Roe')
  for (const sentence of [
    '1 of 2 parties has signed',
    'Not signed yet',
    contract.contractNumber,
    'the contract expires',
  ])
    expect(await textOf(page)).toContain(sentence)
  const other = await read(contract, 0)
  await signAs(other, 'Nordic Foods Ltd')
  expect(await heading(other)).toBe('Everyone has signed')
  await page.getByRole('link', { name: 'Check again' }).click()
  expect(await heading(page)).toBe('Everyone has signed')
  // The page does not wait for the PDF. It says that the PDF is being prepared until the PDF is stored.
  await until('the sealed PDF', async () => {
    if ((await textOf(page)).includes('Download the signed PDF')) return true
    expect(await textOf(page)).toContain('We are preparing it.')
    await page.getByRole('link', { name: 'Check again' }).click()
    return undefined
  })
  await page.getByText('Other files and how to verify').click()
  for (const [link, fileName] of [
    ['Download the signed PDF', `${contract.contractNumber}.pdf`],
    ['Download text', 'contract.txt'],
    ['Download evidence', 'evidence.jws'],
  ] as const) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: link, exact: true }).click(),
    ])
    expect(download.suggestedFilename()).toBe(fileName)
  }
  expect(await press(page, 'Finish and leave')).toBe(200)
  expect(await heading(page)).toBe('You have left this contract')
  // Returns later through the link, with the address and a code.
  await letPass(contract.id, 61)
  await enterCode(page, contract.shareUrl, contract.mailboxes[1]!, mailboxUrl)
  expect(await heading(page)).toBe('Everyone has signed')
  await expire(contract.id)
  expect((await page.goto(contract.shareUrl))?.status()).toBe(410)
  expect(await heading(page)).toBe('This link has closed')
})

it('all truncated or changed links lead to the same "not found" page [12]', async () => {
  const { shareUrl } = await stage.createContract('12')
  const page = await stage.openPage()
  const pages: string[] = []
  for (const broken of [
    shareUrl.slice(0, -5),
    `${shareUrl.slice(0, -43)}${'A'.repeat(43)}`,
    `${shareUrl}/x`,
    `${shareUrl}%00`,
  ]) {
    expect((await page.goto(broken))?.status()).toBe(404)
    pages.push((await textOf(page)).trim())
  }
  expect(new Set(pages).size).toBe(1)
  expect(pages[0]).toContain('We cannot find that contract')
})

it('after the session has ended, the form keeps the typed name but not the consent [14]', async () => {
  const contract = await stage.createContract('14')
  const page = await read(contract, 1)
  await fillIn(page, 'Jane Roe')
  await stage.query('signing', 'update mailbox_session set ended_at = clock_timestamp() where scope = $1', [
    contract.id,
  ])
  expect(await press(page, SIGN)).toBe(200)
  expect(await textOf(page)).toContain('For your security, confirm your email address again.')
  expect(await textOf(page)).toContain('We have kept the name you typed.')
  expect(await signatures(contract.id)).toBe(0)
  await letPass(contract.id, 61)
  await proveMailbox(page, page.url(), contract.mailboxes[1]!, mailboxUrl)
  expect(await page.getByLabel(TEXTS.en.name).inputValue()).toBe('Jane Roe')
  expect(await page.getByLabel('I have read').isChecked()).toBe(false)
})

it('if the browser blocks cookies, the page names the site for which to allow them [15]', async () => {
  const contract = await stage.createContract('15')
  const page = await stage.openPage()
  const code = await askForCode(page, contract.shareUrl, contract.mailboxes[1]!, mailboxUrl)
  // Removes every Set-Cookie header, like a browser that blocks cookies.
  await page.route('**/code/*', async (route) => {
    const answer = await route.fetch({ maxRedirects: 0 })
    const headers = Object.fromEntries(Object.entries(answer.headers()).filter(([name]) => name !== 'set-cookie'))
    await page.context().clearCookies()
    await route.fulfill({ response: answer, headers })
  })
  await page.getByLabel(CODE).fill(code)
  await page.getByRole('button', { name: CONTINUE }).click()
  await page.getByRole('heading', { name: 'Your browser blocked a cookie we need' }).waitFor()
  expect(await textOf(page)).toContain(new URL(contract.shareUrl).host)
})

it('without an answer to a signature, the page says that the outcome is unknown, and the link shows it later [16, D41]', async () => {
  const contract = await stage.createContract('16')
  const page = await read(contract, 1)
  await fillIn(page, 'Jane Roe')
  const { pids } = stage.running.stack
  process.kill(pids.contract, 'SIGSTOP')
  try {
    expect(await press(page, SIGN)).toBe(503)
    expect(await heading(page)).toBe('Sorry, there is a problem')
    expect(await textOf(page)).toContain('We do not know yet whether your signature was recorded.')
    expect(await textOf(page)).toMatch(/give this reference: \S{8,}/)
  } finally {
    process.kill(pids.contract, 'SIGCONT')
  }
  const unfinished = "select 1 from sign_attempt where contract_id = $1 and state = 'submitted'"
  await until(
    'an end of the attempt',
    async () => ((await stage.query('signing', unfinished, [contract.id])).length === 0 ? true : undefined),
    60_000,
  )
  await page.goto(contract.shareUrl)
  const hasSigned = (await signatures(contract.id)) === 1
  expect(await heading(page)).toBe(hasSigned ? 'You have signed' : 'Read, then sign')
})

it('the links of a suspended account are suspended, except for parties that have signed [17, D37]', async () => {
  const { accountId, api } = await stage.createAccount('Held Ltd.')
  const contract = await stage.createContract('17', {}, api)
  const page = await read(contract, 1)
  await signAs(page, 'Jane Roe')
  const other = await read(contract, 0)
  await fillIn(other, 'Nordic Foods Ltd.')
  await stage.query(
    'signing',
    'insert into account_hold (account_id, is_suspended, sequence) values ($1, true, 1000)',
    [accountId],
  )
  expect(await press(other, SIGN)).toBe(409)
  expect(await textOf(other)).toContain('You have not signed.')
  const stranger = await stage.openPage()
  expect((await stranger.goto(contract.shareUrl))?.status()).toBe(403)
  expect(await heading(stranger)).toBe('This contract is suspended')
  for (const name of ['Nordic', 'Held', 'Jane']) expect(await stranger.content()).not.toContain(name)
  await page.goto(contract.shareUrl)
  expect(await heading(page)).toBe('You have signed')
  expect(await textOf(page)).toContain('It cannot be signed at the moment.')
})

it('any visitor with the link can report a contract, and `report list` shows the report [22, 23]', async () => {
  const contract = await stage.createContract('22')
  const page = await stage.openPage()
  await page.goto(contract.shareUrl)
  await page.getByRole('link', { name: 'Report this request' }).click()
  expect(await press(page, 'Send the report')).toBe(422)
  await page.getByRole('radio', { name: 'The sender pretends to be someone else' }).check()
  await page.getByLabel('Tell us more (optional)').fill('Nordic Foods never asked me.\nThe number is wrong too.')
  expect(await press(page, 'Send the report')).toBe(200)
  expect(await heading(page)).toBe('Your report was sent')
  const { reports } = await stage.command<{ reports: Record<string, string | null>[] }>('report', 'list')
  expect(reports).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      accountId: expect.stringMatching(/^acc_/),
      contractId: contract.id,
      reason: 'impersonation',
      message: expect.stringMatching(/^Nordic Foods never asked me\.\r?\nThe number is wrong too\.$/),
      createdAt: expect.stringMatching(/Z$/),
      handledAt: null,
      handledBy: null,
      note: null,
    },
  ])
  await page.getByRole('link', { name: 'Go back to the contract' }).click()
  expect(await heading(page)).toContain('has asked you to sign')
})
