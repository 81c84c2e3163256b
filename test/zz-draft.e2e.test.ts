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
  const data = JSON.parse((await import('node:fs')).readFileSync('/tmp/w/dd8/stack.json', 'utf8'))
  const pg = (await import('pg')).default
  const db = new pg.Client({ connectionString: data.databaseUrl.replace(/\/postgres$/, '/gateway') })
  await db.connect()
  const acc = (await db.query("select id from account where name = 'Nordic Foods Ltd.' order by created_at desc limit 1")).rows[0].id
  for (let d = 1; d <= 23; d += 1) await db.query("insert into usage values ($1,'production',$2,'GET /contracts/:id',$3,$3),($1,'production',$2,'POST /contracts',$4,$4),($1,'production',$2,'GET /status',$5,0) ", [acc, `2026-11-${String(d).padStart(2,'0')}`, 150 + ((d * 37) % 90), 40 + ((d * 17) % 60), 80])
  await page.goto(`${base}/console/overview`)
  await shot('overview')
  await page.goto(`${base}/console/account`)
  await shot('account')
  await page.getByLabel('Mailbox for answers').fill('answers@nordicfoods.example')
  console.log(await press(page, 'Confirm the mailbox'), page.url())
  await shot('reply-code')
  const t = await mailbox.waitFor('answers@nordicfoods.example', 'Confirm this mailbox')
  const rc = /^(\d{6})/m.exec((await mailbox.read(t.ID)).Text)![1]!
  await page.getByLabel('One-time code').fill(rc)
  console.log(await press(page, 'Continue'), page.url())
  await page.getByLabel('Invite an owner').fill('second@nordicfoods.example')
  console.log(await press(page, 'Send the invitation'), page.url())
  await shot('account-after')
  await page.goto(`${base}/console/account/audit`)
  await shot('audit')
  // another applicant, not auto approved
  await db.query("insert into account (id,name) values ('acc_fast','Fast Invoices') on conflict do nothing")
  await db.query("insert into application (id,account_id,mailbox,company,website,purpose,contract_types,other_parties,volume) values ('app_1','acc_fast','boss@gmail.example','Fast Invoices','fastinvoices.example','We send many invoices to many people.','{service}','Everybody','more') on conflict do nothing")
  await db.query("insert into account (id,name) values ('acc_slow','Slow Invoices') on conflict do nothing")
  await db.query("insert into application (id,account_id,mailbox,company,website,purpose,contract_types,other_parties,volume) values ('app_2','acc_slow','boss@slow.example','Slow Invoices','slow.example','We send few invoices.','{nda}','Friends','1-50') on conflict do nothing")
  await db.end()
  const op = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })).newPage()
  await op.goto(`${base}/console/operator/applications`)
  await op.getByLabel('Your e-mail address').fill('operator@example.test')
  await press(op, 'Send me a code')
  await op.getByLabel('One-time code').fill(await mailbox.waitForCode('operator@example.test'))
  console.log(await press(op, 'Continue'), op.url())
  const swap = page
  const shotOp = async (name: string) => {
    n += 1
    for (const [w, scheme] of [[1280, 'light'], [320, 'light'], [1280, 'dark']] as const) {
      await op.emulateMedia({ colorScheme: scheme })
      await op.setViewportSize({ width: w, height: 900 })
      const sideways = await op.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      if (sideways !== 0) console.log('SIDEWAYS', name, w, sideways)
      await op.screenshot({ path: `/tmp/w/shots/${String(n).padStart(2, '0')}-${name}-${w}-${scheme}.png`, fullPage: true })
    }
    await op.setViewportSize({ width: 1280, height: 900 })
  }
  await shotOp('queue')
  console.log('refuse without reason', await press(op, 'Refuse'))
  await op.goto(`${base}/console/operator/accounts`)
  await shotOp('op-accounts')
  await op.getByRole('link', { name: 'Nordic Foods Ltd.' }).first().click()
  await shotOp('op-account')
  await op.goto(`${base}/console/operator/audit`)
  await shotOp('op-audit')
  await page.goto(`${base}/console/overview?lang=fr`)
  await shot('overview-fr')
  void swap
  console.log(errors, (await mailbox.listTo(who)).map((m) => m.Subject))
  await browser.close()
  expect(1).toBe(1)
})
