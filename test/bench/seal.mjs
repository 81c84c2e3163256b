// Measures the CPU time and memory of the sealed PDF of a 50 KB contract, as ratios to the same text printed by bare pdfkit in the same
// run, with one of our fonts, without tags, attachments and seal. [evidence: the sealed PDF]
// Each way to make a PDF runs in its own process, which reports the CPU time of all its threads: for the first PDF, including the load of
// modules, and for each of BENCH_PRINTS PDFs after a warm-up. It also reports its peak memory after the first PDF and after all. The rounds
// of all ways alternate; each round gives one ratio, and the median counts. Run: npm run bench -- seal. BENCH_ROUNDS, BENCH_PRINTS.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const PRINTS = Number(process.env.BENCH_PRINTS ?? 20)
const WARM_UP = 10
const BYTES = 50_000

/** The ways to make a PDF. Each function loads its modules and returns a function that makes one PDF. */
const PRINTERS = {
  'nothing, Node alone': () => () => undefined,
  'bare pdfkit': async ({ input }) => {
    const { default: PDFDocument } = await import('pdfkit')
    const font = createRequire(fileURLToPath(new URL('../../services/signing/package.json', import.meta.url))).resolve(
      '@expo-google-fonts/noto-serif/400Regular/NotoSerif_400Regular.ttf',
    )
    return async () => {
      const doc = new PDFDocument()
      const chunks = []
      doc.on('data', (chunk) => chunks.push(chunk))
      doc.registerFont('serif', font)
      doc.font('serif').text(input.content)
      doc.end()
      await once(doc, 'end')
      return Buffer.concat(chunks)
    }
  },
  'ours, rendered and sealed': async (job) => {
    const { createWorkerPool } = await import('@paraph/signing/sealing/pdf/worker-pool')
    const pool = createWorkerPool()
    return () => pool.make(job)
  },
  'ours, rendered alone': async ({ input }) => {
    const { renderPdf } = await import('@paraph/signing/sealing/pdf/render-pdf')
    return () => renderPdf(input)
  },
}

if (process.send) {
  process.once('message', (job) => void print(process.argv[2], job).then((found) => process.send(found)))
} else await compare()

/** Runs in the child process, which the parent ends. */
async function print(name, job) {
  const startedAt = process.cpuUsage()
  const make = await PRINTERS[name](job)
  const pdf = await make()
  const first = msSince(startedAt)
  const firstPeak = peakMegabytes()
  for (let n = 0; n < WARM_UP; n += 1) await make()
  const warmAt = process.cpuUsage()
  for (let n = 0; n < PRINTS; n += 1) await make()
  return { first, warm: msSince(warmAt) / PRINTS, firstPeak, peak: peakMegabytes(), bytes: pdf?.length ?? 0 }
}

function msSince(from) {
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1_000
}

/** The peak memory of this process. `maxRSS` would include the memory of the parent, with which a forked process begins. */
function peakMegabytes() {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1_024
}

async function compare() {
  const { importSource } = await import('./import-source.mjs')
  const { SAMPLE_KEYS, samplePdfInput } = await importSource('services/signing/test/evidence-fixture.ts')
  const content = longContract()
  const input = await samplePdfInput({ content })
  const job = { input, sealKey: SAMPLE_KEYS.seal, reason: input.contract.contractNumber }
  const found = Object.fromEntries(Object.keys(PRINTERS).map((name) => [name, []]))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, rounds] of Object.entries(found)) {
      const child = fork(fileURLToPath(import.meta.url), [name], { serialization: 'advanced' })
      child.send(job)
      const [figures] = await once(child, 'message')
      child.kill()
      rounds.push(figures)
    }
  }
  const bare = found['bare pdfkit']
  const compareToBare = (rounds, unit, digits, take) => {
    const value = median(rounds.map(take))
    const ratio = median(rounds.map((each, round) => take(each) / take(bare[round])))
    return `${value.toFixed(digits)} ${unit} (${ratio.toFixed(2)} ×)`
  }
  process.stdout.write(`${Buffer.byteLength(content)} bytes of text; × is to bare pdfkit\n`)
  for (const [name, rounds] of Object.entries(found)) {
    process.stdout.write(
      `${name}: CPU of a PDF ${compareToBare(rounds, 'ms', 0, ({ warm }) => warm)}, of the first ${compareToBare(rounds, 'ms', 0, ({ first }) => first)}; ` +
        `peak memory with one ${compareToBare(rounds, 'MB', 0, ({ firstPeak }) => firstPeak)}, ` +
        `after ${1 + WARM_UP + PRINTS} ${compareToBare(rounds, 'MB', 0, ({ peak }) => peak)}; ${(median(rounds.map(({ bytes }) => bytes)) / 1_000).toFixed(0)} KB\n`,
    )
  }
  const sealing = found['ours, rendered and sealed'].map(
    ({ warm }, round) => warm - found['ours, rendered alone'][round].warm,
  )
  process.stdout.write(`sealing and thread overhead: ${median(sealing).toFixed(0)} ms of CPU\n`)
}

/** At most 50 KB of whole paragraphs: headings, clauses and lists of a sample contract and of this product's licence, repeated. */
function longContract() {
  const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  const paragraphs = ['services/signing/test/contract-text/nda.txt', 'LICENSE'].flatMap((path) =>
    read(path)
      .split(/\n\s*\n/)
      .map((paragraph) => paragraph.trim().replaceAll(/\s*\n\s*/g, ' ')),
  )
  let content = ''
  for (let n = 0; ; n += 1) {
    const more = `${content}${paragraphs[n % paragraphs.length]}\n\n`
    if (Buffer.byteLength(more) > BYTES) return content
    content = more
  }
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
