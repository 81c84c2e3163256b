import { createServer, type Server } from 'node:net'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import tls from 'node:tls'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createAuthority } from '@paraph/testing/test/certificate-fixture'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { startObjectStore, type TestObjectStore } from '../../test/object-store-fixture.js'
import { readObjectStoreUrl } from './object-store-url.js'
import { ObjectDamaged, ObjectStoreError, openObjectStore, sha256Of, type ObjectStore } from './object-store.js'

const KEY = 'contract-1/pdf-1'
const BYTES = Buffer.from('%PDF-1.7 the signed bytes')
const EXPECTED = { sha256: sha256Of(BYTES), size: BYTES.length }
/** The time limit of a read with all attempts, and of a write. */
const [READ_MS_MAX, WRITE_MS_MAX] = [4_000, 8_000]
/** The extra time of a busy machine. */
const SLOWNESS_MS = 3_000

let server: TestObjectStore
let store: ObjectStore
beforeAll(async () => {
  server = await startObjectStore()
})
afterAll(() => server?.close())
beforeEach(async () => {
  await server.start()
  store = await server.open()
  await store.put(KEY, BYTES, EXPECTED.sha256)
})
afterEach(async () => {
  store.close()
  await server.stop()
})

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('the object store [P43, F54]', () => {
  it('returns the bytes that were written, and no others', async () => {
    expect(await store.get(KEY, EXPECTED)).toEqual(BYTES)
    expect(await store.check(KEY, EXPECTED)).toBe('intact')
    for (const changed of [Buffer.from(BYTES).fill('x', 3, 4), BYTES.subarray(1), Buffer.concat([BYTES, BYTES])]) {
      await writeFile(server.fileOf(KEY), changed)
      expect(await errorOf(store.get(KEY, EXPECTED))).toEqual(new ObjectDamaged('altered'))
    }
  })

  it('tells a missing object from an altered one, and a deletion can be repeated', async () => {
    const other = Buffer.from('other bytes, put in its place')
    await store.put(KEY, other, sha256Of(other))
    expect(await store.check(KEY, EXPECTED)).toBe('altered')
    await store.delete(KEY)
    await store.delete(KEY)
    expect(await store.check(KEY, EXPECTED)).toBe('missing')
    expect(await errorOf(store.get(KEY, EXPECTED))).toEqual(new ObjectDamaged('missing'))
  })

  it('refuses bytes that were damaged on their way to it', async () => {
    expect(await errorOf(store.put('contract-2/pdf-1', BYTES, sha256Of(Buffer.from('other'))))).toBeInstanceOf(
      ObjectStoreError,
    )
    expect(await store.check('contract-2/pdf-1', EXPECTED)).toBe('missing')
  })

  it('lists its keys in their order, a page at a time', async () => {
    const keys = Array.from({ length: 1_001 }, (_, n) => `list-${String(n).padStart(4, '0')}/jws-1`)
    const forEach = async (work: (key: string) => Promise<void>) => {
      for (let at = 0; at < keys.length; at += 20) await Promise.all(keys.slice(at, at + 20).map(work))
    }
    await forEach((key) => store.put(key, BYTES, EXPECTED.sha256))
    const first = await store.list('contract-9')
    const second = await store.list(first.at(-1)!.key)
    expect([...first, ...second].map(({ key }) => key)).toEqual(keys)
    expect([first.length, second.length]).toEqual([1_000, 1])
    expect(await store.list(second[0]!.key)).toEqual([])
    await forEach((key) => store.delete(key))
  })

  it.each([
    ['another secret', () => server.urlWith('test-key', 'canary-secret')],
    ['another key', () => server.urlWith('canary-key', 'canary-secret')],
    ['a bucket that does not exist', () => server.url.replace(/[\w-]+$/, 'canary-bucket')],
  ])('with %s does nothing, reports no missing object, and names no secret', async (_, url) => {
    const other = await openObjectStore(readObjectStoreUrl(url()))
    for (const work of [
      () => other.get(KEY, EXPECTED),
      () => other.check(KEY, EXPECTED),
      () => other.put('contract-3/pdf-1', BYTES, EXPECTED.sha256),
      () => other.list(''),
    ]) {
      const error = await errorOf(work())
      expect(error).toBeInstanceOf(ObjectStoreError)
      const { message, cause, stack } = error as Error
      expect(cause).toBeUndefined()
      expect(message).toMatch(/^(get|check|put|list): \w+$/)
      expect(`${message} ${stack}`).not.toMatch(/canary|contract-3|test-key/)
      expect(Object.keys(error as object).filter((name) => name !== 'name')).toEqual([])
    }
    other.close()
  })

  it('is given up within its time limit when it is stopped, and works again without a restart', async () => {
    await server.stop()
    for (const [work, limitMs] of [
      [() => store.get(KEY, EXPECTED), READ_MS_MAX],
      [() => store.put('contract-4/pdf-1', BYTES, EXPECTED.sha256), WRITE_MS_MAX],
      [() => store.delete(KEY), WRITE_MS_MAX],
    ] as const) {
      const startedAtMs = performance.now()
      expect(await errorOf(work())).toBeInstanceOf(ObjectStoreError)
      expect(performance.now() - startedAtMs).toBeLessThan(limitMs + SLOWNESS_MS)
    }
    await server.start()
    expect(await store.get(KEY, EXPECTED)).toEqual(BYTES)
  })
})

describe('a store that accepts connections and falls silent [P43, F54]', () => {
  let silent: Server
  const sockets = new Set<{ destroy: () => void }>()
  /** What the silent server sends before it falls silent. */
  let head = ''
  beforeAll(async () => {
    silent = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('data', () => socket.write(head))
    }).listen(0, '127.0.0.1')
    await once(silent, 'listening')
  })
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    silent?.close()
  })

  it.each([
    ['before its answer', ''],
    ['within its answer', `HTTP/1.1 200 OK\r\nContent-Length: ${BYTES.length}\r\n\r\n%PDF`],
  ])('%s is given up within the time limit', async (_, sent) => {
    head = sent
    const { port } = silent.address() as AddressInfo
    const other = await openObjectStore(readObjectStoreUrl(`http://key:secret@127.0.0.1:${port}/bucket`))
    const startedAtMs = performance.now()
    expect(await errorOf(other.get(KEY, EXPECTED))).toBeInstanceOf(ObjectStoreError)
    expect(performance.now() - startedAtMs).toBeLessThan(READ_MS_MAX + SLOWNESS_MS)
    other.close()
  })
})

describe('TLS to the store [P43, P39]', () => {
  it('is required to have a certificate that the process trusts', async () => {
    const authority = await createAuthority('Store test CA')
    const certificate = await authority.issue('store', 'IP:127.0.0.1')
    const secure = await startObjectStore({ tls: certificate })
    try {
      const stranger = await secure.open()
      const refused = await errorOf(stranger.put(KEY, BYTES, EXPECTED.sha256))
      expectWithMessage((refused as Error).message, 'the error of an unknown authority').toMatch(
        /^put: (UNABLE_TO_VERIFY|SELF_SIGNED|UNABLE_TO_GET)/,
      )
      stranger.close()
      // As NODE_EXTRA_CA_CERTS does at the start of a process.
      tls.setDefaultCACertificates([...tls.getCACertificates(), authority.caPem])
      const trusting = await secure.open()
      await trusting.put(KEY, BYTES, EXPECTED.sha256)
      expect(await trusting.get(KEY, EXPECTED)).toEqual(BYTES)
      trusting.close()
    } finally {
      await secure.close()
      await authority.close()
    }
  })
})
