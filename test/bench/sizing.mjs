// Measures what a contract of two parties costs, from its POST until its parties read their copies: CPU time of each service and of
// Postgres, WAL, and rows and bytes of every table. docs/explanation/sizing.md uses these figures ("How much it takes", "A million contracts a
// day").
// Starts an empty, durable Postgres, the services, and an SMTP server in this process. A warm-up compiles all code. The work consists of
// steps; each begins when all work of the previous one has finished, so that asynchronous work counts in the step that caused it. The idle
// CPU time is measured first, and subtracted from that of each step.
// For comparison, another process measures what the same mail costs nodemailer alone (bare-mail.mjs).
// Run: npm run bench -- sizing. BENCH_CONTRACTS: number of contracts. BENCH_WARM: contracts before the measurement. BENCH_GETS: GETs for
// each contract. BENCH_IDLE_MS: length of the idle measurement.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import PostalMime from 'postal-mime'
import { Pool } from 'undici'
import { createOperatorClient } from '@paraph/paraph/operator-client'
import { internalUrl } from '@paraph/paraph/installation/environment'
import { importSource } from './import-source.mjs'
import { cpuMsOf, openStage, until } from './pipeline/stage.mjs'

const { askForCode, createVisitor, signOn } = await importSource('test/harness/clients/ceremony-client.ts')

const CONTRACTS = Number(process.env.BENCH_CONTRACTS ?? 300)
const WARM_UP = Number(process.env.BENCH_WARM ?? 50)
const GETS = Number(process.env.BENCH_GETS ?? 20)
const IDLE_MS = Number(process.env.BENCH_IDLE_MS ?? 10_000)
const SERVICES = ['gateway', 'contract', 'signing', 'notification']
const DATABASES = [...SERVICES, 'bus']
/** The number of concurrent contracts. */
const LANES = 4
const PARTIES = ['Nordic Foods Ltd.', 'Jane Roe']
const CONTENT = readFileSync(new URL('../../services/signing/test/contract-text/nda.txt', import.meta.url), 'utf8')

const stage = await openStage()
const mail = await startMailServer(stage.ports.smtp)
const admins = Object.fromEntries(
  await Promise.all(
    DATABASES.map(async (database) => {
      const client = new pg.Client({ connectionString: stage.adminUrlOf(database) })
      await client.connect()
      return [database, client]
    }),
  ),
)
const query = async (database, text) => (await admins[database].query(text)).rows
try {
  await measure()
} finally {
  await Promise.all(Object.values(admins).map((client) => client.end()))
  await stage.stop()
  await mail.stop()
}

