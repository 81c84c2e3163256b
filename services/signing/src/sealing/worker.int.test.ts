import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { sql } from 'kysely'
import { ThreadError } from '@paraph/background/worker-thread'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { waitFor } from '@paraph/testing/wait-for'
import { openCeremonyFixture, type CeremonyFixture } from '../../test/ceremony-fixture.js'
import { completeContract, KEYS } from '../../test/completed-contract-fixture.js'
import { type ContractClient, type ContractView, readSignedText } from '../clients/contract.js'
import { eraseContract } from '../chain/erasure.js'
import { readLines } from '../chain/chain-store.js'
import { checkEvidence } from '../verify/check.js'
import { samplePdfInput, SAMPLE_KEYS } from '../../test/evidence-fixture.js'
import { jpegLogo, logoData, pngLogo, type Logo } from '../../test/picture-fixture.js'
import { collectSigningGauges } from '../metrics.js'
import { readCopies } from './queue.js'
import { createSealing } from './worker.js'
import type { PdfJob } from './pdf/pdf-worker.js'
import { createWorkerPool, type WorkerPool } from './pdf/worker-pool.js'

let fixture: CeremonyFixture
let workerPool: WorkerPool
beforeAll(async () => {
  fixture = await openCeremonyFixture()
  workerPool = createWorkerPool()
})
afterAll(async () => {
  await workerPool.stop()
  await fixture.close()
})
afterEach(() => sql`delete from seal_task`.execute(fixture.database))

let notifications = 0
const openSealing = (
  made: Pick<WorkerPool, 'make'> = workerPool,
  contract: ContractClient = fixture.contract,
  logger = fixture.logger,
) =>
  createSealing({
    database: fixture.database,
    contract,
    documents: fixture.documents,
    brands: fixture.brands,
    footName: 'Paraph',
    logger,
    keys: KEYS,
    workerPool: made,
    notifyRelay: () => void (notifications += 1),
  })

const countTroubled = async () => (await collectSigningGauges(fixture.database, 15)())['paraph.seal.troubled']

const complete = (partyCount = 2, options: Parameters<typeof completeContract>[2] = {}) =>
  completeContract(fixture, partyCount, options)

/** Makes every task due. */
const dueNow = () =>
  sql`update seal_task set run_after = clock_timestamp(), claimed_until = null`.execute(fixture.database)
const publishedEvents = async (contractId: string) =>
  (await sql<{ data: unknown }>`select data from outbox where key = ${contractId}`.execute(fixture.database)).rows
const stateOf = async ({ contractId }: ContractView) => (await readCopies(fixture.database, contractId)).state

