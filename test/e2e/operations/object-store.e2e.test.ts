// The whole product with its documents in a real S3 server: kills, outages, a changed object, a move back and forth. [P43, D30, D32, I5]
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { sha256Of } from '@paraph/signing/documents/object-store'
import { startObjectStore, type TestObjectStore } from '@paraph/signing/test/object-store-fixture'
import { inDatabase } from '../../harness/clients/canaries.js'
import type { Visitor } from '../../harness/clients/ceremony-client.js'
import {
  createSignable,
  download,
  SEALED_CONTENT,
  SEALED_PARTIES,
  signAll,
  untilSealed,
} from '../../harness/clients/sealed-contract.js'
import { expectKillAt } from '../../harness/stack/fail-points.js'
import { makeDataFolder, paraph, paraphJson, startStack, type RunningStack } from '../../harness/stack/local-stack.js'
import { until } from '../../harness/until.js'

const BODY = { content: SEALED_CONTENT, parties: SEALED_PARTIES }

let store: TestObjectStore
let points: string
let running: RunningStack
beforeAll(async () => {
  store = await startObjectStore()
  points = await mkdtemp(join(tmpdir(), 'paraph-points-'))
  // `paraph verify invariants` reads it.
  process.env['PARAPH_VERIFY_OBJECT_STORE_URL'] = store.url
  running = await startStack(await makeDataFolder(), {
    DOCUMENT_STORE: 's3',
    OBJECT_STORE_URL: store.url,
    FAIL_POINT_DIR: points,
    PARAPH_RESTART_MS_MAX: '100',
  })
})
afterAll(async () => {
  await running?.close()
  await store?.close()
  await rm(points, { recursive: true, force: true })
})

/** A contract that every party signed, and the session of the first one. */
async function signedContract(): Promise<{ id: string; shareUrl: string; visitor: Visitor }> {
  const { id, shareUrl } = await createSignable(running, running.stack.liveKey, BODY)
  const visitors = await signAll(running, shareUrl, SEALED_PARTIES)
  return { id, shareUrl, visitor: visitors.get(SEALED_PARTIES[0]!.email)! }
}
async function sealedContract() {
  const signed = await signedContract()
  await untilSealed(signed.visitor, signed.shareUrl)
  return signed
}
const objectsOf = async (id: string): Promise<string[]> => (await readdir(store.fileOf(id)).catch(() => [])).sort()
const countInRows = () =>
  inDatabase(running, 'signing', async (client) => {
    const { rows } = await client.query<{ count: number }>(
      `select ((select count(*) from sealed_evidence where jws is not null)
             + (select count(*) from sealed_copy where pdf is not null))::int as count`,
    )
    return rows[0]!.count
  })
const logOf = ({ folder }: RunningStack) => readFile(join(folder, 'logs', 'signing.log'), 'utf8')
const brokenOf = async (id: string): Promise<string[]> => {
  const { stdout } = await paraph(running.folder, 'verify', 'invariants', '--contract', id, '--json')
  const { violations } = JSON.parse(stdout) as { violations: { subject: string; fault: string }[] }
  return violations.filter(({ subject }) => subject === id).map(({ fault }) => fault)
}

it('the service is killed between the objects and the commit: the contract is sealed once, and the leftovers are deleted [P43]', async () => {
  const killed = await expectKillAt(running, { points, service: 'signing', point: 'seal.made' })
  const { id, shareUrl, visitor } = await signedContract()
  await killed()
  const left = await objectsOf(id)
  expect(left.map((name) => name.slice(0, 3))).toEqual(['jws', 'pdf'])
  // The claim of the dead process ends after a minute.
  await inDatabase(running, 'signing', (client) => client.query('update seal_task set claimed_until = null'))
  await untilSealed(visitor, shareUrl)
  const before = await download(visitor, shareUrl)
  expect(before['copy.pdf'].subarray(0, 5).toString()).toBe('%PDF-')
  await inDatabase(running, 'signing', (client) =>
    client.query(`update object_deletion set reserved_until = now() where reserved_until is not null`),
  )
  const kept = await until('the deletion of the leftovers', async () => {
    const now = await objectsOf(id)
    return now.length === 2 ? now : undefined
  })
  expect(kept.filter((name) => left.includes(name))).toEqual([])
  expect(await download(visitor, shareUrl)).toEqual(before)
  expect(await brokenOf(id)).toEqual([])
})

