// Seals, reads, erasures and leftovers with a real Postgres and a real S3 server. [P43, D30, D43]
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { DomainError } from '@paraph/protocol/errors'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { sql } from 'kysely'
import { openCeremonyFixture, type CeremonyFixture } from '../../test/ceremony-fixture.js'
import { completeContract, KEYS } from '../../test/completed-contract-fixture.js'
import { SAMPLE_KEYS } from '../../test/evidence-fixture.js'
import { startObjectStore, type TestObjectStore } from '../../test/object-store-fixture.js'
import { eraseContract } from '../chain/erasure.js'
import { createWorkerPool, type WorkerPool } from '../sealing/pdf/worker-pool.js'
import { readCopies } from '../sealing/queue.js'
import { createSealing } from '../sealing/worker.js'
import { checkEvidence } from '../verify/check.js'
import { createDocuments, readRow, type Documents } from './documents.js'
import { createObjectDeletion } from './object-deletion.js'
import type { ObjectStore } from './object-store.js'

let server: TestObjectStore
let fixture: CeremonyFixture
let workerPool: WorkerPool
let objects: ObjectStore
let documents: Documents
beforeAll(async () => {
  server = await startObjectStore()
  fixture = await openCeremonyFixture()
  workerPool = createWorkerPool()
})
afterAll(async () => {
  await workerPool?.stop()
  await fixture?.close()
  await server?.close()
})
beforeEach(async () => {
  await server.start()
  objects = await server.open()
  documents = createDocuments({ database: fixture.database, objects, newTo: 's3', logger: fixture.logger })
})
afterEach(async () => {
  objects.close()
  await server.clear()
  await sql`delete from seal_task`.execute(fixture.database)
  await sql`delete from object_deletion`.execute(fixture.database)
})

const sealingWith = (place: Documents['place'], make: WorkerPool['make'] = (job) => workerPool.make(job)) =>
  createSealing({
    ...fixture,
    documents: { place },
    footName: 'Paraph',
    keys: KEYS,
    workerPool: { make },
    notifyRelay: () => undefined,
  })
const seal = () => sealingWith(documents.place).next()
const dueNow = () =>
  sql`update seal_task set run_after = clock_timestamp() - interval '1 second', claimed_until = null`.execute(
    fixture.database,
  )
async function sealedContract(): Promise<string> {
  const { contractId } = await completeContract(fixture)
  await seal()
  return contractId
}

const erase = (contractId: string) =>
  fixture.database.transaction().execute((trx) => eraseContract(trx, contractId, new Date()))
const stateOf = async (contractId: string) => (await readCopies(fixture.database, contractId)).state
const keyOf = async (contractId: string, kind: 'pdf' | 'jws') =>
  (await readRow(fixture.database, contractId, kind))!.objectKey!
/** The kinds of the objects of a contract that exist. */
const kindsOf = async (contractId: string): Promise<string[]> => {
  const names = await readdir(server.fileOf(contractId)).catch(() => [])
  return names.map((name) => name.slice(0, 3)).sort()
}
const deleteDue = async () => {
  while (await createObjectDeletion({ ...fixture, objects }).next());
}
/** Ends every reservation, as the passing of an hour does. */
const passReservations = () =>
  sql`update object_deletion set reserved_until = clock_timestamp() - interval '1 second'
       where reserved_until is not null`.execute(fixture.database)
/** Ends the reservations that an erasure has shortened, as the passing of a minute does. */
const passMinute = () =>
  sql`update object_deletion set reserved_until = clock_timestamp() - interval '1 second'
       where reserved_until < clock_timestamp() + interval '1 minute'`.execute(fixture.database)
const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof DomainError ? [error.code, error.status] : error),
  )

