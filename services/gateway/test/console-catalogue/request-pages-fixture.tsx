// The request log with calls of every outcome, without calls, and after a search for what is no request id.
import type { LoggedCall } from '../../src/request-log/queries.js'
import type { PageProps } from '../../src/console/frame/page-props.js'
import { RequestsPage } from '../../src/console/requests/requests-page.js'
import { at, owned, TIME_ZONE, TRIAL, type CatalogueEntry } from './entry-fixture.js'

const call = (id: number, more: Partial<LoggedCall> = {}): LoggedCall => ({
  id,
  at: at(`2026-11-24T12:0${id}:17.000Z`),
  keyName: 'Order system',
  method: 'GET',
  route: '/contracts/{id}',
  status: 200,
  code: null,
  durationMs: 9,
  requestId: `5f0c1a52-6b1e-4c8e-9d0a-3f1d2c4b5a6${id}`,
  ...more,
})
const CALLS = [
  call(9, { status: 304, durationMs: 30_004 }),
  call(8),
  call(7, { method: 'POST', route: '/contracts', status: 201, durationMs: 24 }),
  call(6, { method: 'POST', route: '/contracts', status: 400, code: 'invalid_request', durationMs: 4 }),
  call(5, { keyName: 'Nightly report', route: '/usage', status: 429, code: 'rate_limited', durationMs: 1 }),
  call(4, { status: 503, code: 'unavailable', durationMs: 3_008 }),
]
const KEYS = [
  { id: 'key_1', name: 'Order system', hint: 'paraph_live_…Xs9c' },
  { id: 'key_2', name: 'Nightly report', hint: 'paraph_live_…mB0x' },
]
const requests =
  (calls: readonly LoggedCall[], requestId = '') =>
  (page: PageProps) => (
    <RequestsPage
      {...{ page, calls, keys: KEYS, environment: 'production', timeZone: TIME_ZONE, isLater: false }}
      filter={{ requestId, outcome: '', key: '' }}
      older={calls.length === 0 ? null : 4}
      isNoId={requestId !== ''}
    />
  )

export const requestPages: readonly CatalogueEntry[] = [
  owned('console-19-requests', requests(CALLS)),
  owned('console-19n-requests-none', requests([]), 200, TRIAL),
  owned('console-19i-requests-no-id', requests([], 'contract-1795183380000-k3v9x2m1q')),
]