it('the store is down: signatures are recorded, a download is a 503 with Retry-After, and everything follows [P43, F54, D32]', async () => {
  const sealed = await sealedContract()
  await store.stop()
  const { shareUrl, visitor } = await signedContract()
  for (const name of ['copy.pdf', 'evidence.jws']) {
    const answer = await sealed.visitor.get(`${sealed.shareUrl}/${name}`)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(answer.headers.get('content-type')).toContain('text/html')
  }
  const page = await visitor.get(`${shareUrl}/done`)
  expect([page.status, page.body.includes('/copy.pdf"')]).toEqual([200, false])
  await store.start()
  await inDatabase(running, 'signing', (client) => client.query('update seal_task set run_after = now()'))
  await untilSealed(visitor, shareUrl)
  expect((await download(sealed.visitor, sealed.shareUrl))['copy.pdf'].length).toBeGreaterThan(1_000)
})

it('an altered or missing object is a 503, a line in the log and a violation of I5, and never another document [P43, I5]', async () => {
  const { id, shareUrl, visitor } = await sealedContract()
  const other = await sealedContract()
  const pdfOf = async (each: string) => `${each}/${(await objectsOf(each)).find((name) => name.startsWith('pdf'))!}`
  const key = await pdfOf(id)
  const [bytes, others] = [await readFile(store.fileOf(key)), await readFile(store.fileOf(await pdfOf(other.id)))]
  const objects = await store.open()
  await objects.put(key, others, sha256Of(others))
  const answer = await visitor.get(`${shareUrl}/copy.pdf`)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await brokenOf(id)).toEqual(['has a document that was altered in the object store'])
  await objects.delete(key)
  expect((await visitor.get(`${shareUrl}/copy.pdf`)).status).toBe(503)
  expect(await brokenOf(id)).toEqual(['has a document that is missing in the object store'])
  const lines = await logOf(running)
  for (const reason of ['altered', 'missing'])
    expectWithMessage(lines, `the log of ${reason}`).toMatch(new RegExp(`"contractId":"${id}".*"reason":"${reason}"`))
  await objects.put(key, bytes, sha256Of(bytes))
  objects.close()
  expect((await visitor.get(`${shareUrl}/copy.pdf`)).bytes.equals(bytes)).toBe(true)
  expect(await brokenOf(id)).toEqual([])
})

it('the command moves all documents into the database and back, with progress, and a repeated run moves nothing [P43]', async () => {
  const { shareUrl, visitor } = await sealedContract()
  const before = await download(visitor, shareUrl)
  const back = await paraph(running.folder, 'documents', 'move', '--to', 'postgres')
  expect([back.code, back.stdout]).toEqual([0, expect.stringMatching(/^\d+ documents moved \(\d+\.\d MB\)\.\n$/)])
  const moved = Number(/^\d+/.exec(back.stdout)?.[0])
  expect(await countInRows()).toBe(moved)
  await store.stop()
  expect(await download(visitor, shareUrl)).toEqual(before)
  await store.start()
  const forth = await paraphJson<{ documents: number }>(running.folder, 'documents', 'move', '--to', 's3')
  expect(forth.documents).toBe(moved)
  expect(await paraphJson(running.folder, 'documents', 'move', '--to', 's3')).toMatchObject({
    documents: 0,
    damaged: [],
  })
  expect(await countInRows()).toBe(0)
  expect(await download(visitor, shareUrl)).toEqual(before)
  expect(await paraphJson(running.folder, 'documents', 'orphans')).toMatchObject({ orphans: [] })
})

it('no secret and no key of the store is in a log [P43, I14]', async () => {
  const { password } = new URL(store.url)
  const lines = `${running.launched.output()}${await logOf(running)}`
  for (const secret of [password, decodeURIComponent(password), store.url]) expect(lines).not.toContain(secret)
})