describe('the seal [D30]', () => {
  it('is stored with the PDF and the event in one commit when all parties have signed', async () => {
    const { contractId } = await complete()
    expect(await openSealing().next()).toBe(true)
    const [jws, pdf] = await Promise.all([fixture.documents.readJws(contractId), fixture.documents.readPdf(contractId)])
    const lines = await readLines(fixture.database, contractId)
    expect(Buffer.from(jws!.split('.')[1]!, 'base64url').toString()).toBe(lines.map((line) => `${line}\n`).join(''))
    const report = await checkEvidence(pdf!, { knownKeysPem: SAMPLE_KEYS.evidence.publicPem })
    expect(report.checks.filter(({ holds }) => !holds)).toEqual([])
    expect(await publishedEvents(contractId)).toMatchObject([{ data: { contractId, partyCount: 2 } }])
    const row = await fixture.database
      .selectFrom('sealed_copy')
      .select('pdf_sha256')
      .where('contract_id', '=', contractId)
      .executeTakeFirstOrThrow()
    expect(row.pdf_sha256).toBe(createHash('sha256').update(pdf!).digest('hex'))
    expectWithMessage(await openSealing().next(), 'nothing is left to seal').toBe(false)
  })

  it('is created once: a second process changes no byte and publishes nothing', async () => {
    const view = await complete()
    const { contractId } = view
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const slow = openSealing({ make: (job) => held.then(() => workerPool.make(job)) })
    const first = slow.next()
    await waitFor(async () =>
      expect((await sql`select from seal_task where attempts = 1`.execute(fixture.database)).rows.length).toBe(1),
    )
    await dueNow()
    await openSealing().next()
    const before = await fixture.documents.readPdf(contractId)
    release()
    await first
    expect((await fixture.documents.readPdf(contractId))!.equals(before!)).toBe(true)
    expect(await publishedEvents(contractId)).toHaveLength(1)
  })

  it('cannot be changed by the service’s role, neither the evidence nor the PDF', async () => {
    const { contractId } = await complete()
    await openSealing().next()
    for (const change of [
      sql`update sealed_evidence set jws = 'x' where contract_id = ${contractId}`,
      sql`delete from sealed_evidence where contract_id = ${contractId}`,
      sql`update sealed_copy set pdf = 'x' where contract_id = ${contractId}`,
      sql`update sealed_copy set pdf_sha256 = 'x' where contract_id = ${contractId}`,
      sql`update sealed_evidence set jws_bytes = 1 where contract_id = ${contractId}`,
    ])
      await expect(change.execute(fixture.database)).rejects.toThrow(/permission denied|evidence/)
  })

  it('is taken over by another process a minute after the first one died', async () => {
    const view = await complete()
    const dead = openSealing({ make: () => new Promise<never>(() => undefined) })
    void dead.next()
    await waitFor(async () =>
      expect((await sql`select from seal_task where attempts = 1`.execute(fixture.database)).rows.length).toBe(1),
    )
    expect(await stateOf(view)).toBe('preparing')
    expectWithMessage(await openSealing().next(), 'the claim is still valid').toBe(false)
    await sql`update seal_task set claimed_until = claimed_until - interval '1 minute'`.execute(fixture.database)
    expect(await openSealing().next()).toBe(true)
    expect(await stateOf(view)).toBe('ready')
  })

  it('is retried with growing pauses; after five failures, the page and the metric report the failing seal until a retry succeeds', async () => {
    const view = await complete()
    const hasty = createWorkerPool({ timeMsMax: 1 })
    for (let failures = 1; failures <= 5; failures += 1) {
      expect(await stateOf(view)).toBe('preparing')
      expect(await countTroubled()).toBe(0)
      await openSealing(hasty).next()
      expectWithMessage(await openSealing(hasty).next(), 'not retried immediately').toBe(false)
      const { rows } = await sql<{ reason: string }>`select last_reason as reason from seal_task`.execute(
        fixture.database,
      )
      expect(rows[0]!.reason).toBe('ThreadError: no answer within 1 ms')
      if (failures < 5) await dueNow()
    }
    expect(await stateOf(view)).toBe('troubled')
    expect(await countTroubled()).toBe(1)
    await dueNow()
    await openSealing().next()
    expect(await stateOf(view)).toBe('ready')
    expect(await countTroubled()).toBe(0)
    await hasty.stop()
  })

  it('is not created for a chain that its verification would reject', async () => {
    const view = await complete(2, { without: ['code.verified'] })
    await openSealing().next()
    expect(await stateOf(view)).toBe('preparing')
    const { rows } = await sql<{ reason: string }>`select last_reason as reason from seal_task`.execute(
      fixture.database,
    )
    expect(rows[0]!.reason).toBe('Error: Before the signature of party 1 there is no code.verified.')
  })

  it('is not created, and counts as failing, when a code went to another mailbox than that of the party that signed [D30]', async () => {
    const view = await complete(2, { codesTo: 'mallory@elsewhere.test' })
    await openSealing().next()
    expect(await fixture.documents.readJws(view.contractId)).toBeUndefined()
    const { rows } = await sql<{ reason: string }>`select last_reason as reason from seal_task`.execute(
      fixture.database,
    )
    expect(rows[0]!.reason).toBe('Error: party 1 signed after a code to another mailbox than its own')
    await sql`update seal_task set attempts = 5`.execute(fixture.database)
    expect(await countTroubled()).toBe(1)
  })

  it('is not created for a text that does not match the chain, and that text is not shown', async () => {
    const view = await complete()
    const other = 'Another text.'
    const { byId } = fixture.contract.ceremony
    const readText = { query: () => Promise.resolve({ content: other }) }
    const contract = { ceremony: { byId, readText } } as unknown as ContractClient
    const otherSha256 = createHash('sha256').update(other).digest('hex')
    await expect(readSignedText(contract, view)).rejects.toThrow('the text is not the one of its hash')
    expect(await readSignedText(contract, { ...view, contentSha256: otherSha256 })).toBe(other)
    await openSealing(workerPool, contract).next()
    expect(await stateOf(view)).toBe('preparing')
    await dueNow()
    await openSealing().next()
    expect(await stateOf(view)).toBe('ready')
  })

  it('is rescheduled while the contract service is unavailable, and nothing is published', async () => {
    const view = await complete()
    fixture.setLine('down')
    await openSealing().next()
    fixture.setLine('up')
    expect(await stateOf(view)).toBe('preparing')
    expect(await publishedEvents(view.contractId)).toEqual([])
  })
})

