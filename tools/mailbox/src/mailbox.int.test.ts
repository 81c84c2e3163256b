import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { createLogger } from '@paraph/telemetry/logger'
import { mailboxApi } from './api.js'
import { mailboxPages } from './pages.js'
import { startMailboxServer } from './server.js'
import { startSmtpServer } from './smtp.js'
import { openMailStore } from './store.js'

let folder: string
const stops: (() => Promise<unknown>)[] = []
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'paraph-mail-'))))
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await rm(folder, { recursive: true })
})

async function startMailbox(messagesMax?: number) {
  const store = await openMailStore(folder, messagesMax === undefined ? {} : { messagesMax })
  const smtp = await startSmtpServer(0, store.add)
  const home = () => ({
    apiUrl: 'http://localhost/api',
    sandboxKey: 'paraph_test_x',
    sandboxKeyPath: 'x',
    addresses: [],
    signIn: 'owner@example.test',
  })
  const routes = [mailboxApi(store), mailboxPages({ store, home })]
  const web = await startMailboxServer({ port: 0, routes, logger: createLogger('mailbox', 'silent') })
  const stop = async () => {
    await web.stop()
    await smtp.stop()
  }
  stops.push(stop)
  const base = `http://127.0.0.1:${web.port}`
  return {
    stop,
    port: web.port,
    send: (message: string, recipients?: string[]) => sendMail(smtp.port, message, recipients),
    get: async <T>(path: string) => (await fetch(base + path)).json() as Promise<T>,
    fetch: (path: string, init?: RequestInit) => fetch(base + path, init),
  }
}

/** Sends a message by SMTP, byte for byte as a mailer does. @returns the answers of the server */
async function sendMail(port: number, message: string, recipients = ['b@example.test']): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answers = ''
  const lines = [
    'EHLO test',
    'MAIL FROM:<sign@mail.paraph.test>',
    ...recipients.map((address) => `RCPT TO:<${address}>`),
    'DATA',
    `${message.replaceAll('\n', '\r\n')}\r\n.`,
    'QUIT',
  ]
  for await (const chunk of socket) {
    answers += String(chunk)
    // `250-` announces more lines of the same answer.
    if (/(^|\n)\d{3} [^\n]*\n$/.test(answers) && lines.length > 0) socket.write(`${lines.shift()}\r\n`)
  }
  return answers
}

const MESSAGE = `From: "Nordic Foods Ltd. via Paraph" <sign@mail.paraph.test>
To: Jane Roe <b@example.test>
Subject: =?UTF-8?Q?Contrat_=C3=A0_signer?=
Message-ID: <invitation.1@mail.paraph.test>
Date: Sat, 21 Nov 2026 10:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: multipart/alternative; boundary=c

--c
Content-Type: text/plain; charset=utf-8

Open http://localhost:8080/contract/abc to sign.
--c
Content-Type: text/html; charset=utf-8

<!doctype html><html><head><title>x</title></head><body><a href="http://localhost:8080/contract/abc">Read</a></body></html>
--c--
--b
Content-Type: application/pdf
Content-Disposition: attachment; filename="contract.pdf"
Content-Transfer-Encoding: base64

JVBERi0xLjQ=
--b--`

const simple = (subject: string, to = 'b@example.test') =>
  `From: a@example.test\nTo: ${to}\nSubject: ${subject}\n\nText of ${subject}.`

interface List {
  total: number
  messages_count: number
  messages: Record<string, unknown>[]
}

it('the mailbox serves messages in the JSON format of Mailpit [local-stack: the mailbox]', async () => {
  const { send, get, fetch } = await startMailbox()
  expect(await send(MESSAGE, ['b@example.test', 'hidden@example.test'])).toMatch(/\n250 [^\n]*\r\n221/)
  const { total, messages } = await get<List>('/api/v1/messages?limit=10')
  expect(total).toBe(1)
  expect(messages[0]).toMatchObject({
    MessageID: 'invitation.1@mail.paraph.test',
    From: { Name: 'Nordic Foods Ltd. via Paraph', Address: 'sign@mail.paraph.test' },
    To: [{ Name: 'Jane Roe', Address: 'b@example.test' }],
    Bcc: [{ Name: '', Address: 'hidden@example.test' }],
    Subject: 'Contrat à signer',
    Snippet: 'Open http://localhost:8080/contract/abc to sign.',
    Attachments: 1,
    Read: false,
  })
  const id = String(messages[0]?.['ID'])
  const detail = await get<Record<string, unknown>>(`/api/v1/message/${id}`)
  expect(detail).toMatchObject({
    ID: id,
    Date: '2026-11-21T10:00:00.000Z',
    Attachments: [{ PartID: '1', FileName: 'contract.pdf', ContentType: 'application/pdf', Size: 8 }],
  })
  expect(String(detail['Text']).trim()).toBe('Open http://localhost:8080/contract/abc to sign.')
  expect(detail['HTML']).toContain('<a href="http://localhost:8080/contract/abc">')
  const part = await fetch(`/api/v1/message/${id}/part/1`)
  expect([part.headers.get('content-type'), await part.text()]).toEqual(['application/pdf', '%PDF-1.4'])
  expect(await (await fetch(`/api/v1/message/${id}/raw`)).text()).toContain(
    'Subject: =?UTF-8?Q?Contrat_=C3=A0_signer?=',
  )
  expect((await get<List>('/api/v1/messages')).messages[0]).toMatchObject({ Read: true })
})

