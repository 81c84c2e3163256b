import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { encodeWords } from './encoded-words.js'
import { createMailer, type Mail, type Mailer } from './mailer.js'
import { startSmtpServer, type TestSmtpServer } from '../../test/smtp-fixture.js'
import { readSmtpUrl } from './smtp-url.js'
import { startFailingSmtpServer, type Trouble } from '../../test/troubled-relay-fixture.js'

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

let relay: TestSmtpServer
beforeEach(async () => {
  relay = await startSmtpServer()
})
afterEach(async () => {
  await relay.stop()
})

it('the mailer sends nothing to an SMTP server without TLS if TLS is required', async () => {
  const strict = createMailer({
    smtp: { ...readSmtpUrl(`smtp://127.0.0.1:${relay.port}`), tls: 'required' },
    fromAddress: 'sign@mail.paraph.example',
    domain: 'mail.paraph.example',
    connections: 1,
  })
  expect(await strict.send(MAIL, never)).toMatchObject({ outcome: 'unavailable' })
  expect(relay.mails).toEqual([])
  strict.close()
})

it.each<[Trouble, string, string]>([
  ['reset', 'unavailable', 'ESOCKET'],
  ['hang', 'unavailable', 'ETIMEDOUT'],
  ['421', 'unavailable', 'smtp 421'],
  ['554', 'unavailable', 'smtp 554'],
  ['closing', 'unavailable', 'smtp 421'],
  ['sender refused', 'unavailable', 'smtp 550'],
])('the failure "%s" is classified as %s (%s) [F6, F7]', async (trouble, outcome, reason) => {
  const { port, stop } = await startFailingSmtpServer(trouble)
  const mailer = mailerTo(`smtp://127.0.0.1:${port}`, 300)
  expect(await mailer.send(MAIL, never)).toEqual({ outcome, reason })
  mailer.close()
  await stop()
})

it('the mailer waits for a greeting that is delayed by six seconds, as some servers delay it for unknown clients [F7]', async () => {
  const { port, stop, accepted } = await startFailingSmtpServer('late')
  const mailer = mailerTo(`smtp://127.0.0.1:${port}`)
  expect(await mailer.send(MAIL, never)).toEqual({ outcome: 'accepted' })
  expect(accepted()).toBe(1)
  mailer.close()
  await stop()
}, 20_000)

it.each<[Trouble, string]>([
  ['data hang', 'timeout'],
  ['data reset', 'ESOCKET'],
])(
  'the mailer reports a message that was received and not answered (%s) as possibly accepted [F7]',
  async (trouble, reason) => {
    const { port, stop } = await startFailingSmtpServer(trouble)
    const mailer = mailerTo(`smtp://127.0.0.1:${port}`)
    const text = { ...MAIL, text: 'A long text.\n'.repeat(20_000) }
    for (const mail of [MAIL, text])
      expect(await mailer.send(mail, AbortSignal.timeout(500))).toEqual({ outcome: 'unanswered', reason })
    mailer.close()
    await stop()
  },
)

it('the mailer gives up at its time limit when the server is silent before the message, and sends nothing later [F7, D42]', async () => {
  const { port, stop, behave, accepted } = await startFailingSmtpServer('recipient hang')
  const mailer = mailerTo(`smtp://127.0.0.1:${port}`)
  expect(await mailer.send(MAIL, AbortSignal.timeout(200))).toEqual({ outcome: 'silent', reason: 'timeout' })
  behave('ok')
  expect(await mailer.send(MAIL, never)).toEqual({ outcome: 'accepted' })
  expect(accepted()).toBe(1)
  mailer.close()
  await stop()
})

it('the mailer cuts a name and a subject at blanks only, and another reader reads them as they were [RFC 2047]', async () => {
  const mailer = mailerTo(`smtp://127.0.0.1:${relay.port}`)
  const fromName = 'شركة الأغذية الشمالية المحدودة via Paraph'
  const to = { name: 'Société québécoise des pêcheries et des aliments', address: 'jane.roe@example.com' }
  const subject = 'Contract to sign: Non-disclosure agreement / Contrat à signer'
  expect(await mailer.send({ ...MAIL, fromName, to, subject }, never)).toEqual({ outcome: 'accepted' })
  mailer.close()
  const { raw, parsed } = relay.mails[0]!
  const headers = raw.replace(/\r\n (?=\S)/g, ' ')
  for (const text of [fromName, to.name, subject]) expect(headers).toContain(encodeWords(text))
  expect(raw.split('\r\n').filter((line) => line.includes('=?UTF-8?') && line.length > 76)).toEqual([])
  expect([parsed.from?.name, parsed.to, parsed.subject]).toEqual([fromName, [to], subject])
})

it('the mailer checks an SMTP server without sending a mail [F6]', async () => {
  expect(await check(`smtp://127.0.0.1:${relay.port}`)).toEqual({
    failure: undefined,
    certificate: undefined,
    offersLogin: false,
  })
  expect(relay.mails).toEqual([])
})

it.each<[string, string, (relayPort: number) => Promise<{ url: string; stop: () => Promise<void> }>]>([
  ['an unknown host name', 'name', async () => ({ url: 'smtp://nobody.invalid', stop: async () => undefined })],
  ['a closed port', 'connect', async () => ({ url: 'smtp://127.0.0.1:1', stop: async () => undefined })],
  ['a server that never greets', 'greeting', () => troubled('hang')],
  ['a server that greets with 554', 'greeting', () => troubled('554')],
  ['an smtp server with an smtps URL', 'tls', async (port) => ({ ...secure(port), stop: async () => undefined })],
  ['a server without the configured login', 'none', async (port) => ({ ...login(port), stop: async () => undefined })],
])('the check of %s reports this failed step: %s [F6]', async (_, step, open) => {
  const { url, stop } = await open(relay.port)
  const { failure, offersLogin } = await check(url)
  expect(failure?.step ?? 'none').toBe(step)
  expect(offersLogin).toBe(false)
  await stop()
})

it('the check reports a certificate of an unknown authority [F6]', async () => {
  const { port, stop } = await startSmtpServer(0, { tls: true })
  const smtp = { ...readSmtpUrl(`smtp://127.0.0.1:${port}`), tls: 'required' } as const
  const mailer = createMailer({
    smtp,
    fromAddress: 'sign@mail.paraph.example',
    domain: 'mail.paraph.example',
    connections: 1,
  })
  const { failure } = await mailer.check()
  expect(failure).toMatchObject({ step: 'tls', detail: expect.stringMatching(/CERT/) })
  mailer.close()
  await stop()
})

const secure = (port: number) => ({ url: `smtps://127.0.0.1:${port}` })
const login = (port: number) => ({ url: `smtp://paraph:secret@127.0.0.1:${port}` })

async function troubled(trouble: Trouble) {
  const { port, stop } = await startFailingSmtpServer(trouble)
  return { url: `smtp://127.0.0.1:${port}`, stop }
}

async function check(url: string) {
  const mailer = mailerTo(url, 1_000)
  const findings = await mailer.check()
  mailer.close()
  return findings
}

function mailerTo(url: string, setupMs?: number): Mailer {
  return createMailer({
    smtp: readSmtpUrl(url),
    fromAddress: 'sign@mail.paraph.example',
    domain: 'mail.paraph.example',
    connections: 1,
    ...(setupMs === undefined ? {} : { setupMs }),
  })
}
