// Which pages the reference has, in which order and at which address. [Endpoints]
import type { Guide } from './guide.js'
import { CHANGES } from './guides/changes.js'
import { ERRORS } from './guides/errors.js'
import { EVIDENCE } from './guides/evidence.js'
import { FIRST_CONTRACT } from './guides/first-contract.js'
import { IDEMPOTENCY } from './guides/idempotency.js'
import { KEYS } from './guides/keys.js'
import { LIMITS } from './guides/limits.js'
import { POLLING } from './guides/polling.js'
import { SANDBOX } from './guides/sandbox.js'
import { STATUSES } from './guides/statuses.js'
import type { SampleName } from './samples.js'

/** The endpoint whose page it is, as the document writes it. */
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
      { path: DOCS_PATH, guide: FIRST_CONTRACT },
      { path: '/docs/keys', guide: KEYS },
      { path: '/docs/sandbox', guide: SANDBOX },
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
      { path: '/docs/statuses', guide: STATUSES },
      { path: '/docs/errors', guide: ERRORS },
      { path: '/docs/limits', guide: LIMITS },
      { path: '/docs/idempotency', guide: IDEMPOTENCY },
      { path: '/docs/polling', guide: POLLING },
      { path: '/docs/changes', guide: CHANGES },
    ],
  },
  { title: 'evidence', entries: [{ path: '/docs/evidence', guide: EVIDENCE }] },
] as const satisfies readonly { title: string; entries: readonly Entry[] }[]

export const ENTRIES: readonly Entry[] = GROUPS.flatMap(({ entries }): readonly Entry[] => entries)
