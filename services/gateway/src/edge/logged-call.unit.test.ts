import { expect, it } from '@jest/globals'
import { DomainError } from '@paraph/protocol/errors'
import type { LoggedRequest } from '../request-log/recorder.js'
import type { Call } from './call.js'
import { logCall } from './logged-call.js'

/** What the log records of a call with this answer. */
function recorded(answer: { status: number; body?: unknown }, error?: DomainError, call: Partial<Call> = {}) {
  const logged: LoggedRequest[] = []
  const key = { id: 'key-1', environment: 'sandbox', account: { id: 'account-1' } }
  const ctx = { ...answer, method: 'POST', state: { requestId: 'r', startedAtMs: performance.now() } }
  const endpoints = [{ template: '/contracts' }]
  logCall({ record: (request) => void logged.push(request) }, { key, ctx, endpoints, ...call } as never, error)
  return logged.map(({ route, status, code }) => ({ route, status, code }))
}

it('the log has the status and the code of a refusal, of the gateway or of the contract service [D62]', () => {
  const refused = { route: '/contracts', status: 400, code: 'invalid_request' }
  const body = JSON.stringify({ error: 'The field "code":"not_found" is unknown.', code: 'invalid_request' })
  expect(recorded({ status: 400, body })).toEqual([refused])
  expect(recorded({ status: 400, body: 'no JSON' })).toEqual([{ ...refused, code: null }])
  expect(recorded({ status: 404 }, new DomainError('invalid_request', 'No.'))).toEqual([refused])
  expect(recorded({ status: 201, body: '{"code":"invalid_request"}' })).toEqual([
    { ...refused, status: 201, code: null },
  ])
})

it('a call without a valid key, or whose client has left, is not logged [D62]', () => {
  expect(recorded({ status: 200 }, undefined, { key: undefined as never })).toEqual([])
  expect(recorded({ status: 200 }, undefined, { isGone: true })).toEqual([])
})
