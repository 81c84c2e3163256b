// Measures the one interval in which a killed worker causes a second copy of a mail: from the 250 of the SMTP server to the worker's
// commit. Repeatedly kills a worker process that sends mails, at random times and at the fail point in this interval. The SMTP server in
// this process counts the copies by Message-ID. Prints kills, mails, lost mails, surplus copies (of all mails and the most of one mail),
// and the time from the 250 to the commit. Run: npm run bench -- mail. BENCH_SEED, BENCH_MAILS, BENCH_KILLS. [F8, I8]
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '@paraph/database/migrate'
import { createDatabase, openPool } from '@paraph/database/pool'
import { provisionDatabase } from '@paraph/database/provision'
import { createComposer } from '@paraph/notification/compose/compose-delivery'
import { addInvitations, openSealed } from '@paraph/notification/queue/add-delivery'
import { createDeliveryClaims, UNRECORDED } from '@paraph/notification/queue/claim-delivery'
import { createDeliveryWorker } from '@paraph/notification/queue/delivery-worker'
import { createMailboxLimit } from '@paraph/notification/queue/mailbox-limit'
import { createMailer } from '@paraph/notification/smtp/mailer'
import { migrations } from '@paraph/notification/migrations'
import { createSmtpCircuit } from '@paraph/notification/smtp/circuit'
import { createSendRate } from '@paraph/notification/queue/token-bucket'
import { createFinishDelivery } from '@paraph/notification/queue/finish-delivery'
import { readSmtpUrl } from '@paraph/notification/smtp/smtp-url'
import { watchFailPoints } from '@paraph/testing/fail-point'
import { parseKeyring } from '@paraph/config/keyring'
import { createLogger } from '@paraph/telemetry/logger'
import { sql } from 'kysely'
import { importSource } from './import-source.mjs'
import { startPostgres } from './postgres.mjs'

const SEED = Number(process.env.BENCH_SEED ?? 20_261_122)
const MAILS = Number(process.env.BENCH_MAILS ?? 3_000)
const KILLS = Number(process.env.BENCH_KILLS ?? 20)
const CONNECTIONS = 5
const PARTIES = 10
const STILL_MS = 30_000
const logger = createLogger('bench', 'error')
const codeKeys = parseKeyring(`k1:${Buffer.alloc(32, 7).toString('base64')}`)

/** Runs in the child process: sends mails until it is killed, and reports to the parent how long the record of each acceptance took. */
function work(databaseUrl, smtpPort, failPoints) {
  // Ends this process when its parent ends.
  process.on('disconnect', () => process.exit(1))
  watchFailPoints(failPoints)
  const database = createDatabase(openPool(databaseUrl, logger))
  const finishDelivery = createFinishDelivery({ database, notifyRelay: () => undefined })
  const mailer = createMailer({
    smtp: readSmtpUrl(`smtp://127.0.0.1:${smtpPort}`),
    fromAddress: FROM_ADDRESS,
    domain: MAIL_SETTINGS.mailDomain,
    connections: CONNECTIONS + 1,
  })
  createDeliveryWorker({
    claims: createDeliveryClaims({ database }),
    // The worker calls this function when the 250 has arrived.
    async finishDelivery(...args) {
      const acceptedAtMs = performance.now()
      await finishDelivery(...args)
      process.send(performance.now() - acceptedAtMs)
    },
    circuit: createSmtpCircuit({ database }),
    rate: createSendRate(10_000, performance.now()),
    // All mails of this run go to one mailbox.
    mailboxLimit: createMailboxLimit({ database, keys: codeKeys, limits: { perHour: MAILS * 2, perDay: MAILS * 2 } }),
    mailer,
    compose: createComposer({
      readMailData: async () => FACTS,
      readCopy: async () => null,
      openSealed: (delivery) => openSealed(codeKeys, delivery),
      ...MAIL_SETTINGS,
    }),
    connections: CONNECTIONS,
    logger,
  }).start()
}

// Uses the fixture of the tests, which contains all data that a mail requires.
const { FROM_ADDRESS, MAIL_SETTINGS, sampleMailData } = await importSource('services/notification/test/mail-fixture.ts')
const FACTS = sampleMailData({ language: 'en', expiresAt: '2036-12-04T14:03:00.000Z' })

