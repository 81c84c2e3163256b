import { expect, it } from 'vitest'
import { createMailbox } from './api-client.js'
import { openBrowser } from './browser.js'
import { press } from './party.js'

it('draft', async () => {
  const base = 'http://localhost:18080'
  const mailbox = createMailbox('http://localhost:18025')
  const browser = await openBrowser()
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })).newPage()
  const errors: string[] = []
  page.on('console', (m) => errors.push(m.text()))
  let n = 0
  const shot = async (name: string) => {
    n += 1
    for (const [w, scheme] of [[1280, 'light'], [320, 'light'], [1280, 'dark']] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize({ width: w, height: 900 })
      const sideways = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      if (sideways !== 0) console.log('SIDEWAYS', name, w, sideways)
      await page.screenshot({ path: `/tmp/w/shots/${String(n).padStart(2, '0')}-${name}-${w}-${scheme}.png`, fullPage: true })
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
  }
  const who = `owner${Date.now()}@nordicfoods.example`
  await page.goto(`${base}/console`)
  await shot('sign-in')
  await page.getByLabel('Your e-mail address').fill(who)
  console.log(await press(page, 'Send me a code'))
  await shot('code')
  const code = await mailbox.waitForCode(who)
  await page.getByLabel('One-time code').fill(code)
  console.log(await press(page, 'Continue'), page.url())
  await shot('apply')
  console.log(await press(page, 'Send the application'))
  await shot('apply-errors')
  await page.getByLabel('Legal name').fill('Nordic Foods Ltd.')
  await page.getByLabel('Website').fill('https://www.nordicfoods.example/')
  await page.getByLabel('Describe').fill('Our order system creates a non-disclosure agreement for each new supplier, before we show prices.')
  await page.getByLabel('Non-disclosure agreement').check()
  await page.getByLabel('Service agreement').check()
  await page.getByLabel('Who are the other parties?').fill('Suppliers and carriers in Canada and Norway')
  await page.getByLabel('Contracts a month').selectOption('200-1000')
  await page.getByLabel('I may act').check()
  console.log(await press(page, 'Send the application'), page.url())
  await shot('plan')
  console.log(await press(page, 'Choose Startup'), page.url())
  await shot('keys-empty')
  await page.getByRole('link', { name: 'Create a key' }).click()
  await shot('key-new')
  await page.getByLabel('Name', { exact: true }).fill('Order system')
  console.log(await press(page, 'Create the key'), page.url())
  await shot('key-once')
  console.log(await page.locator('.code').allTextContents())
  await page.goto(`${base}/console/keys`)
  await shot('keys')
  await page.getByRole('link', { name: /Rotate/ }).click()
  await shot('rotate')
  await page.goBack()
  await page.getByRole('link', { name: /Revoke/ }).click()
  await shot('revoke')
  await page.goto(`${base}/console/plan`)
  await shot('plan-trial')
  await page.goto(`${base}/console/keys?lang=fr`)
  await shot('keys-fr')
  console.log(errors, (await mailbox.listTo(who)).map((m) => m.Subject))
  await browser.close()
  expect(1).toBe(1)
})
