import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { composeMail } from './compose-mail.js'
import { mailFacts } from './mail-fixture.js'
import { createMailer, type Mailer } from './mailer.js'
import { startRelay, type TestRelay } from './smtp-fixture.js'
import { readSmtpUrl } from './smtp-url.js'

const SETTINGS = { mailDomain: 'mail.paraph.example', shareBaseUrl: 'https://sign.paraph.example' }
const never = new AbortController().signal

let relay: TestRelay
let mailer: Mailer

beforeEach(async () => {
  relay = await startRelay()
  mailer = createMailer({
    smtp: readSmtpUrl(`smtp://127.0.0.1:${relay.port}`),
    fromAddress: 'sign@mail.paraph.example',
    domain: 'mail.paraph.example',
    connections: 2,
  })
})

afterEach(async () => {
  mailer.close()
  await relay.stop()
})

const HOSTILE = [
  'Eve\r\nBcc: all@example.test',
  'Eve\nX-Injected: 1',
  'Eve\u2028Subject: x',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '\u202Egnp.exe',
  'שלום עולם',
  '🖋️ Émile "the pen" O’Neil, Jr; <eve@example.test>',
  'a@example.test, b@example.test',
  '=?utf-8?q?Bcc=3A?=',
  "o'brien`${1}`",
]

describe.each(HOSTILE)('with a name like %j', (hostile) => {
  it.each(['invitation', 'code'] as const)(
    'a parsed %s has exactly our headers, one recipient and no foreign markup [D23]',
    async (kind) => {
      const facts = mailFacts({
        senderName: hostile,
        accountName: hostile,
        party: { role: hostile, legalName: hostile, email: 'jane.roe@example.com', hasSigned: false },
        replyAddress: 'legal@nordic.example',
      })
      const composed = composeMail(
        { kind, contractId: 'contract-1-abc', partyIndex: 0, sendNumber: 1, code: '482913' },
        facts,
        SETTINGS,
      )
      if ('skipped' in composed) throw new Error(composed.skipped)
      expect(await mailer.send(composed.mail, never)).toEqual({ outcome: 'accepted' })
      const [{ to, parsed } = { to: [], parsed: undefined }] = relay.mails
      expect(to).toEqual(['jane.roe@example.com'])
      expect(parsed?.headers.map((header) => header.key).sort()).toEqual([
        'auto-submitted',
        'content-type',
        'date',
        'from',
        'message-id',
        'mime-version',
        ...(kind === 'invitation' ? ['reply-to'] : []),
        'subject',
        'to',
        'x-auto-response-suppress',
      ])
      expect(parsed).toMatchObject({
        messageId: `<${kind}.contract-1-abc.0.1@mail.paraph.example>`,
        from: { address: 'sign@mail.paraph.example' },
        to: [{ address: 'jane.roe@example.com' }],
      })
      const tags = [...(parsed?.html ?? '').matchAll(/<\s*\/?([a-z0-9!]+)/gi)].map((match) => match[1]?.toLowerCase())
      const ours = '!doctype html head meta title body table tr td p span h1 h2 a hr div strong bdi br'.split(' ')
      expect(tags.length).toBeGreaterThan(20)
      expect(tags.filter((tag) => !ours.includes(tag ?? ''))).toEqual([])
      expect(parsed?.html).not.toMatch(/<[^>]*\bon\w+\s*=/i)
      expect(`${parsed?.html}${parsed?.text}`).not.toMatch(/\u202E/)
      expect(parsed?.text).not.toMatch(/^(Bcc|X-Injected|Subject):/m)
    },
  )
})

it('sends nothing in the clear to a relay that offers no TLS', async () => {
  const strict = createMailer({
    smtp: { ...readSmtpUrl(`smtp://127.0.0.1:${relay.port}`), tls: 'required' },
    fromAddress: 'sign@mail.paraph.example',
    domain: 'mail.paraph.example',
    connections: 1,
  })
  const composed = composeMail(
    { kind: 'code', contractId: 'c', partyIndex: 0, sendNumber: 1, code: '482913' },
    mailFacts(),
    SETTINGS,
  )
  if ('skipped' in composed) throw new Error(composed.skipped)
  expect(await strict.send(composed.mail, never)).toMatchObject({ outcome: 'relay_away' })
  expect(relay.mails).toEqual([])
  strict.close()
})