async function measure() {
  const print = (line) => process.stdout.write(`${line}\n`)
  const random = createRandom(SEED)
  const postgres = await startPostgres()
  const smtp = await startSmtp()
  const folder = await mkdtemp(join(tmpdir(), 'paraph-bench-'))
  try {
    const url = new URL(postgres.databaseUrl)
    const urlOf = (user, database) => `postgres://${user}:${url.password}@${url.host}/${database}`
    const passwords = { owner: url.password, runtime: url.password }
    const database = 'notification'
    await provisionDatabase(urlOf('postgres', 'postgres'), { service: 'notification', database, passwords })
    await migrate(urlOf('notification_owner', database), migrations)
    const databaseUrl = urlOf('notification_runtime', database)
    const pool = createDatabase(openPool(databaseUrl, logger))
    for (let number = 0; number < MAILS / PARTIES; number += 1) {
      const contract = { contractId: `c${number}`, accountId: 'a1', environment: 'production', partyCount: PARTIES }
      await pool.transaction().execute((trx) => addInvitations(trx, contract))
    }
    const took = []
    const waiting = async () =>
      (await sql`select count(*)::int as n from delivery where state = 'due'`.execute(pool)).rows[0].n
    // Expires the leases of the killed workers, with their grace. Before that, the next worker sends only other mails.
    const endClaims = () =>
      sql`update delivery set claimed_until = now() - interval '1 s', outcome = ${UNRECORDED} where claim is not null`.execute(
        pool,
      )
    const backends = async () =>
      (await sql`select count(*)::int as n from pg_stat_activity where application_name = 'worker'`.execute(pool))
        .rows[0].n
    const describe = async () => {
      const { rows } = await sql`select state, attempts, outcome, count(*)::int as n, min(due_at - now())::text as due,
        max(claimed_until - now())::text as claimed from delivery group by 1, 2, 3`.execute(pool)
      const { rows: relay } = await sql`select * from smtp_circuit`.execute(pool)
      return JSON.stringify([rows, relay])
    }
    /** Waits until `isDone`. @throws Error when no mail was accepted for `STILL_MS` */
    const goingOn = async (isDone, everyMs) => {
      let [seen, movedAt] = [smtp.accepted(), performance.now()]
      while (!(await isDone())) {
        if (smtp.accepted() !== seen) [seen, movedAt] = [smtp.accepted(), performance.now()]
        if (performance.now() - movedAt > STILL_MS) throw new Error(`no more mails are accepted: ${await describe()}`)
        await pause(everyMs)
      }
    }
    const kills = { random: 0, point: 0 }
    for (let round = 0; ; round += 1) {
      const isLast = kills.random + kills.point >= KILLS
      const atPoint = !isLast && round % 2 === 1
      if (isLast) await endClaims()
      if (atPoint) await writeFile(join(folder, 'mail.accepted'), '')
      const child = fork(fileURLToPath(import.meta.url), [
        'worker',
        `${databaseUrl}?application_name=worker`,
        String(smtp.port),
        folder,
      ])
      const ended = once(child, 'exit')
      let isOver = false
      child.on('message', (ms) => took.push(ms))
      void ended.then(() => (isOver = true))
      const started = smtp.accepted()
      // Waits until the worker is sending, so that the kill happens during the sending of mails.
      if (!atPoint) await goingOn(async () => smtp.accepted() !== started || (await waiting()) === 0, 5)
      // The worker kills itself at the fail point. A kill by this process could leave the point armed for the next worker.
      else await goingOn(async () => isOver || (await waiting()) === 0, 5)
      if (isLast) await goingOn(async () => (await waiting()) === 0, 50)
      else if (!atPoint) await pause(random() * 300)
      if ((await waiting()) === 0 && !isLast) print('all sent before the last kill; raise BENCH_MAILS')
      child.kill('SIGKILL')
      await ended
      // Postgres still executes the last statement of the killed worker, which may claim mails.
      while ((await backends()) > 0) await pause(5)
      if (!isLast) kills[atPoint ? 'point' : 'random'] += 1
      if (isLast || (await waiting()) === 0) break
    }
    const copies = [...smtp.copies.values()]
    const more = copies.reduce((sum, count) => sum + count - 1, 0)
    took.sort((a, b) => a - b)
    const at = (share) => took[Math.min(took.length - 1, Math.floor(took.length * share))].toFixed(1)
    print(
      `seed ${SEED}: ${kills.random} kills at random, ${kills.point} inside the window, ${CONNECTIONS} mails under way at once`,
    )
    print(`mails ${MAILS}, arrived ${copies.length}, lost ${MAILS - copies.length}`)
    print(`copies more than one: ${more} in all, at most ${Math.max(...copies) - 1} of a mail`)
    print(`from 250 to commit: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms, ${took.length} mails`)
    const isSound = copies.length === MAILS && more <= (kills.random + kills.point) * (CONNECTIONS + 1)
    if (!isSound) process.exitCode = 1
    await pool.destroy()
  } finally {
    await smtp.stop()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Starts an SMTP server that accepts every mail 2 ms after its text, and counts the copies by Message-ID. */
async function startSmtp() {
  const copies = new Map()
  let accepted = 0
  const sockets = new Set()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    let text
    let rest = ''
    socket.write('220 relay.test ESMTP\r\n')
    socket.setEncoding('latin1').on('data', (chunk) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop()
      for (const line of lines) {
        if (text === undefined) {
          if (/^DATA/i.test(line)) text = []
          socket.write(text ? '354 go on\r\n' : /^QUIT/i.test(line) ? '221 bye\r\n' : '250 ok\r\n')
        } else if (line === '.') {
          const id = /^message-id: *(\S+)/im.exec(text.join('\n'))[1]
          text = undefined
          setTimeout(() => {
            copies.set(id, (copies.get(id) ?? 0) + 1)
            accepted += 1
            socket.write('250 taken\r\n')
          }, 2)
        } else text.push(line)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    copies,
    accepted: () => accepted,
    port: server.address().port,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** The pseudo-random number generator Mulberry32. */
function createRandom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

if (process.argv[2] === 'worker') work(...process.argv.slice(3))
else await measure()
