// Chromium signs in and out at a real provider of another site: its cookies and the policy of our pages let it. Scripts are off. [D73]
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../../../../../test/harness/browser/browser.js'
import { startTestGateway, type TestGateway } from '../../../test/gateway-fixture.js'
import { settingsFor, startIdentityProvider, type IdentityProvider } from '../../../test/identity-provider-fixture.js'

const SITE = 'http://sign.test'

let provider: IdentityProvider
let gateway: TestGateway
let browser: Browser
beforeAll(async () => {
  provider = await startIdentityProvider(SITE)
  gateway = await startTestGateway(settingsFor(provider.issuer))
  browser = await openBrowser([`--host-resolver-rules=MAP sign.test:80 127.0.0.1:${new URL(gateway.url).port}`])
  await provider.set('anna', { email: 'anna@nordicfoods.example', email_verified: true })
  await provider.set('otto', { email: 'otto@paraph.example', email_verified: true, groups: ['paraph-operators'] })
})
afterAll(async () => {
  await browser?.close()
  await gateway?.stop()
  await provider?.stop()
})

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()

/** From the console's page `path` to the provider and back. */
async function signIn(path: string, link: string, login: string): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(SITE + path)
  await page.getByRole('link', { name: link }).click()
  expect(new URL(page.url()).origin).toBe(provider.issuer)
  await page.getByPlaceholder('Enter any login').fill(login)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  expect(new URL(page.url()).origin).toBe(SITE)
  return page
}

it('an owner and an operator sign in, and the sign-out ends both sessions of the owner [D73]', async () => {
  const owner = await signIn('/console/account', 'Sign in with your company account', 'anna')
  expect(await heading(owner)).toBe('Apply for access')
  const operator = await signIn('/console/operator/accounts', 'Operators: sign in with a company account', 'otto')
  expect([await heading(operator), new URL(operator.url()).pathname]).toEqual([
    'Accounts',
    '/console/operator/accounts',
  ])

  await owner.goto(`${SITE}/console/sign-out`)
  await owner.getByRole('button', { name: 'Sign out' }).click()
  await owner.waitForURL(`${provider.issuer}/**`)
  await owner.getByRole('button', { name: 'Yes, sign me out' }).click()
  await owner.waitForURL(`${SITE}/console/sign-in`)
  await owner.getByRole('link', { name: 'Sign in with your company account' }).click()
  expect(await owner.getByPlaceholder('Enter any login').count()).toBe(1)
})
