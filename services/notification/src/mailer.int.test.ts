import { afterEach, beforeEach, expect, it } from 'vitest'
import { createMailer, type Mail } from './mailer.js'
import { startRelay, type TestRelay } from './smtp-fixture.js'
import { readSmtpUrl } from './smtp-url.js'

const never = new AbortController().signal

const MAIL: Mail = {
  messageId: 'code.c.0.1@mail.paraph.example',
  fromName: 'Paraph',
  to: { name: 'Jane Roe', address: 'jane.roe@example.com' },
  replyTo: undefined,
  subject: 'Your one-time code',
  text: '482913 is your one-time code.\n',
  html: '<p>482913</p>',
}

let relay: TestRelay
beforeEach(async () => {
  relay = await startRelay()
})
afterEach(async () => {
  await relay.stop()
})

it('sends nothing in the clear to a relay that offers no TLS', async () => {
  const strict = createMailer({
    smtp: { ...readSmtpUrl(`smtp://127.0.0.1:${relay.port}`), tls: 'required' },
    fromAddress: 'sign@mail.paraph.example',
    domain: 'mail.paraph.example',
    connections: 1,
  })
  expect(await strict.send(MAIL, never)).toMatchObject({ outcome: 'relay_away' })
  expect(relay.mails).toEqual([])
  strict.close()
})
