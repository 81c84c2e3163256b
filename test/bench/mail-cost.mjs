// Measures the CPU time that the notification service takes for one mail, as a ratio to nodemailer alone (bare-mail.mjs), which sends the
// same mail in the same round. The figure is all that the process does for a mail: the call or event, the reads of names and address, the
// text, SMTP without TLS, the record and its event. Starts an empty, durable Postgres and the notification service alone. This process
// takes the parts of the contract and the signing service, and of the SMTP server; its own time does not count.
// Mails start in pairs, as the two parties of a contract cause them, at a steady rate. The CPU time of an idle process is subtracted.
// Run: npm run bench -- mail-cost. BENCH_MAILS: mails of a round. BENCH_ROUNDS. BENCH_RATE: mails a second.
import { fork } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import PostalMime from 'postal-mime'
import { createPostgresEventBus } from '@paraph/messaging/postgres/event-bus'
import { createRpcClient } from '@paraph/rpc/link'
import { createTokenSigner } from '@paraph/rpc/service-token'
import { createLogger } from '@paraph/telemetry/logger'
import { importSource } from './import-source.mjs'
import { cpuMsOf, median, openStage, until } from './pipeline/stage.mjs'
import { startMailServer } from './whole-contract/mail-server.mjs'
import { openReadings } from './whole-contract/readings.mjs'

const MAILS = Number(process.env.BENCH_MAILS ?? 600)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const PER_SECOND = Number(process.env.BENCH_RATE ?? 60)
/** The invitations are first, because they create the contracts of the others. */
const KINDS = ['invitation', 'code', 'copy']
const IDLE_MS = 5_000
/** As large as that of a contract of 2.7 KB. */
const PDF = Buffer.concat([Buffer.from('%PDF-1.7'), randomBytes(65_000)])

/** Whether the contracts of this round are signed. */
let isSealed = false

const { sampleMailData } = await importSource('services/notification/test/mail-fixture.ts')
const { SHARE_URL, SHARE_BASE_URL } = await importSource('libs/testing/test/sample-data-fixture.ts')
const logger = createLogger('bench', 'error')

const stage = await openStage()
const mail = await startMailServer(stage.ports.smtp)
const readings = await openReadings(stage)
const others = await Promise.all([serveRpc(stage.ports.contract), serveRpc(stage.ports.signing)])
const bus = createPostgresEventBus({ url: stage.urlOf('bus', 'runtime', 'contract'), logger })
const signer = createTokenSigner('signing', stage.secrets.callerKeys.signing.private)
const notification = createRpcClient({
  url: `http://127.0.0.1:${stage.ports.notification}`,
  token: () => signer.signCached('notification'),
})
const bare = fork(fileURLToPath(new URL('bare-mail.mjs', import.meta.url)))
try {
  const { pid } = await stage.start('notification', {
    LOG_LEVEL: 'warn',
    SMTP_RATE_PER_SECOND: '10000',
    SHARE_BASE_URL,
    ...JSON.parse(process.env.BENCH_SETTINGS ?? '{}'),
  })
  await measure(pid)
} finally {
  bare.disconnect()
  await Promise.all([bus.close(), notification.close(), readings.close()])
  await stage.stop()
  mail.stop()
  for (const server of others) server.close()
}

async function measure(pid) {
  // Contracts whose creation the service has consumed: of others, a mail ends without an event.
  let created = []
  const send = {
    invitation: (at) => publish('contract', 'contract.created', { contractId: created[at] }),
    code: (at) => Promise.all([0, 1].map((partyIndex) => pushCode(created[at], partyIndex))),
    copy: (at) => publish('signing', 'signing.evidence_sealed', { contractId: created[at] }),
  }
  await readings.settled()
  await roundOfEach(0)
  await readings.settled()
  const [cpuMs, atMs] = [cpuMsOf(pid), performance.now()]
  await sleep(IDLE_MS)
  const idle = (cpuMsOf(pid) - cpuMs) / (performance.now() - atMs)

  const figures = Object.fromEntries(KINDS.map((kind) => [kind, []]))
  for (let at = 0; at < ROUNDS; at += 1) await roundOfEach(idle, figures)
  process.stdout.write(
    `${ROUNDS} rounds of ${MAILS} mails, ${PER_SECOND} a second; idle ${(idle * 1_000).toFixed(1)} ms a second\n`,
  )
  for (const [kind, rounds] of Object.entries(figures)) {
    const of = (take) => median(rounds.map(take)).toFixed(2)
    process.stdout.write(
      `mail, ${kind}: ${of(({ own }) => own)} ms of notification's CPU, ${of(({ own, alone }) => own / alone)} × ` +
        `${of(({ alone }) => alone)} ms of nodemailer alone, ${of(({ own, busy }) => own / busy)} × ${of(({ busy }) => busy)} ms at full speed\n`,
    )
  }

  async function roundOfEach(idle, figures) {
    created = Array.from({ length: MAILS / 2 }, () => randomUUID())
    for (const kind of KINDS) {
      isSealed = kind === 'copy'
      const figure = await round(pid, kind, send[kind], idle)
      figures?.[kind].push(figure)
    }
  }
}

