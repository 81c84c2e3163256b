// Moves between Postgres and a real S3 server, and the search for objects without a row. [P43]
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { sql } from 'kysely'
import { openCeremonyFixture, type CeremonyFixture } from '../../test/ceremony-fixture.js'
import { startObjectStore, type TestObjectStore } from '../../test/object-store-fixture.js'
import { eraseContract } from '../chain/erasure.js'
import { createDocuments, readRow, type Documents } from './documents.js'
import { createMove, type Moved, type Target } from './move-documents.js'
import { createObjectDeletion, newKey } from './object-deletion.js'
import { sha256Of, type ObjectStore } from './object-store.js'
import { createOrphanSearch } from './orphans.js'

const CONTRACTS = 40
const idOf = (n: number): string => `contract-1795183380000-${String(n).padStart(9, 'a')}`
const IDS = Array.from({ length: CONTRACTS }, (_, n) => idOf(n))

let server: TestObjectStore
let fixture: CeremonyFixture
let objects: ObjectStore
let documents: Documents
beforeAll(async () => {
  server = await startObjectStore()
})
afterAll(() => server?.close())
beforeEach(async () => {
  await server.start()
  objects = await server.open()
  fixture = await openCeremonyFixture()
  documents = createDocuments({ ...fixture, objects })
  const each = sql`unnest(${IDS}::text[]) as id`
  await sql`insert into evidence_chain (contract_id, seq, hash) select id, 1, 'x' from ${each}`.execute(
    fixture.database,
  )
  await sql`insert into sealed_evidence (contract_id, key_id, jws) select id, 'k', 'jws of ' || id from ${each}`.execute(
    fixture.database,
  )
  // Every fourth contract was erased: it has evidence and no PDF.
  await sql`insert into sealed_copy (contract_id, pdf, pdf_sha256)
    select id, pdf, encode(sha256(pdf), 'hex') from (
      select id, convert_to('%PDF- of ' || id, 'UTF8') as pdf, row_number() over () as n from ${each}) s where n % 4 <> 0`.execute(
    fixture.database,
  )
})
afterEach(async () => {
  objects.close()
  await fixture.close()
  await server.clear()
})

const PDFS = IDS.filter((_, at) => (at + 1) % 4 !== 0)
const move = () => createMove({ ...fixture, documents })
async function moveAll(to: Target): Promise<Moved> {
  const sum: Moved = { documents: 0, bytes: 0, damaged: [], after: '' }
  for (let after: string | null = ''; after !== null;) {
    const call = await move()(to, after)
    sum.documents += call.documents
    sum.damaged.push(...call.damaged)
    after = call.after
  }
  return sum
}
const expectReadable = async () => {
  for (const id of IDS) expect(await documents.readJws(id)).toBe(`jws of ${id}`)
  for (const id of PDFS) expect((await documents.readPdf(id))!.toString()).toBe(`%PDF- of ${id}`)
}
/** Without those that the server makes for itself. */
const contractFolders = async (): Promise<string[]> =>
  (await readdir(server.fileOf(''))).filter((name) => name.startsWith('contract-'))
