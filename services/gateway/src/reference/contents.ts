// The table of contents of the reference: its pages, their order and their paths. [Endpoints]
import { readGuide, type Guide } from './guide.js'
import type { SampleName } from './samples.js'

/** A page about one endpoint. `endpoint` is its path template in the OpenAPI document. */
interface OperationEntry {
  path: string
  method: 'get' | 'post'
  endpoint: string
  sample: SampleName
}
interface GuideEntry {
  path: string
  guide: Guide
}
export type Entry = OperationEntry | GuideEntry

export const DOCS_PATH = '/docs'

export const GROUPS = [
  {
    title: 'start',
    entries: [
      { path: DOCS_PATH, guide: readGuide('first-contract') },
      { path: '/docs/keys', guide: readGuide('keys') },
      { path: '/docs/sandbox', guide: readGuide('sandbox') },
    ],
  },
  {
    title: 'endpoints',
    entries: [
      { path: '/docs/create-contract', method: 'post', endpoint: '/contracts', sample: 'create-contract' },
      { path: '/docs/get-contract', method: 'get', endpoint: '/contracts/{id}', sample: 'get-contract' },
      { path: '/docs/get-usage', method: 'get', endpoint: '/usage', sample: 'get-usage' },
      { path: '/docs/get-status', method: 'get', endpoint: '/status', sample: 'get-status' },
    ],
  },
  {
    title: 'rules',
    entries: [
      { path: '/docs/statuses', guide: readGuide('statuses') },
      { path: '/docs/errors', guide: readGuide('errors') },
      { path: '/docs/limits', guide: readGuide('limits') },
      { path: '/docs/idempotency', guide: readGuide('idempotency') },
      { path: '/docs/polling', guide: readGuide('polling') },
      { path: '/docs/changes', guide: readGuide('changes') },
    ],
  },
  { title: 'evidence', entries: [{ path: '/docs/evidence', guide: readGuide('evidence') }] },
] as const satisfies readonly { title: string; entries: readonly Entry[] }[]

export const ENTRIES: readonly Entry[] = GROUPS.flatMap(({ entries }): readonly Entry[] => entries)