async function measure() {
  await query('contract', 'create extension pg_walinspect')
  const settings = {
    LOG_LEVEL: 'warn',
    // Lets each visitor have its own client address, because one address may request only 600 codes an hour. [D16]
    TRUSTED_PROXY_HOPS: '1',
    WINDOW_STORE: 'postgres',
  }
  const services = await Promise.all(SERVICES.map((service) => stage.start(service, settings)))
  const pids = Object.fromEntries(SERVICES.map((service, at) => [service, services[at].pid]))
  const client = await openClient()

  await play(0, WARM_UP, async (_, work) => {
    await work()
    await settled()
  })

  const idleFrom = { at: performance.now(), cpu: cpuNow(pids) }
  await sleep(IDLE_MS)
  const idleMs = performance.now() - idleFrom.at
  const idle = mapValues(cpuNow(pids), (ms, name) => (ms - idleFrom.cpu[name]) / idleMs)

  const sizesFrom = await sizes()
  await query('contract', 'checkpoint')
  const steps = []
  await play(WARM_UP, CONTRACTS, async (name, work) => {
    const from = { at: performance.now(), cpu: cpuNow(pids), wal: await walPosition(), mails: mail.accepted() }
    const requests = await work()
    await settled()
    const ms = performance.now() - from.at
    const cpu = mapValues(cpuNow(pids), (now, of) => (now - from.cpu[of] - idle[of] * ms) / CONTRACTS)
    const wal = mapValues(await walSince(from.wal), (bytes) => bytes / CONTRACTS)
    steps.push({ name, cpu, wal, mails: mail.accepted() - from.mails, requests })
  })
  const sizesTo = await sizes()
  await client.close()
  const bare = {}
  for (const kind of ['invitation', 'code', 'copy']) bare[kind] = await bareMailMs(kind)
  printResults({ idle, steps, bare, tables: await grown(sizesFrom, sizesTo) })

  /** Takes `count` contracts through all steps. `step` runs each; its `work` resolves with the calls and page requests per contract. */
  async function play(from, count, step) {
    const contracts = Array.from({ length: count }, (_, at) => ({ number: from + at }))
    const all = (work) => async () => {
      const [before, calls] = [client.pages(), client.calls()]
      await inLanes(contracts, work)
      return { pages: (client.pages() - before) / count, calls: (client.calls() - calls) / count }
    }
    const both = (work) => (contract) => Promise.all(PARTIES.map((_, at) => work(contract, at)))
    await step('POST and two invitations', all(client.create))
    await step(`${GETS} GETs`, all(client.poll))
    await step('two people up to the text: pages, codes', all(both(client.review)))
    await step(
      'the first signature',
      all((contract) => client.sign(contract, 0)),
    )
    await step(
      'the last signature, the seal, two copies mailed',
      all((contract) => client.sign(contract, 1)),
    )
    await step('two people read the last page and the PDF', all(both(client.readCopy)))
  }

  async function openClient() {
    const operator = createOperatorClient({
      ...Object.fromEntries(SERVICES.map((service) => [`${service}Url`, internalUrl(stage.ports, service)])),
      operatorKey: stage.secrets.callerKeys.operator.private,
    })
    const owner = { name: 'Load', email: 'load@example.test', tier: 'load' }
    const { account } = await operator.gateway.account.create.mutate(owner)
    const scopes = ['contracts:read', 'contracts:write']
    const { key } = await operator.gateway.key.create.mutate({ accountId: account.id, environment: 'live', scopes })
    await operator.close()
    const headers = { 'x-api-key': key.secret, 'content-type': 'application/json' }
    const pool = new Pool(`http://127.0.0.1:${stage.ports.gateway}`, { connections: LANES })
    let [calls, pages] = [0, 0]

    async function call(method, path, body) {
      calls += 1
      const answer = await pool.request({ method, path: `/api/external/v2${path}`, headers, body })
      const text = await answer.body.text()
      if (answer.statusCode >= 300) throw new Error(`${method} was answered with ${answer.statusCode}: ${text}`)
      return JSON.parse(text)
    }

    const answered = (page, ...statuses) => {
      if (statuses.includes(page.status)) return page
      throw new Error(`${page.url} was answered with ${page.status}`)
    }

    return {
      calls: () => calls,
      pages: () => pages,
      close: () => pool.close(),
      async create(contract) {
        const parties = PARTIES.map((legalName, at) => ({
          role: `Party ${at}`,
          legalName,
          email: emailOf(contract, at),
        }))
        const body = { contractType: 'nda', content: CONTENT, parties, metadata: { order: String(contract.number) } }
        const made = await call('POST', '/contracts', JSON.stringify(body))
        Object.assign(contract, { id: made.contract.id, shareUrl: made.contract.shareUrl, people: [] })
      },
      async poll({ id }) {
        for (let times = 0; times < GETS; times += 1) await call('GET', `/contracts/${id}`)
      },
      /** Proves the mailbox and opens the text. Also loads the files that a browser loads on its first visit. */
      async review(contract, at) {
        const address = `10.${at}.${contract.number >> 8}.${contract.number & 255}`
        const visitor = createVisitor({ 'x-forwarded-for': address }, () => void (pages += 1))
        const first = answered(await visitor.get(contract.shareUrl), 200)
        for (const [, path] of first.body.matchAll(/<(?:link|script)\b[^>]*\s(?:href|src)="(\/[^"]+)"/g))
          answered(await visitor.get(new URL(path, first.url).href), 200)
        const typed = await askForCode(visitor, contract.shareUrl, emailOf(contract, at))
        const code = await mail.codeFor(emailOf(contract, at))
        const review = await visitor.follow(await visitor.submit(typed, /\/code\/[^/]+$/, { code }))
        contract.people[at] = { visitor, review: answered(review, 200) }
      },
      async sign({ people }, at) {
        const { visitor, review } = people[at]
        answered(await visitor.follow(answered(await signOn(visitor, review, PARTIES[at]), 303)), 200)
      },
      async readCopy({ people, shareUrl }, at) {
        const { visitor } = people[at]
        answered(await visitor.get(`${shareUrl}/done`), 200)
        answered(await visitor.get(`${shareUrl}/copy.pdf`), 200)
        visitor.close()
      },
    }
  }
}

