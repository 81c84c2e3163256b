// The table of contents of the reference: its pages, their order and their paths. [Endpoints]
import type { Locale } from '@paraph/web/locale'
import { readGuide, type Guide } from './guides/guide.js'
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
/** The page with all pages. */
export const ALL_PATH = '/docs/all'

export const GROUPS = [
  {
    title: 'start',
    entries: [
      { path: DOCS_PATH, guide: readGuide('first-contract') },
      { path: '/docs/overview', guide: readGuide('overview') },
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
      { path: '/docs/webhooks', guide: readGuide('webhooks') },
      { path: '/docs/changes', guide: readGuide('changes') },
    ],
  },
  { title: 'evidence', entries: [{ path: '/docs/evidence', guide: readGuide('evidence') }] },
] as const satisfies readonly { title: string; entries: readonly Entry[] }[]

export const ENTRIES: readonly Entry[] = GROUPS.flatMap(({ entries }): readonly Entry[] => entries)

/** The name of a page in ids and file names: the last part of its path. */
export const slugOf = ({ path }: Entry): string =>
  path === DOCS_PATH ? 'first-contract' : path.slice(DOCS_PATH.length + 1)

/** The name of a page in the contents. */
export const nameOf = (entry: Entry, locale: Locale): string =>
  'guide' in entry ? entry.guide[locale].name : `${entry.method.toUpperCase()} ${entry.endpoint}`