const inStore = async (): Promise<number> => {
  const folders = await contractFolders()
  const names = await Promise.all(folders.map((folder) => readdir(server.fileOf(folder))))
  return names.flat().length
}
const inRows = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from sealed_evidence where jws is not null) + (select count(*) from sealed_copy where pdf is not null) as count`.execute(
    fixture.database,
  )
  return rows[0]!.count
}
const deleteDue = async () => {
  while (await createObjectDeletion({ ...fixture, objects }).next());
}

it('a move to the store and back loses and changes no document, and a repeated move does nothing [P43]', async () => {
  const all = IDS.length + PDFS.length
  expect(await moveAll('s3')).toMatchObject({ documents: all, damaged: [] })
  expect([await inStore(), await inRows()]).toEqual([all, 0])
  await expectReadable()
  expect(await moveAll('s3')).toMatchObject({ documents: 0 })
  expect(await moveAll('postgres')).toMatchObject({ documents: all, damaged: [] })
  expect(await inRows()).toBe(all)
  await server.stop()
  await expectReadable()
})

it('the objects stay for 30 days after a move back, for a restore to a moment before it, but not after an erasure [P43, D43]', async () => {
  await moveAll('s3')
  await moveAll('postgres')
  await deleteDue()
  expect(await inStore()).toBe(IDS.length + PDFS.length)
  const { rows } = await sql<{ days: number }>`
    select distinct round(extract(epoch from reserved_until - clock_timestamp()) / 86400)::int as days from object_deletion`.execute(
    fixture.database,
  )
  expect(rows).toEqual([{ days: 30 }])
  await fixture.database.transaction().execute((trx) => eraseContract(trx, PDFS[0]!, new Date()))
  // The minute that an erasure leaves to a write under way.
  await sql`update object_deletion set reserved_until = clock_timestamp() - interval '1 second'
     where reserved_until < clock_timestamp() + interval '1 minute'`.execute(fixture.database)
  await deleteDue()
  expect((await readdir(server.fileOf(PDFS[0]!))).map((name) => name.slice(0, 3))).toEqual(['jws'])
  await sql`update object_deletion set reserved_until = clock_timestamp() - interval '1 second'`.execute(
    fixture.database,
  )
  await deleteDue()
  expect(await inStore()).toBe(0)
})

it.each(['s3', 'postgres'] as const)(
  'a move to %s that is killed at any document is resumed, leaves nothing half done, and its leftovers are deleted [P43]',
  async (to) => {
    if (to === 'postgres') await moveAll('s3')
    const all = IDS.length + PDFS.length
    for (const last of [1, 7, 23]) {
      let [written, dies] = [0, false]
      // After the death nothing of this move happens any more.
      const stop = async <T>(work: Promise<T>): Promise<T> => {
        const result = await work
        written += 1
        dies ||= written >= last
        return dies ? new Promise<never>(() => undefined) : result
      }
      const killed = createMove({
        ...fixture,
        documents: {
          putObject: (...put) => stop(documents.putObject(...put)),
          readBytes: (stored) => (to === 's3' ? documents.readBytes(stored) : stop(documents.readBytes(stored))),
        },
      })
      void killed(to, '')
      while (!dies) await new Promise((resolve) => setImmediate(resolve))
      await expectReadable()
    }
    expect((await moveAll(to)).damaged).toEqual([])
    await expectReadable()
    expect(await inRows()).toBe(to === 's3' ? 0 : all)
    await sql`update object_deletion set reserved_until = clock_timestamp() - interval '1 second'
       where reserved_until is not null`.execute(fixture.database)
    await deleteDue()
    expect(await inStore()).toBe(to === 's3' ? all : 0)
    await expectReadable()
  },
)

it('two moves at the same time, and an erasure meanwhile, leave each document once [P43, D43]', async () => {
  const erased = PDFS[5]!
  await Promise.all([
    moveAll('s3'),
    moveAll('s3'),
    fixture.database.transaction().execute((trx) => eraseContract(trx, erased, new Date())),
  ])
  await deleteDue()
  expect([await inStore(), await inRows()]).toEqual([IDS.length + PDFS.length - 1, 0])
  expect(await documents.readPdf(erased)).toBeUndefined()
})

it('a move stops while the store is down, and reports a damaged document without moving it [P43]', async () => {
  await server.stop()
  await expect(moveAll('s3')).rejects.toMatchObject({ code: 'unavailable' })
  await server.start()
  await moveAll('s3')
  const { objectKey } = (await readRow(fixture.database, IDS[3]!, 'jws'))!
  await writeFile(server.fileOf(objectKey!), 'altered')
  const { damaged } = await moveAll('postgres')
  expect(damaged).toEqual([{ contractId: IDS[3], kind: 'jws', reason: 'altered' }])
  expect(await inRows()).toBe(IDS.length + PDFS.length - 1)
})

it('the search finds the objects that a restore left without a row, and no others [P43]', async () => {
  await moveAll('s3')
  const search = createOrphanSearch({ database: fixture.database, objects })
  const sha256 = sha256Of(Buffer.from('x'))
  const left = [newKey('contract-1795183390000-aaaaaaaaa', 'pdf', sha256), newKey(IDS[0]!, 'jws', sha256)]
  const foreign = 'contract-of-another-program/pdf-x'
  for (const key of [...left, foreign]) await objects.put(key, Buffer.from('x'), sha256)
  // A deletion that came before its object.
  await sql`insert into object_deletion (object_key, done_at) values (${left[0]}, clock_timestamp())`.execute(
    fixture.database,
  )
  expect((await search('', true)).orphans).toEqual([])
  // Younger objects may belong to a commit that is still to come.
  for (const folder of await contractFolders())
    for (const name of await readdir(server.fileOf(folder)))
      await utimes(server.fileOf(`${folder}/${name}`), 1_700_000_000, 1_700_000_000)
  const { orphans, after } = await search('', false)
  expect(orphans.toSorted()).toEqual(left.toSorted())
  expect((await search(after!, false)).after).toBeNull()
  await search('', true)
  await search('', true)
  await deleteDue()
  expect(await inStore()).toBe(IDS.length + PDFS.length + [foreign].length)
  await expectReadable()
})