describe('the brand in a sealed PDF [D59]', () => {
  const accent = '#0b6e4f'
  const logo = pngLogo({ kind: 'rgba' })
  // pdfkit inflates the pixels in a callback, so the thread dies.
  const damaged = Buffer.from(logo.bytes).fill(0, 100)

  let sequence = 0
  const approve = ({ accountId }: ContractView, brand: { accent: string | null; logo: Logo | null }) => {
    sequence += 1
    const data = {
      accountId,
      at: '2026-11-20T14:00:00.000Z',
      accent: brand.accent,
      logo: brand.logo && logoData(brand.logo),
    }
    const event = { id: '', subject: accountId, time: data.at, sequence: String(sequence), data }
    return fixture.database
      .transaction()
      .execute((trx) => fixture.brands.record(trx, { ...event, type: 'account.brand_changed' }))
  }
  afterEach(() => sql`delete from account_brand`.execute(fixture.database))

  /** Seals a contract. @returns its PDF, and the brands of the attempts to make it */
  async function seal(view: ContractView, logger = fixture.logger) {
    const brands: unknown[] = []
    const make = (job: PdfJob) => {
      brands.push(job.input.brand)
      return workerPool.make(job)
    }
    await dueNow()
    await openSealing({ make }, fixture.contract, logger).next()
    expect(await stateOf(view)).toBe('ready')
    return { brands, pdf: (await fixture.documents.readPdf(view.contractId))!.toString('latin1') }
  }

  it('is the one that is approved when the contract is sealed', async () => {
    const view = await complete()
    await approve(view, { accent: null, logo: pngLogo() })
    await approve(view, { accent, logo: jpegLogo() })
    const { brands, pdf } = await seal(view)
    expect(brands).toEqual([{ accent, logo: jpegLogo() }])
    expect(pdf.match(/\/Subtype \/Image\b/g)).toHaveLength(1)
    const other = { ...view, accountId: 'acc_other' }
    await approve(other, { accent: '#123456', logo: null })
    expect((await seal(await complete())).brands).toEqual([{ accent, logo: jpegLogo() }])
  })

  it('is none after its removal', async () => {
    const view = await complete()
    await approve(view, { accent, logo: pngLogo() })
    await approve(view, { accent: null, logo: null })
    const { brands, pdf } = await seal(view)
    expect(brands).toEqual([undefined])
    expect(pdf).not.toMatch(/\/Subtype \/Image\b/)
  })

  it.each([
    ['damaged', damaged],
    ['not a picture', Buffer.from('GIF89a')],
  ])(
    'has no logo if its picture is %s; the seal is made, and the log has a warning without contents',
    async (_, bytes) => {
      const view = await complete()
      await approve(view, { accent, logo: { ...logo, bytes } })
      const logged: { level: string; line: unknown }[] = []
      const log = (level: string) => ({ value: (line: unknown) => void logged.push({ level, line }) })
      const logger = Object.create(fixture.logger, { warn: log('warn'), error: log('error') }) as typeof fixture.logger
      const { brands, pdf } = await seal(view, logger)
      expect(brands).toEqual([
        { accent, logo: expect.anything() },
        { accent, logo: null },
      ])
      expect(pdf).not.toMatch(/\/Subtype \/Image\b/)
      expect(logged).toEqual([{ level: 'warn', line: { contractId: view.contractId, err: expect.any(ThreadError) } }])
    },
  )
})

