// Measures whether a page of the ceremony waits for checks of files: loads the last page of a contract repeatedly, at rest and while ten
// files at a time are sent to be checked, from addresses of their own, on a stack as `npm start` runs it. The page queries two services and
// two databases. Another process sends the files, so that sending does not count. At rest and with checks alternate in rounds, and each round gives one ratio. [D68]
// Run: npm run bench -- checks. BENCH_ROUNDS; BENCH_SECONDS: duration of a part of a round.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { importSource } from './import-source.mjs'
import { withStack } from './with-stack.mjs'

const { createSignable, download, SEALED_CONTENT, SEALED_PARTIES, signAll, untilSealed } = await importSource(
  'test/harness/clients/sealed-contract.ts',
)
const { noise } = await importSource('services/signing/test/hostile-pdf-fixture.ts')

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10)
const AT_A_TIME = 10
/** The pause between two loads of the page. */
const PAUSE_MS = 10
const NOISE_BYTES = 29_000_000
const PART = '--b\r\nContent-Disposition: form-data; name="'
const END = Buffer.from('\r\n--b--\r\n')

let addresses = 0
if (process.send) {
  process.on('message', (job) => {
    const file = job.pdf === null ? noise(NOISE_BYTES) : Buffer.from(job.pdf, 'base64')
    void checkFor({ ...job, file }).then((answers) => process.send(answers))
  })
} else await withStack(measure, { LOG_LEVEL: 'warn' })

async function measure(stack) {
  const contract = await createSignable({ stack }, stack.liveKey, { parties: SEALED_PARTIES, content: SEALED_CONTENT })
  const shareUrl = contract.shareUrl.replace('localhost', '127.0.0.1')
  const visitor = (await signAll({ stack }, shareUrl, SEALED_PARTIES)).get('jane@sealed.test')
  await untilSealed(visitor, shareUrl)
  const { 'copy.pdf': pdf } = await download(visitor, shareUrl)
  const origin = new URL(shareUrl).origin
  const { body } = await visitor.get(`${origin}/verify`)
  const token = /name="formToken" value="([^"]+)"/.exec(body)[1]
  const sender = fork(fileURLToPath(import.meta.url))

  const files = { 'genuine PDFs': pdf.toString('base64'), 'noise of 29 MB': null }
  await readPage(() => sleep(2_000))
  for (const [what, pdf] of Object.entries(files)) {
    const [rest, loaded, ratios] = [[], [], []]
    const answers = { checked: 0, busy: 0 }
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await readPage(() => sleep(SECONDS * 1_000))
      const during = await readPage(async () => {
        sender.send({ origin, token, pdf, ms: SECONDS * 1_000 })
        const [found] = await once(sender, 'message')
        answers.checked += found.checked
        answers.busy += found.busy
      })
      rest.push(...before)
      loaded.push(...during)
      ratios.push(at(during, 0.99) / at(before, 0.99))
    }
    const of = (share) => `${at(rest, share).toFixed(1)} → ${at(loaded, share).toFixed(1)} ms`
    print(
      `the page while ${what} are checked, ${AT_A_TIME} at a time: p50 ${of(0.5)}, p99 ${of(0.99)}, ` +
        `median ratio of p99 ${at(ratios, 0.5).toFixed(2)}; ${answers.checked} checked, ${answers.busy} told to try again`,
    )
  }
  sender.kill()

  /** Loads the page repeatedly while `work` runs. @returns the times in ms */
  async function readPage(work) {
    const times = []
    let isOver = false
    const done = work().finally(() => (isOver = true))
    // A failure is thrown below, so that the stack is stopped first.
    done.catch(() => undefined)
    while (!isOver) {
      const { status, ms } = await visitor.get(`${shareUrl}/done`)
      if (status !== 200) throw new Error(`the page was answered with ${status}`)
      times.push(ms)
      await sleep(PAUSE_MS)
    }
    await done
    return times
  }
}

/** Sends files in groups, each from an address of its own, until `ms` are over. */
async function checkFor({ origin, token, file, ms }) {
  const answers = { checked: 0, busy: 0 }
  const end = performance.now() + ms
  while (performance.now() < end) {
    const startedAt = performance.now()
    await Promise.all(
      Array.from({ length: AT_A_TIME }, async () => {
        const status = await check({ origin, token, file })
        if (status === 503) answers.busy += 1
        else if (status === 200 || status === 422) answers.checked += 1
        else throw new Error(`a file was answered with ${status}`)
      }),
    )
    // Ten clients of ten checks a minute each send at most this often.
    await sleep(Math.max(0, startedAt + 600 - performance.now()))
  }
  return answers
}

/** Sends a form from an address of its own. @returns the status */
function check({ origin, token, file }) {
  addresses += 1
  const localAddress = `127.1.${Math.floor(addresses / 250)}.${1 + (addresses % 250)}`
  const parts = [
    Buffer.from(`${PART}formToken"\r\n\r\n${token}\r\n${PART}file"; filename="copy.pdf"\r\n\r\n`),
    file,
    END,
  ]
  const headers = {
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': parts.reduce((sum, { length }) => sum + length, 0),
  }
  return new Promise((resolve, reject) => {
    const sending = request(`${origin}/verify`, { method: 'POST', agent: false, localAddress, headers })
    sending.on('response', (answer) => {
      resolve(answer.statusCode)
      answer.resume().on('end', () => sending.destroy())
    })
    // The server may answer, and close, before it has read everything.
    sending.on('error', reject)
    for (const part of parts) sending.write(part)
    sending.end()
  })
}

function at(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

function print(line) {
  process.stdout.write(`${line}\n`)
}
