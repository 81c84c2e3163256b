// The reader of a local start: everyone at this computer may use the sandbox key of the demo account, which the launcher's pages show.
import { request } from 'undici'
import { withUrlTemplate } from '@paraph/telemetry/tracing-facade'
import type { DocsReader } from './samples.js'

const FETCH_MS_MAX = 1_000
const PATH = '/sandbox-key'

/** Returns a function that reads the key once. @param localHomeUrl the launcher's home page */
export function createDemoReader(localHomeUrl: string): () => Promise<DocsReader> {
  let testKey: string | undefined
  return async () => {
    testKey ??= await fetchKey(new URL(PATH, localHomeUrl))
    return { testKey, isDemo: true }
  }
}

async function fetchKey(url: URL): Promise<string> {
  const { statusCode, body } = await withUrlTemplate(PATH, () =>
    request(url, { signal: AbortSignal.timeout(FETCH_MS_MAX) }),
  )
  const text = (await body.text()).trim()
  if (statusCode !== 200 || !text.startsWith('paraph_test_'))
    throw new Error('the launcher did not send the sandbox key')
  return text
}
