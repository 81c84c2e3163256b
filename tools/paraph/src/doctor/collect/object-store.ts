// Lists the bucket of the signed documents once, with the settings of the signing service. [P43]
import { ObjectStoreError, openObjectStore } from '@paraph/signing/documents/object-store'
import { objectStoreSetting } from '@paraph/signing/documents/object-store-url'
import type { ObjectStoreFacts } from '../facts.js'
import type { Settings } from '../source/installation.js'

/** @returns undefined without a store, or with a URL that is wrong, which collect/settings.ts reports */
export async function collectObjectStore({ OBJECT_STORE_URL }: Settings): Promise<ObjectStoreFacts | undefined> {
  const settings = objectStoreSetting.safeParse(OBJECT_STORE_URL)
  if (!settings.success) return undefined
  const store = await openObjectStore(settings.data)
  try {
    await store.list('')
    return { failure: undefined }
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) throw error
    return { failure: error.message }
  } finally {
    store.close()
  }
}
