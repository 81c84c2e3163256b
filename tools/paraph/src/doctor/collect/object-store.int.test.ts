// The check of the object store against a real S3 server. [P43]
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startObjectStore, type TestObjectStore } from '@paraph/signing/test/object-store-fixture'
import { collectObjectStore } from './object-store.js'

let store: TestObjectStore
beforeAll(async () => (store = await startObjectStore()))
afterAll(() => store?.close())

it('the check names why a bucket cannot be listed: a wrong key, a missing bucket, a server that is down [I14]', async () => {
  const { username, password } = new URL(store.url)
  const factsOf = (url: string) => collectObjectStore({ OBJECT_STORE_URL: url })
  expect(await factsOf(store.url)).toEqual({ failure: undefined })
  expect(await factsOf(store.urlWith(username, 'wrong'))).toEqual({ failure: 'list: SignatureDoesNotMatch' })
  expect(await factsOf(store.urlWith(username, password, 'no-bucket'))).toEqual({ failure: 'list: NoSuchBucket' })
  await store.close()
  expect(await factsOf(store.url)).toEqual({ failure: expect.stringMatching(/^list: ECONNREFUSED/) })
})

it('an installation without a store has no facts about one', async () => {
  expect(await collectObjectStore({})).toBeUndefined()
})
