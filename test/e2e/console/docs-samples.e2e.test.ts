// Runs every code sample of the reference unchanged, as a reader would, against a local start.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import { ENTRIES } from '@paraph/gateway/reference/contents'
import { CODE_LANGUAGES, type CodeLanguage } from '@paraph/gateway/reference/samples'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createApiClient, type ContractBody } from '../../harness/clients/api-client.js'
import { createVisitor, proveMailbox, signOn } from '../../harness/clients/ceremony-client.js'
import { download, untilSealed } from '../../harness/clients/sealed-contract.js'
import {
  databaseUrlOf,
  makeDataFolder,
  paraph,
  startStack,
  type RunningStack,
} from '../../harness/stack/local-stack.js'
import { until } from '../../harness/until.js'

let running: RunningStack
let origin: string
let folder: string
beforeAll(async () => {
  running = await startStack(await makeDataFolder())
  origin = new URL(running.stack.apiUrl).origin
  folder = await mkdtemp(join(tmpdir(), 'paraph-docs-'))
})
afterAll(async () => {
  await running?.close({ receipts: 'at least' })
  await rm(folder, { recursive: true, force: true })
})

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

/** Reads the samples of the reference as a reader would copy them: name and language, such as `wait node` → code. */
async function readSamples(locale: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const { path } of ENTRIES)
    for (const { id: language } of CODE_LANGUAGES) {
      const html = await (await fetch(`${origin}${path}?code=${language}&lang=${locale}`)).text()
      for (const [, name, panel] of html.matchAll(/<div class="panel" id="sample-([^"]+)">([\s\S]*?)<\/pre>/g)) {
        const isHere = new RegExp(`code=${language}#sample-${name}" aria-current="true"`).test(panel!)
        if (!isHere && (language !== 'curl' || panel!.includes('<nav'))) continue
        const code = panel!.replace(/^[\s\S]*<code id="[^"]+">/, '').replace(/<[^>]+>/g, '')
        found.set(
          `${name} ${language}`,
          code.replace(/&\w+;/g, (entity) => ENTITIES[entity]!),
        )
      }
    }
  return found
}

