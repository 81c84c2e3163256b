// A party reads times in the zone of its browser, and without scripts in the zone of the account. [D60]
import { expect, it } from '@jest/globals'
import { formatInstant } from '@paraph/web/dates'
import { useStage, type Stage } from '../../harness/browser/stage.js'

let stage: Stage
useStage((opened) => (stage = opened))

const plain = (text: string) => text.replace(/\s/g, ' ')

it.each([
  ['en', 'Asia/Tokyo'],
  ['en', 'America/St_Johns'],
  ['fr', 'America/Toronto'],
  ['fr', 'UTC'],
] as const)(
  'the open page in %s says until when to sign in the zone %s, as the server would [D60]',
  async (locale, timeZone) => {
    const { shareUrl, expiresAt } = await stage.createContract(
      `time-${locale}-${timeZone.toLowerCase().replace(/\W/g, '')}`,
    )
    const at = new Date(expiresAt)
    const page = await stage.openPage({ timezoneId: timeZone })
    await page.goto(`${shareUrl}?lang=${locale}`)
    expect(plain(await page.locator('time').first().innerText())).toBe(plain(formatInstant(at, locale, { timeZone })))
    const bare = await stage.openPage({ timezoneId: timeZone, javaScriptEnabled: false })
    await bare.goto(`${shareUrl}?lang=${locale}`)
    expect(plain(await bare.locator('time').first().innerText())).toBe(plain(formatInstant(at, locale)))
  },
)

it('the form for access offers the zone of the browser [D60]', async () => {
  const page = await stage.openPage({ timezoneId: 'Europe/Oslo' })
  const applicant = 'applicant@local-time.example'
  const seen = await stage.mailbox.idsTo(applicant)
  await page.goto(`${stage.running.stack.shareUrl}/console`)
  await page.getByLabel('Your email address').fill(applicant)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await page.getByLabel('One-time code').fill(await stage.mailbox.waitForCode(applicant, seen))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Time zone').waitFor()
  expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Oslo')
})