describe('an erasure during or after a sealing [D43]', () => {
  const erase = (contractId: string) =>
    fixture.database.transaction().execute((trx) => eraseContract(trx, contractId, new Date()))

  it('leaves the evidence and no PDF if it happens while the PDF is created', async () => {
    const view = await complete()
    const { contractId } = view
    const sealing = openSealing({
      async make(job) {
        const made = await workerPool.make(job)
        await erase(contractId)
        return made
      },
    })
    await sealing.next()
    expect(await stateOf(view)).toBe('erased')
    expect(await fixture.documents.readPdf(contractId)).toBeUndefined()
    expect(await fixture.documents.readJws(contractId)).toBeDefined()
  })

  it('deletes the PDF and the disclosures if it happens later; the evidence verifies as before', async () => {
    const view = await complete()
    const { contractId } = view
    await openSealing().next()
    const jws = await fixture.documents.readJws(contractId)
    await erase(contractId)
    await erase(contractId)
    expect(await stateOf(view)).toBe('erased')
    expect(await fixture.documents.readJws(contractId)).toBe(jws)
    const left = await sql`select from evidence_opening where contract_id = ${contractId}`.execute(fixture.database)
    expect(left.rows).toEqual([])
    const report = await checkEvidence(Buffer.from(jws!), { knownKeysPem: SAMPLE_KEYS.evidence.publicPem })
    expect(report.checks.slice(0, 3).every(({ holds }) => holds)).toBe(true)
  })
})

describe('the thread that creates PDFs [evidence: the sealed PDF]', () => {
  it('is a single thread for any number of jobs, so that the pages keep a core', async () => {
    const input = await samplePdfInput({ content: 'SHORT\n\nOne line.' })
    let started = 0
    const count = (): void => void (started += 1)
    process.on('worker', count)
    const own = createWorkerPool()
    const job = { input, sealKey: SAMPLE_KEYS.seal, reason: 'x' }
    const made = await Promise.all(Array.from({ length: 12 }, () => own.make(job)))
    expect(new Set(made.map((pdf) => Buffer.from(pdf.subarray(0, 5)).toString()))).toEqual(new Set(['%PDF-']))
    expect(started).toBe(1)
    await own.stop()
    process.off('worker', count)
  })

  it('exits without its process when it exceeds its memory limit, and a new thread creates the next PDF', async () => {
    const own = createWorkerPool({ memoryMbMax: 24 })
    const job = async (content: string) => ({
      input: await samplePdfInput({ content }),
      sealKey: SAMPLE_KEYS.seal,
      reason: 'x',
    })
    const greedy = own.make(await job('word '.repeat(200_000)))
    await expect(greedy).rejects.toThrow(/thread ended/)
    await own.stop()
    const next = createWorkerPool()
    expect((await next.make(await job('SHORT'))).length).toBeGreaterThan(1_000)
    await next.stop()
  })

  it('reports where it failed, without contract data', async () => {
    const input = await samplePdfInput()
    const own = createWorkerPool()
    const job = { input: { ...input, content: undefined as never }, sealKey: SAMPLE_KEYS.seal, reason: 'x' }
    await expect(own.make(job)).rejects.toThrow(/^TypeError in [\w-]+\.[jt]s:\d+$/)
    await own.stop()
  })
})
