import { initTRPC } from '@trpc/server'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Environment } from '@paraph/protocol/environment'
import type { Principal } from '@paraph/protocol/principal'
import { openRpcFixture } from '../test/caller-fixture.js'
import { callersOnly, requirePrincipal } from './caller-guard.js'
import { refusalOf } from './link.js'
import type { RpcContext } from './mount.js'

const t = initTRPC.context<RpcContext>().create()
const router = t.router({
  whose: t.procedure.use(callersOnly('gateway')).query(({ ctx }) => {
    const { accountId, environment } = requirePrincipal(ctx.caller)
    return `${accountId} ${environment}`
  }),
})

const principalOf = (accountId: string, environment: Environment = 'production'): Principal => ({
  accountId,
  environment,
  scopes: [],
  account: {
    name: 'Nordic',
    senderName: 'Nordic',
    language: 'en',
    timeZone: 'UTC',
    replyAddress: null,
    cancelsOnDecline: false,
    remindsParties: true,
  },
})

const sockets = new Set<unknown>()
let fixture: Awaited<ReturnType<typeof openRpcFixture<typeof router>>>
beforeAll(async () => {
  fixture = await openRpcFixture({
    caller: 'gateway',
    callee: 'contract',
    router,
    line: (ctx, next) => {
      sockets.add(ctx.req.socket)
      return next()
    },
  })
})
afterAll(() => fixture.close())

it('each call names the account and environment of its principal, even among concurrent calls [D10, D45]', async () => {
  const callers = Array.from({ length: 40 }, (_, n) =>
    principalOf(`acc_${n % 5}`, n % 2 === 0 ? 'production' : 'sandbox'),
  )
  const answers = await Promise.all(callers.map((principal) => fixture.rpcFor(principal).whose.query()))
  expect(answers).toEqual(callers.map(({ accountId, environment }) => `${accountId} ${environment}`))
})

it('calls for all principals share one connection pool [D45]', async () => {
  const opened = new Set(sockets)
  for (const account of ['acc_a', 'acc_b']) await fixture.rpcFor(principalOf(account)).whose.query()
  expect([...sockets].filter((socket) => !opened.has(socket))).toHaveLength(0)
})

it('the callee refuses a call without a principal [D45]', async () => {
  const error = await fixture.rpc.whose.query().then(String, (thrown: unknown) => thrown)
  expect(refusalOf(error)).toMatchObject({ code: 'invalid_key' })
})