it('the mailbox lists the newest message first, finds messages by address, and can be emptied [local-stack: the mailbox]', async () => {
  const { send, get, fetch } = await startMailbox()
  await send(simple('first'))
  await send(simple('second', 'C@example.test'))
  await send(simple('third'))
  const subjects = async (path: string) => (await get<List>(path)).messages.map((each) => each['Subject'])
  expect(await subjects('/api/v1/messages')).toEqual(['third', 'second', 'first'])
  expect(await subjects('/api/v1/messages?limit=1')).toEqual(['third'])
  expect(await subjects(`/api/v1/search?query=${encodeURIComponent('to:"c@example.test"')}`)).toEqual(['second'])
  expect(await subjects(`/api/v1/search?query=${encodeURIComponent('to:"b@example.test" subject:first')}`)).toEqual([
    'first',
  ])
  expect(await (await fetch('/api/v1/messages', { method: 'DELETE' })).text()).toBe('ok')
  expect((await get<List>('/api/v1/messages')).total).toBe(0)
  expect(await readdir(folder)).toEqual([])
})

it('the mailbox keeps its messages after a restart, and their order even if the clock is set back [local-stack: the mailbox]', async () => {
  const store = await openMailStore(folder, { now: () => new Date('2026-11-21T10:00:00Z') })
  await store.add(Buffer.from(simple('before')), ['b@example.test'])
  const later = await openMailStore(folder, { now: () => new Date('2026-11-21T09:00:00Z') })
  await later.add(Buffer.from(simple('after')), ['b@example.test'])
  // A process that is killed between the writes of the two files of a message leaves this file.
  await writeFile(join(folder, '0mwq00000half.eml'), 'x')
  const { get } = await startMailbox()
  const { messages } = await get<List>('/api/v1/messages')
  expect(messages.map((each) => each['Subject'])).toEqual(['after', 'before'])
  expect(await readdir(folder)).toHaveLength(4)
})

it('the mailbox rebuilds a broken index entry from the message, and drops empty files [local-stack: the mailbox]', async () => {
  const store = await openMailStore(folder, { now: () => new Date('2026-11-21T10:00:00Z') })
  const [first, second, third] = [
    await store.add(Buffer.from(simple('first')), ['b@example.test']),
    await store.add(Buffer.from(simple('second')), ['b@example.test']),
    await store.add(Buffer.from(simple('third')), ['b@example.test']),
  ]
  // A power loss after a write without a flush leaves these files.
  await writeFile(join(folder, `${first.id}.json`), '')
  await writeFile(join(folder, `${second.id}.json`), '{"id":')
  await writeFile(join(folder, `${second.id}.eml`), '')
  const again = await openMailStore(folder)
  expect(again.list()).toEqual([third, first])
  expect(await readdir(folder)).toHaveLength(4)
})

it('the mailbox keeps the newest messages and drops the oldest at its limit [local-stack: the mailbox]', async () => {
  const { send, get } = await startMailbox(3)
  for (const subject of ['1', '2', '3', '4', '5']) await send(simple(subject))
  const { messages } = await get<List>('/api/v1/messages')
  expect(messages.map((each) => each['Subject'])).toEqual(['5', '4', '3'])
  expect(await readdir(folder)).toHaveLength(6)
})

it('the mailbox refuses a message that it cannot store, so that the sender tries again [local-stack: the mailbox]', async () => {
  const smtp = await startSmtpServer(0, () => Promise.reject(new Error('the disk is full')))
  stops.push(smtp.stop)
  expect(await sendMail(smtp.port, simple('lost'))).toMatch(/\n451 /)
})

it("the mailbox shows a message's HTML without scripts, forms or other origins [local-stack: the mailbox]", async () => {
  const { send, get, fetch } = await startMailbox()
  await send(MESSAGE)
  const id = String((await get<List>('/api/v1/messages')).messages[0]?.['ID'])
  const html = await fetch(`/mailbox/${id}/html`)
  const policy = html.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toMatch(/sandbox allow-popups allow-popups-to-escape-sandbox$/)
  expect(await html.text()).toContain('<head><base target="_blank">')
  const shown = await fetch(`/mailbox/${id}`)
  const page = await shown.text()
  expect(page).toContain(`src="/mailbox/${id}/html"`)
  const [icon] = /(?<=<link rel="icon"[^>]*href=")[^"]+/.exec(page) ?? []
  expect((await fetch(icon!)).status).toBe(200)
  expect(shown.headers.get('content-security-policy')).toContain("img-src 'self'")
  expect(await (await fetch(`/mailbox/${id}?view=text`)).text()).toContain(
    '<a href="http://localhost:8080/contract/abc"',
  )
})

it('the mailbox answers only as localhost, and refuses forms of other sites [local-stack: the mailbox]', async () => {
  const { port, fetch, send, get } = await startMailbox()
  await send(simple('kept'))
  const status = await new Promise((resolve) => {
    request({ port, host: '127.0.0.1', headers: { host: 'evil.example' } }, (answer) =>
      resolve(answer.statusCode),
    ).end()
  })
  expect(status).toBe(404)
  expect(await get('/api/v1/message/none')).toEqual({
    error: expect.stringContaining('no such message'),
    code: 'not_found',
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  const foreign = await fetch('/mailbox/empty', { method: 'POST', headers: { origin: 'https://evil.example' } })
  expect(foreign.status).toBe(404)
  expect((await get<List>('/api/v1/messages')).total).toBe(1)
  const own = await fetch('/mailbox/empty', {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  expect([own.status, own.headers.get('location')]).toEqual([303, '/mailbox'])
  expect((await get<List>('/api/v1/messages')).total).toBe(0)
})
