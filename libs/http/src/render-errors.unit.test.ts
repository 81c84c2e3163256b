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

/** Lets a handler throw `error`. @returns the calls of the logger, and the state of the request */
async function answerWith(error: Error) {
  const logger = createLogger('test', 'silent')
  const logged = jest.spyOn(logger, 'error')
  const ctx = {
    method: 'GET',
    path: '/contracts/secret',
    state: {},
    get: () => '',
    set: () => undefined,
  } as unknown as Context
  await renderErrors(logger)(ctx, () => {
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

it('a request that is refused is no failure', async () => {
  expect((await answerWith(new DomainError('not_found', 'No.'))).calls).toEqual([])
})
