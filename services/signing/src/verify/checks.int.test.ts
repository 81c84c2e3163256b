// Files of anybody over real HTTP, checked in real threads: genuine and forged ones, noise, bombs, and ten at the same time. [D68]
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { createServer, request, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals'
import Koa from 'koa'
import { renderErrors } from '@paraph/http/render-errors'
import { createLogger } from '@paraph/telemetry/logger'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { growthOf } from '@paraph/testing/memory-growth'
import { threadsOf } from '@paraph/testing/thread-count'
import { waitFor } from '@paraph/testing/wait-for'
import { createFormTokens } from '@paraph/web/form-token'
import { sampleSettings, samplePdfInput, SAMPLE_KEYS } from '../../test/evidence-fixture.js'
import { deflateBomb, noise, pdfWithAttachment } from '../../test/hostile-pdf-fixture.js'
import { createVerifyHandlers } from '../ceremony/handlers/verify.js'
import type { Ceremony } from '../ceremony/page-request.js'
import { checkEvidenceKeys } from '../sealing/keys.js'
import { renderPdf } from '../sealing/pdf/render-pdf.js'
import { sealPdf } from '../sealing/pdf/seal-pdf.js'
import { createChecks, FILE_BYTES_MAX, type Checks } from './checks.js'

const MEBIBYTE = 1_048_576
const NOW = new Date('2026-11-28T12:00:00Z')
const formTokens = createFormTokens([{ id: 'k1', secret: randomBytes(32).toString('hex') }])
const formToken = formTokens.issue('/verify', NOW)

let pdf: Buffer
let known: Parameters<typeof createChecks>[0]
let isOwnForm = true
let server: Server
let url: string
beforeAll(async () => {
  const opened = await checkEvidenceKeys(sampleSettings())
  if ('faults' in opened) throw new Error(opened.faults.join())
  known = { knownKeysPem: opened.published.evidencePem, knownSealsPem: opened.published.sealPem }
  const input = await samplePdfInput()
  pdf = Buffer.from(await sealPdf(await renderPdf(input), SAMPLE_KEYS.seal, { sealedAt: input.sealedAt, reason: 'x' }))
})

async function serve(checks: Checks): Promise<void> {
  const ceremony = { checks, formTokens, isOwnForm: () => isOwnForm, now: () => Promise.resolve(NOW) }
  const { send } = createVerifyHandlers(ceremony as unknown as Ceremony)
  const app = new Koa()
  app.silent = true
  app.use(renderErrors(createLogger('signing', 'silent'))).use((ctx) => {
    return send(ctx, { locale: 'en', styleHref: '/x.css', scriptHref: '/s.js', footName: 'Paraph' })
  })
  server = createServer(app.callback())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/verify`
}

beforeEach(async () => {
  isOwnForm = true
  await serve(createChecks(known))
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

interface Reply {
  status: number
  retryAfter: string | undefined
  title: string | undefined
  summary: string | undefined
}

/** Sends a form as it is: `fetch` would copy the file for each. */
function post(file: Buffer, token = formToken): Promise<Reply> {
  const head = `--b\r\nContent-Disposition: form-data; name="formToken"\r\n\r\n${token}\r\n${FILE_PART}`
  return send([Buffer.from(head), file, Buffer.from('\r\n--b--\r\n')])
}

const MULTIPART = 'multipart/form-data; boundary=b'
const FILE_PART =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="copy.pdf"\r\nContent-Type: application/pdf\r\n\r\n'

async function send(parts: readonly Buffer[], contentType = MULTIPART): Promise<Reply> {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const sending = request(url, { method: 'POST', headers: { 'content-type': contentType, 'content-length': length } })
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>
  // The server may answer, and close, before it has read everything.
  sending.on('error', () => undefined)
  for (const part of parts) sending.write(part)
  sending.end()
  const [reply] = await answered
  const html = await text(reply)
  sending.destroy()
  return {
    status: reply.statusCode ?? 0,
    retryAfter: reply.headers['retry-after'],
    title: /<h1>(.*?)<\/h1>/.exec(html)?.[1],
    summary: /class="error-summary".*?<\/div>/.exec(html)?.[0],
  }
}

it('a genuine PDF, as large as a form may be or small, gets its answer; the same with one byte changed is not in order', async () => {
  expect(await post(pdf)).toMatchObject({ status: 200, title: expect.stringMatching(/^Signed by 3 people; /) })
  const copy = Buffer.from(pdf)
  copy[copy.indexOf('%%EOF')]! ^= 1
  expect(await post(copy)).toMatchObject({ status: 200, title: 'This PDF is not as it was sealed' })
  const long = Buffer.concat([pdf, Buffer.alloc(FILE_BYTES_MAX - pdf.length, '\n')])
  expect(await post(long)).toMatchObject({ status: 200, title: 'This PDF is not as it was sealed' })
})

it('a file that is none of Paraph’s gets a page that says so, without a thread where its first bytes tell', async () => {
  const other = { status: 200, title: 'This is not a signed document from Paraph' }
  const told = await threadsOf(async () => {
    for (const file of [Buffer.from('x'), randomBytes(2_000_000), Buffer.from('PK\u0003\u0004')])
      expect(await post(file)).toMatchObject(other)
  })
  expect(told.started).toBe(0)
  const checked = await threadsOf(() => post(Buffer.from('%PDF-1.7\n%%EOF')))
  expect(checked).toMatchObject({ started: 1, result: other })
})

it.each([
  ['more than the limit, announced', FILE_BYTES_MAX + 100_000],
  ['one byte more than the limit', FILE_BYTES_MAX + 1],
])('%s: 413 with the form, and nothing is checked', async (_, bytes) => {
  const reply = await post(noise(bytes))
  expect([reply.status, reply.title]).toEqual([413, 'Check a signed document'])
  expect(reply.summary).toContain('more than 30')
})

it('an endless body that announces no length gets its 413 while it is still being sent', async () => {
  const sending = request(url, {
    method: 'POST',
    headers: { 'content-type': MULTIPART, 'transfer-encoding': 'chunked' },
  })
  sending.on('error', () => undefined)
  const answered = once(sending, 'response') as Promise<[{ statusCode: number }]>
  sending.write(FILE_PART)
  let isAnswered = false
  void answered.then(() => (isAnswered = true))
  while (!isAnswered) await new Promise((resolve) => sending.write(Buffer.alloc(MEBIBYTE), resolve))
  expect((await answered)[0].statusCode).toBe(413)
  sending.destroy()
})

it('no file, an old form and a form of another site get the form again; other bodies are refused', async () => {
  expect(await post(Buffer.alloc(0))).toMatchObject({ status: 422, summary: expect.stringContaining('Choose a file') })
  expect(await post(pdf, 'k1.0.x')).toMatchObject({ status: 422, summary: expect.stringContaining('too long') })
  isOwnForm = false
  expect((await post(pdf)).status).toBe(403)
  isOwnForm = true
  expect((await send([Buffer.from('a=b')], 'application/x-www-form-urlencoded')).status).toBe(415)
  expect((await send([Buffer.from('--b\r\nnothing')])).status).toBe(400)
  expect((await send([Buffer.from('x')], 'multipart/form-data')).status).toBe(415)
})

it('a form that is cut off anywhere, or has bytes exchanged, gets an answer', async () => {
  const form = `--b\r\nContent-Disposition: form-data; name="formToken"\r\n\r\n${formToken}\r\n${FILE_PART}xyz\r\n--b--\r\n`
  for (let length = 0; length < form.length; length += 7) {
    const { status } = await send([Buffer.from(form.slice(0, length))])
    // The file is whole where only a part of the last boundary is missing.
    const answers = form.length - length < '--\r\n'.length + 1 ? [200] : [400, 422]
    expectWithMessage(answers, `cut to ${length} bytes`).toContain(status)
  }
  for (let at = 0; at < form.length; at += 11) {
    const bytes = Buffer.from(form)
    bytes[at] = 10
    expectWithMessage([200, 400, 422], `byte ${at}`).toContain((await send([bytes])).status)
  }
})

it.each([
  ['an attachment that inflates to 2 GB', () => pdfWithAttachment(deflateBomb(2_048))],
  ['30 MB of noise', () => noise(FILE_BYTES_MAX)],
  [
    '30 MB of places for a seal',
    () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(29_000_000, '/ByteRange [0 1 ')]),
  ],
])('%s is answered within the limits of time and memory, and the next file is checked', async (what, makeFile) => {
  const file = makeFile()
  const startedAt = performance.now()
  const { result, megabytes } = await growthOf(() => post(file))
  const seconds = (performance.now() - startedAt) / 1_000
  process.stdout.write(`${what}: ${result.status}, ${megabytes.toFixed(0)} MB, ${seconds.toFixed(1)} s\n`)
  expect([200, 422]).toContain(result.status)
  expect(result.title).not.toMatch(/^Signed/)
  // The form and its copies, and the thread with its heap and buffers.
  expect(megabytes).toBeLessThan(500)
  expect(seconds).toBeLessThan(30)
  expect((await post(pdf)).title).toMatch(/^Signed by 3 people/)
})

it('a thread that uses too much CPU is ended, and says that the file was not checked; a late one says that we are busy', async () => {
  server.close()
  await serve(createChecks(known, { cpuMsMax: 1 }))
  const costly = await post(pdf)
  expect([costly.status, costly.summary]).toEqual([422, expect.stringContaining('Treat this file as not checked')])
  server.close()
  await serve(createChecks(known, { timeMsMax: 1 }))
  const late = await post(pdf)
  expect([late.status, late.summary]).toEqual([503, expect.stringContaining('Wait a few seconds')])
})

it('of ten files at the same time, some are checked, the others are told to try again, and memory is bounded', async () => {
  const file = noise(FILE_BYTES_MAX)
  const { result, megabytes } = await growthOf(() => Promise.all(Array.from({ length: 10 }, () => post(file))))
  process.stdout.write(
    `ten at the same time: ${result.map(({ status }) => status).join(' ')}, ${megabytes.toFixed(0)} MB\n`,
  )
  const busy = result.filter(({ status }) => status === 503)
  expect(busy.length).toBeGreaterThanOrEqual(5)
  expect(new Set(busy.map(({ retryAfter }) => retryAfter))).toEqual(new Set(['10']))
  expect(result.filter(({ status }) => ![200, 422, 503].includes(status))).toEqual([])
  expect(busy[0]?.summary).toContain('Wait a few seconds, then press the button again')
  // Room again, although nobody waited for the refused ones.
  expect((await post(pdf)).status).toBe(200)
}, 120_000)

it('four small files wait for one thread, and a fifth is told to try again', async () => {
  const { result: replies, most } = await threadsOf(() => Promise.all(Array.from({ length: 8 }, () => post(pdf))))
  expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(4)
  expect(replies.filter(({ status }) => status === 503).length).toBeGreaterThanOrEqual(1)
  expect(most).toBe(1)
})

it('a browser that leaves while it sends gives its room back', async () => {
  const checks = createChecks(known)
  server.close()
  await serve(checks)
  for (let at = 0; at < 4; at += 1) {
    const leaving = request(url, { method: 'POST', headers: { 'content-type': MULTIPART } })
    leaving.on('error', () => undefined)
    leaving.write(FILE_PART)
    leaving.write(Buffer.alloc(25 * MEBIBYTE))
    await waitFor(() => expect(checks.heldBytes()).toBeGreaterThan(20 * MEBIBYTE))
    leaving.destroy()
    await waitFor(() => expect(checks.heldBytes()).toBe(0))
  }
  expect((await post(pdf)).status).toBe(200)
})