/** @returns the milliseconds of CPU for one mail: `own` of the service; `alone` of nodemailer at the same rate, and `busy` at full speed */
async function round(pid, kind, send, idle) {
  const [cpuMs, atMs, accepted] = [cpuMsOf(pid), performance.now(), mail.accepted()]
  const sent = []
  while (sent.length < MAILS / 2) {
    const due = Math.min(MAILS / 2, ((performance.now() - atMs) * PER_SECOND) / 2_000)
    while (sent.length < due) sent.push(send(sent.length))
    await sleep(2)
  }
  await Promise.all(sent)
  await until(async () => mail.accepted() - accepted >= MAILS)
  await readings.settled()
  const own = (cpuMsOf(pid) - cpuMs - idle * (performance.now() - atMs)) / MAILS
  return { own, alone: await bareMs(kind, PER_SECOND), busy: await bareMs(kind) }
}

async function bareMs(kind, perSecond) {
  const { subject, text, html, from, to, attachments } = await PostalMime.parse(mail.sample(kind))
  bare.send({
    port: mail.port,
    count: MAILS,
    perSecond,
    mail: {
      subject,
      text,
      html,
      from,
      to: to[0],
      attachments: attachments.map(({ filename, mimeType, content }) => ({
        filename,
        contentType: mimeType,
        content: Buffer.from(content).toString('base64'),
      })),
    },
  })
  const [us] = await once(bare, 'message')
  return us / 1_000
}

function pushCode(contractId, partyIndex) {
  const code = { id: randomUUID(), contractId, partyIndex, code: '123456', lapsesInSeconds: 590 }
  return notification.rpc.code.send.mutate(code)
}

function publish(service, type, data) {
  const now = new Date().toISOString()
  const event = {
    specversion: '1.0',
    id: randomUUID(),
    source: `/${service}`,
    type,
    subject: data.contractId,
    time: now,
    datacontenttype: 'application/json',
    sequence: '1',
    data: {
      accountId: 'account-1',
      environment: 'production',
      partyCount: 2,
      ...(service === 'contract' ? { createdAt: now, expiresAt: '2026-12-20T12:00:00.000Z' } : { sealedAt: now }),
      ...data,
    },
  }
  return bus.publish([
    { topic: `${service}.events.v1`, key: data.contractId, headers: {}, value: JSON.stringify(event) },
  ])
}

/** The answers of the contract and the signing service. */
async function serveRpc(port) {
  const answers = {
    '/rpc/position': () => ({ position: 0, mark: 0 }),
    '/rpc/evidence.copy': () => ({ pdf: PDF.toString('base64') }),
    '/rpc/mail.data': ({ contractId, partyIndex }) => mailDataOf(contractId, partyIndex),
  }
  const server = createServer(async (request, response) => {
    const { input } = await json(request)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ output: answers[request.url](input) }))
  })
  server.keepAliveTimeout = 75_000
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** Each mail goes to a mailbox of its own, as most do. */
function mailDataOf(contractId, partyIndex) {
  const { parties, party, ...sample } = sampleMailData()
  const status = isSealed
    ? { status: 'signed', completedAt: '2026-11-29T12:00:00.000Z' }
    : { status: 'pending_signature' }
  return {
    ...sample,
    ...status,
    partyCount: 2,
    parties: parties.slice(0, 2),
    party: { ...party, ...parties[partyIndex], email: `${partyIndex}.${contractId}@example.test` },
    sameMailbox: [partyIndex],
    shareUrl: SHARE_URL,
    language: 'en',
  }
}