/** CPU time so far in milliseconds; for Postgres the sum of all its processes, including those that have ended. */
function cpuNow(pids) {
  return { ...mapValues(pids, cpuMsOf), Postgres: postgresCpuMs() }
}

function postgresCpuMs() {
  const parent = stage.postgresPid
  const fields = readFileSync(`/proc/${parent}/stat`, 'utf8').split(') ')[1].split(' ')
  const ended = (Number(fields[13]) + Number(fields[14])) * 10
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
  return cpuMsOf(parent) + ended + children.reduce((sum, pid) => sum + (unlessGone(() => cpuMsOf(pid)) ?? 0), 0)
}

function parentOf(pid) {
  return unlessGone(() => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1]))
}

/** The result of `read`; undefined if the process has ended since it was listed. */
function unlessGone(read) {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Waits until all asynchronous work has finished: no unpublished or unhandled event, no due mail or code, no seal or evidence task. */
async function settled() {
  const left = async () => {
    const [tasks] = await query(
      'signing',
      `select (select count(*) from evidence_task where done_at is null) + (select count(*) from seal_task where done_at is null)
            + (select count(*) from code_send where finished_at is null) as n`,
    )
    const [mails] = await query('notification', `select count(*) as n from delivery where state = 'due'`)
    const [unhandled] = await query(
      'bus',
      `select count(*) as n from (values ('signing'), ('notification')) as g(name), bus.partition p
        where coalesce((select next_offset from bus.group_position where group_name = g.name and topic = p.topic and partition = p.partition), 0) < p.end_offset
          and exists (select from bus.group_position where group_name = g.name and topic = p.topic)`,
    )
    const untold = await Promise.all(
      SERVICES.map((service) => query(service, 'select count(*) as n from outbox where published_at is null')),
    )
    return [tasks, mails, unhandled, ...untold.flat()].reduce((sum, { n }) => sum + Number(n), 0)
  }
  // Requires five checks in a row without work, because a service may not have recorded yet what another one passed on.
  let quiet = 0
  await until(async () => {
    quiet = (await left()) === 0 ? quiet + 1 : 0
    await sleep(100)
    return quiet === 5
  })
}

async function walPosition() {
  return (await query('contract', 'select pg_current_wal_insert_lsn() as lsn'))[0].lsn
}

/** The WAL bytes of the whole server since `lsn`; `images`: those of full-page images (first change of a page after a checkpoint). */
async function walSince(lsn) {
  // This commit flushes the WAL, because the next query sees only flushed WAL.
  await query('contract', `select pg_logical_emit_message(true, '', '')`)
  const [{ total, images }] = await query(
    'contract',
    `select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '${lsn}')::float8 as total,
            (select sum(fpi_size)::float8 from pg_get_wal_stats('${lsn}', pg_current_wal_flush_lsn())) as images`,
  )
  return { total, images }
}

/** Rows and bytes of every table, by database and name. Includes the space of old row versions, which stays allocated. */
async function sizes() {
  const found = {}
  for (const database of DATABASES) {
    await query(database, 'vacuum analyze')
    const tables = await query(
      database,
      `select c.oid::regclass::text as name, pg_table_size(c.oid)::float8 as heap, pg_indexes_size(c.oid)::float8 as indexes
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') order by 1`,
    )
    for (const { name, heap, indexes } of tables) {
      const [{ rows }] = await query(database, `select count(*)::float8 as rows from ${name}`)
      found[`${database} ${name.replace(/^bus\./, '')}`] = { rows, heap, indexes }
    }
  }
  return found
}

/** The growth of each table per contract, and its retention in days; undefined: kept for ever. */
async function grown(from, to) {
  const daysOf = new Map([
    ['bus message', 30],
    ['signing text_shown', 1],
  ])
  for (const service of SERVICES) {
    const { RETENTION } = await import(`@paraph/${service}/retention`)
    for (const { table, keptFor, clearColumn } of RETENTION.pruned)
      if (clearColumn === undefined) daysOf.set(`${service} ${table}`, daysIn(keptFor))
  }
  return Object.entries(to).flatMap(([name, { rows, heap, indexes }]) => {
    const before = from[name]
    const each = (now, then) => (now - then) / CONTRACTS
    const table = {
      rows: each(rows, before.rows),
      heap: each(heap, before.heap),
      indexes: each(indexes, before.indexes),
    }
    return table.rows + table.heap + table.indexes === 0 ? [] : [{ name, days: daysOf.get(name), ...table }]
  })
}

function daysIn(interval) {
  const [, count, unit] = /^(\d+) (minute|hour|day)s?$/.exec(interval)
  return Number(count) / { minute: 1_440, hour: 24, day: 1 }[unit]
}

/** The CPU time of nodemailer alone for the same mail, in milliseconds. */
async function bareMailMs(kind) {
  const { subject, text, html, from, to, attachments } = await PostalMime.parse(mail.sample(kind))
  const child = fork(fileURLToPath(new URL('bare-mail.mjs', import.meta.url)))
  const answer = once(child, 'message')
  child.send({
    port: mail.port,
    count: 2 * CONTRACTS,
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
  const [us] = await answer
  await once(child, 'exit')
  return us / 1_000
}

/** Starts an SMTP server that accepts every mail immediately, and reads the codes in the mails. */
async function startMailServer(port) {
  const [codes, waiting, samples] = [new Map(), new Map(), new Map()]
  const sockets = new Set()
  let accepted = 0

  async function take(address, raw) {
    accepted += 1
    const isCopy = /^content-type: application\/pdf/im.test(raw)
    if (isCopy && samples.has('copy')) return
    const { subject, text } = await PostalMime.parse(Buffer.from(raw, 'latin1'))
    const isCode = /one-time code/.test(subject)
    const kind = isCopy ? 'copy' : isCode ? 'code' : 'invitation'
    if (!samples.has(kind)) samples.set(kind, raw)
    const code = isCode ? /^(\d{6}|\d{12})\b/m.exec(text)?.[1] : undefined
    if (code === undefined) return
    codes.set(address, code)
    waiting.get(address)?.(code)
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    let [text, rest, address] = [undefined, '', '']
    socket.write('220 relay.test ESMTP\r\n')
    socket.setEncoding('latin1').on('data', (chunk) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop()
      for (const line of lines) {
        if (text === undefined) {
          if (/^DATA/i.test(line)) text = []
          address = /^RCPT TO:<(.+?)>/i.exec(line)?.[1] ?? address
          socket.write(text ? '354 go on\r\n' : /^QUIT/i.test(line) ? '221 bye\r\n' : '250 ok\r\n')
        } else if (line === '.') {
          void take(address, text.join('\r\n'))
          text = undefined
          socket.write('250 taken\r\n')
        } else text.push(line)
      }
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port,
    accepted: () => accepted,
    /** The first mail of its kind, as received. */
    sample: (kind) => Buffer.from(samples.get(kind), 'latin1'),
    codeFor: (address) => codes.get(address) ?? new Promise((resolve) => waiting.set(address, resolve)),
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

async function inLanes(contracts, work) {
  let next = 0
  const lane = async () => {
    while (next < contracts.length) await work(contracts[next++])
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

function emailOf({ number }, at) {
  return `${at === 0 ? 'nordic' : 'jane'}.${number}@example.test`
}

function mapValues(values, change) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]))
}

function printResults({ idle, steps, bare, tables }) {
  const print = (line) => process.stdout.write(`${line}\n`)
  const sum = (values) => values.reduce((total, value) => total + value, 0)
  const kb = (bytes) => `${(bytes / 1_024).toFixed(1)} KB`
  const cpu = (values) =>
    Object.entries(values)
      .map(([name, ms]) => `${name} ${ms.toFixed(2)}`)
      .join(', ')

  print(
    `${CONTRACTS} contracts of two parties and ${(Buffer.byteLength(CONTENT) / 1_000).toFixed(1)} KB, after ${WARM_UP}; for each contract:`,
  )
  print(`a second of nothing, and not of a contract: CPU ms ${cpu(mapValues(idle, (share) => share * 1_000))}`)
  const all = {
    name: 'all of it',
    mails: sum(steps.map(({ mails }) => mails)),
    cpu: mapValues(idle, (_, of) => sum(steps.map((step) => step.cpu[of]))),
    wal: mapValues(steps[0].wal, (_, of) => sum(steps.map((step) => step.wal[of]))),
    requests: mapValues(steps[0].requests, (_, of) => sum(steps.map((step) => step.requests[of]))),
  }
  for (const { name, requests, mails, cpu: ms, wal } of [...steps, all])
    print(
      `${name}: ${requests.calls} calls, ${requests.pages} requests of people, ${mails / CONTRACTS} mails; ` +
        `CPU ms ${cpu(ms)}; WAL ${kb(wal.total)}, ${kb(wal.images)} of it whole pages`,
    )
  // In these steps, the notification service only sends mails.
  for (const [kind, { cpu: ms, mails }] of Object.entries({ invitation: steps[0], code: steps[2], copy: steps[4] })) {
    const own = (ms.notification * CONTRACTS) / mails
    print(
      `mail, ${kind}: ${own.toFixed(2)} ms of notification's CPU, ${(own / bare[kind]).toFixed(1)} × ${bare[kind].toFixed(2)} ms of nodemailer alone`,
    )
  }
  for (const { name, rows, heap, indexes, days } of tables)
    print(
      `table ${name}: ${rows.toFixed(2)} rows, ${kb(heap)} and ${kb(indexes)} of indexes, ${days === undefined ? 'stays' : `${+days.toFixed(2)} days`}`,
    )
  for (const database of DATABASES) {
    const own = tables.filter(({ name }) => name.startsWith(`${database} `))
    const of = (list) => kb(sum(list.map(({ heap, indexes }) => heap + indexes)))
    print(
      `database ${database}: ${sum(own.map(({ rows }) => rows)).toFixed(1)} rows, ${of(own)}, of which stays ${of(own.filter(({ days }) => days === undefined))}`,
    )
  }
  const bytes = ({ heap, indexes }) => heap + indexes
  const staying = sum(tables.filter(({ days }) => days === undefined).map(bytes))
  const passing = sum(tables.filter(({ days }) => days !== undefined).map((table) => bytes(table) * table.days))
  const tb = (count) => `${(count / 1e12).toFixed(2)} TB`
  print(`a million a day for a year: ${tb(staying * 365e6)} that stay, ${tb(passing * 1e6)} that come and go`)
}