it('every code sample of the reference runs and prints what its page describes [Endpoints, docs/explanation/evidence.md]', async () => {
  const samples = await readSamples('en')
  expectWithMessage(await readSamples('fr'), 'the same samples on French pages').toEqual(samples)
  const { testKey, mailboxUrl } = running.stack
  const left = new Set(samples.keys())

  /** Runs a sample in the folder `where`, like a reader. @returns its output */
  async function run(name: string, language: CodeLanguage, where: string, contractId = ''): Promise<string> {
    left.delete(`${name} ${language}`)
    const code = samples.get(`${name} ${language}`)!
    const cwd = join(folder, where)
    await mkdir(cwd, { recursive: true })
    const environment = { ...process.env, PARAPH_KEY: testKey, CONTRACT_ID: contractId }
    const shell = (script: string, ...rest: string[]) => ['-euo', 'pipefail', '-c', script, ...rest]
    const { ending } = CODE_LANGUAGES.find(({ id }) => id === language)!
    await writeFile(join(cwd, `${name}.${ending}`), code)
    const [program, argv] = {
      curl: ['bash', shell(code)] as const,
      node: [process.execPath, [`${name}.mjs`]] as const,
      python: ['python3', [`${name}.py`]] as const,
    }[language]
    return (await promisify(execFile)(program, argv, { cwd, env: environment, timeout: 60_000 })).stdout
  }
  const inEach = (name: string, contractId?: string): Promise<string[]> =>
    Promise.all(CODE_LANGUAGES.map(({ id }) => run(name, id, `${name}-${id}`, contractId)))

  const api = createApiClient(running.stack.apiUrl, running.stack.liveKey)
  await until('every service', async () =>
    (await api.call<{ status: string }>('GET', '/status')).body.status === 'operational' ? true : undefined,
  )

  // Follows the guide to the first contract; the first party signs between two samples.
  expect(await run('first-key', 'curl', 'first')).toContain('"status":"operational"')
  const { contract } = JSON.parse(await run('first-contract', 'curl', 'first')) as ContractBody
  const sign = async (index: number) => {
    const { email, legalName } = contract.parties[index]!
    const visitor = createVisitor()
    await proveMailbox(visitor, contract.shareUrl, email, mailboxUrl)
    const review = await visitor.get(`${contract.shareUrl}/review?party=${index}`)
    expect((await signOn(visitor, review, legalName)).status).toBe(303)
    return visitor
  }
  await sign(0)
  const firstRead = JSON.parse(await run('first-look', 'curl', 'first')) as ContractBody
  expect(firstRead.contract).toMatchObject({ status: 'partially_signed', signingProgress: { percentage: 50 } })

  const [created, got, usage, status, retried] = await Promise.all([
    inEach('create-contract'),
    inEach('get-contract', contract.id),
    inEach('get-usage'),
    inEach('get-status'),
    inEach('retry'),
  ])
  for (const printed of created) expect(printed).toMatch(/contract-\d{13}-\w{9}[\s\S]*\/contract\//)
  expect(got).toEqual([expect.stringContaining('"partially_signed"'), ...Array(2).fill('partially_signed 1 of 2\n')])
  expect(usage[0]).toContain('"quotaLimit":1000')
  for (const printed of usage.slice(1)) expect(printed).toMatch(/^\d+ of 1000 calls are left\n$/)
  for (const printed of status) expect(printed).toMatch(/operational[\s\S]*sandbox[\s\S]*contracts:read/)
  for (const printed of retried) expect(printed).toMatch(/contract-\d{13}-\w{9}/)

  // Runs the sample `wait` in three languages for one contract, and cancels the contract when all three wait.
  const [waitedFor] = /contract-\d{13}-\w{9}/.exec(created[0]!)!
  const countGets = (): Promise<number> =>
    withClient(databaseUrlOf(running.stack, 'gateway'), async (client) => {
      const { rows } = await client.query<{ total: string }>(
        "select coalesce(sum(total), 0) as total from usage where endpoint = 'GET /contracts/:id'",
      )
      return Number(rows[0]!.total)
    })
  const before = await countGets()
  const waiting = inEach('wait', waitedFor)
  await until('three waiting programs', async () => ((await countGets()) >= before + 3 ? true : undefined))
  await paraph(running.folder, 'contract', 'cancel', waitedFor, '--reason', 'The chairs are sold.')
  expect(await waiting).toEqual([expect.stringContaining('"status":"cancelled"'), 'cancelled\n', 'cancelled\n'])

  // After all signatures, the remaining samples verify the evidence.
  const visitor = await sign(1)
  await untilSealed(visitor, contract.shareUrl)
  await mkdir(join(folder, 'evidence'))
  await writeFile(join(folder, 'evidence/copy.pdf'), (await download(visitor, contract.shareUrl))['copy.pdf'])
  await run('evidence-files', 'curl', 'evidence')
  const checked = await run('evidence-check', 'curl', 'evidence')
  expect(checked).toContain('Signature Verified Successfully')
  expect(await run('evidence-read', 'curl', 'evidence')).toContain(`"contentSha256":"${checked.slice(0, 64)}"`)
  expect(await run('evidence-chain', 'curl', 'evidence')).toBe('')
  expect(await run('evidence-key', 'curl', 'evidence')).toMatch(/^yes: (production|sandbox), /)
  expectWithMessage([...left], 'samples that were not run').toEqual([])
})

it('the path / redirects to the home page of the local stack, which links to the reference [local-stack: the mailbox]', async () => {
  const home = await fetch(`${origin}/`)
  expect(home.url).toBe(`${running.stack.mailboxUrl}/`)
  const text = await home.text()
  expect(text).toContain(`href="${origin}/docs"`)
  expect(text).toContain(running.stack.testKey)
})

it('the samples have the sandbox key of a local start, on pages that nobody stores [local-stack: the mailbox]', async () => {
  const page = await fetch(`${origin}/docs`)
  expect(await page.text()).toContain(`export PARAPH_KEY=${running.stack.testKey}\n`)
  expect(page.headers.get('cache-control')).toBe('no-store')
})
