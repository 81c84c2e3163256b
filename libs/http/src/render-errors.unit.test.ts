import type { Context } from 'koa'
import { TRPCClientError } from '@trpc/client'
import { expect, it, jest } from '@jest/globals'
import { DomainError, unavailable, type ErrorCode } from '@paraph/protocol/errors'
import { createLogger } from '@paraph/telemetry/logger'
import { setRoute } from './failed-request.js'
import { asDomainError, renderErrors } from './render-errors.js'

it.each<[refusal: ErrorCode, answer: ErrorCode]>([
  ['unavailable', 'unavailable'],
  // The other service refused our service token: the clocks of two databases have stepped apart, or a key is wrong.
  ['invalid_key', 'unavailable'],
  ['not_found', 'internal_error'],
])('a client gets for the refusal %s of another service the error %s [F32]', (refusal, answer) => {
  const thrown = TRPCClientError.from(new DomainError(refusal, 'No.'))
  expect(asDomainError(thrown).code).toBe(answer)
})

/** Lets a handler of the gateway throw `error`. @param sentId the client's `X-Request-Id` @returns the calls of the logger, and the state of the request */
async function answerWith(error: Error, sentId = '') {
  const logger = createLogger('test', 'silent')
  const logged = jest.spyOn(logger, 'error')
  const ctx = {
    method: 'GET',
    path: '/contracts/secret',
    state: {},
    get: (name: string) => (name === 'x-request-id' ? sentId : ''),
    set: () => undefined,
  } as unknown as Context
  await renderErrors(logger, 'https://sign.test/docs/errors')(ctx, () => {
    setRoute(ctx, '/contracts/{id}')
    throw error
  })
  return { calls: logged.mock.calls as unknown[][], state: ctx.state }
}

it('a request that fails is logged once, with method, route, status, duration and the id that the client gets [D17, I14]', async () => {
  const cause = new Error('the database restarts')
  const { calls, state } = await answerWith(unavailable(cause))
  const request = { requestId: state.requestId, method: 'GET', route: '/contracts/{id}' }
  expect(calls).toEqual([
    [{ ...request, status: 503, code: 'unavailable', durationMs: expect.any(Number), err: cause }, 'request failed'],
  ])
  expect(JSON.stringify(calls)).not.toContain('secret')
})

it.each([
  ['order-10442/attempt-2', 'order-10442/attempt-2'],
  ['x'.repeat(129), undefined],
  ['two words', undefined],
  ['noor@example.test', undefined],
  ['paraph_live_9fQ2abc', undefined],
  ['k3v9x2m1qk3v9x2m1qk3v9x2m1qk3v9x2m1qk3v9x2m1q', undefined],
])(
  'the log line of a failure has the id %s of the client only if it cannot be personal or secret [D54, I14]',
  async (sentId, kept) => {
    const { calls } = await answerWith(unavailable(new Error('the database restarts')), sentId)
    expect(calls[0]?.[0]).toHaveProperty('clientRequestId', kept)
  },
)

it('a request that is refused is no failure', async () => {
  expect((await answerWith(new DomainError('not_found', 'No.'))).calls).toEqual([])
})