describe('a seal in the object store [P43, D30, F54]', () => {
  it('has its bytes there, its hash and size in the row, and verifies', async () => {
    const contractId = await sealedContract()
    expect(await kindsOf(contractId)).toEqual(['jws', 'pdf'])
    for (const kind of ['pdf', 'jws'] as const) {
      const row = (await readRow(fixture.database, contractId, kind))!
      expect(row.content).toBeNull()
      expect(row.objectKey).toContain(row.sha256)
    }
    const pdf = await documents.readPdf(contractId)
    const report = await checkEvidence(pdf!, { knownKeysPem: SAMPLE_KEYS.evidence.publicPem })
    expect(report.checks.filter(({ holds }) => !holds)).toEqual([])
    expect(await documents.readJws(contractId)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(await readCopies(fixture.database, contractId)).toMatchObject({ state: 'ready', pdfBytes: pdf!.length })
    await passReservations()
    await deleteDue()
    expectWithMessage(await kindsOf(contractId), 'nothing of it is to be deleted').toEqual(['jws', 'pdf'])
  })

  it('is retried while the store is down: no PDF is made, nothing is half done, and then it is sealed', async () => {
    const { contractId } = await completeContract(fixture)
    await server.stop()
    let made = 0
    const sealing = sealingWith(documents.place, (job) => ((made += 1), workerPool.make(job)))
    await sealing.next()
    expect([await stateOf(contractId), made]).toEqual(['preparing', 0])
    const { rows } = await sql<{ reason: string }>`select last_reason as reason from seal_task`.execute(
      fixture.database,
    )
    expect(rows[0]!.reason).toMatch(/^ObjectStoreError: put: \w+/)
    await server.start()
    await dueNow()
    await sealing.next()
    expect([await stateOf(contractId), made]).toEqual(['ready', 1])
    expect(await documents.readPdf(contractId)).toBeDefined()
    await passReservations()
    await deleteDue()
    expect(await kindsOf(contractId)).toEqual(['jws', 'pdf'])
  })

  it('of a process that died between the objects and the commit leaves objects that are deleted, and loses nothing', async () => {
    const { contractId } = await completeContract(fixture)
    // Nothing of this process happens after the objects are written, as after a kill -9.
    const written = Promise.withResolvers<void>()
    const dead = sealingWith(async (id, kind, bytes) => {
      const placed = await documents.place(id, kind, bytes)
      if (kind === 'pdf') {
        written.resolve()
        await new Promise(() => undefined)
      }
      return placed
    })
    void dead.next()
    await written.promise
    expect([await stateOf(contractId), await kindsOf(contractId)]).toEqual(['preparing', ['jws', 'pdf']])
    await dueNow()
    await seal()
    expect(await kindsOf(contractId)).toEqual(['jws', 'jws', 'pdf', 'pdf'])
    await deleteDue()
    expectWithMessage(await kindsOf(contractId), 'the reservation lasts an hour').toHaveLength(4)
    await passReservations()
    await deleteDue()
    expect(await kindsOf(contractId)).toEqual(['jws', 'pdf'])
    expect(await documents.readPdf(contractId)).toBeDefined()
    expect(await documents.readJws(contractId)).toBeDefined()
  })

  it('that commits after its objects were deleted is not stored, and the next attempt is', async () => {
    const { contractId } = await completeContract(fixture)
    const late = sealingWith(async (id, kind, bytes) => {
      const placed = await documents.place(id, kind, bytes)
      if (kind === 'pdf') {
        await passReservations()
        await deleteDue()
      }
      return placed
    })
    await late.next()
    expect(await stateOf(contractId)).toBe('preparing')
    await dueNow()
    await seal()
    expect(await documents.readPdf(contractId)).toBeDefined()
  })

  it('is created once: the objects of a second process are deleted at once', async () => {
    const { contractId } = await completeContract(fixture)
    const first = sealingWith(async (id, kind, bytes) => {
      const placed = await documents.place(id, kind, bytes)
      if (kind === 'pdf') {
        await dueNow()
        await seal()
      }
      return placed
    })
    await first.next()
    const [pdf, jws] = [await keyOf(contractId, 'pdf'), await keyOf(contractId, 'jws')]
    await deleteDue()
    expect(await kindsOf(contractId)).toEqual(['jws', 'pdf'])
    expect([await keyOf(contractId, 'pdf'), await keyOf(contractId, 'jws')]).toEqual([pdf, jws])
    expect(await documents.readPdf(contractId)).toBeDefined()
  })
})

describe('a read from the object store [P43, F54]', () => {
  const reads: [string, (contractId: string) => Promise<unknown>, 'pdf' | 'jws'][] = [
    ['PDF', (id) => documents.readPdf(id), 'pdf'],
    ['evidence', (id) => documents.readJws(id), 'jws'],
  ]

  it.each(reads)('of the %s is a 503 while the store is down', async (_, read) => {
    const contractId = await sealedContract()
    await server.stop()
    expect(await refusalOf(read(contractId))).toEqual(['unavailable', 503])
    await server.start()
    expect(await read(contractId)).toBeDefined()
  })

  it.each(reads)('of an altered or missing %s is a 503, and never another document', async (_, read, kind) => {
    const [contractId, otherId] = [await sealedContract(), await sealedContract()]
    const file = server.fileOf(await keyOf(contractId, kind))
    const other = await objects.get(await keyOf(otherId, kind), (await readRow(fixture.database, otherId, kind))!)
    await writeFile(file, other)
    expect(await refusalOf(read(contractId))).toEqual(['unavailable', 503])
    await rm(file)
    expect(await refusalOf(read(contractId))).toEqual(['unavailable', 503])
    expect(await read(otherId)).toBeDefined()
  })

  it('without a configured store is a 503', async () => {
    const contractId = await sealedContract()
    const without = createDocuments({ database: fixture.database, logger: fixture.logger })
    expect(await refusalOf(without.readPdf(contractId))).toEqual(['unavailable', 503])
  })
})

describe('an erasure with an object store [D43, P43]', () => {
  it('deletes the PDF, keeps the evidence, and is repeated until the store has done it', async () => {
    const contractId = await sealedContract()
    const jws = await documents.readJws(contractId)
    await erase(contractId)
    expect(await documents.readPdf(contractId)).toBeUndefined()
    await server.stop()
    await createObjectDeletion({ ...fixture, objects }).next()
    await server.start()
    expect(await kindsOf(contractId)).toEqual(['jws', 'pdf'])
    await sql`update object_deletion set run_after = clock_timestamp() - interval '1 second'`.execute(fixture.database)
    await deleteDue()
    expect(await kindsOf(contractId)).toEqual(['jws'])
    await erase(contractId)
    await deleteDue()
    expect([await stateOf(contractId), await documents.readJws(contractId)]).toEqual(['erased', jws])
  })

  it('while the PDF is on its way to the store leaves no PDF', async () => {
    const { contractId } = await completeContract(fixture)
    const put: ObjectStore['put'] = async (key, bytes, sha256) => {
      if (key.startsWith(`${contractId}/pdf-`)) {
        await erase(contractId)
        await deleteDue()
      }
      await objects.put(key, bytes, sha256)
    }
    const { database, logger } = fixture
    const slow = createDocuments({ database, objects: { ...objects, put }, newTo: 's3', logger })
    await sealingWith(slow.place).next()
    expect(await kindsOf(contractId)).toEqual(['jws', 'pdf'])
    await deleteDue()
    expect([await stateOf(contractId), await kindsOf(contractId)]).toEqual(['erased', ['jws']])
  })

  it('while the PDF is written leaves no PDF', async () => {
    const { contractId } = await completeContract(fixture)
    const sealing = sealingWith(async (id, kind, bytes) => {
      const placed = await documents.place(id, kind, bytes)
      if (kind === 'pdf') await erase(contractId)
      return placed
    })
    await sealing.next()
    await deleteDue()
    expect([await stateOf(contractId), await kindsOf(contractId)]).toEqual(['erased', ['jws']])
  })

  it('brings forward the deletion of a PDF that a killed process left', async () => {
    const { contractId } = await completeContract(fixture)
    await documents.place(contractId, 'pdf', Buffer.from('%PDF- left by a killed process'))
    await documents.place(`${contractId}0`, 'pdf', Buffer.from('%PDF- of another contract'))
    await seal()
    await erase(contractId)
    await passMinute()
    await deleteDue()
    expect(await kindsOf(contractId)).toEqual(['jws'])
    expect(await kindsOf(`${contractId}0`)).toEqual(['pdf'])
  })
})

it('a key contains the contract, the kind and hash, and nothing else of the contract [P43, I14]', async () => {
  const contractId = await sealedContract()
  const { sha256 } = (await readRow(fixture.database, contractId, 'pdf'))!
  expect(await keyOf(contractId, 'pdf')).toMatch(new RegExp(`^${contractId}/pdf-${sha256}-[0-9a-f]{8}$`))
  expect(await readdir(join(server.fileOf(''), contractId))).toHaveLength(2)
})
