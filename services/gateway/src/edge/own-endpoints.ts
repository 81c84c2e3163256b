// The gateway's own two endpoints as procedures, so that the OpenAPI document comes from them. [GET /usage, GET /status]
// They run at the end of the edge list (middleware), which has checked the key and counts the call.
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import { statusSchema, usageAnswerSchema } from '@paraph/protocol/account-views'
import { DomainError } from '@paraph/protocol/errors'
import type { RestMeta } from '@paraph/service/rest'
import type { ApiKey } from './key-store.js'
import { STATUS_EXAMPLES, USAGE_EXAMPLES } from './rest-examples.js'
import { statusViewOf } from './status.js'
import type { UsageRecord } from './usage.js'

/** What an own endpoint knows of its call. */
export interface OwnContext {
  key: ApiKey
  /** By the store's clock. */
  admittedAt: Date
  /** Counts this call now, so that the answer can show it. False when the database did not take it. */
  countNow: () => Promise<boolean>
  isDatabaseAway: boolean
}

const { router, procedure } = initTRPC.context<OwnContext>().meta<RestMeta>().create()

/** @param areOthersReady whether every service behind the gateway is ready */
export function createRestRouter({ usage, areOthersReady }: { usage: UsageRecord; areOthersReady: () => boolean }) {
  return router({
    usage: procedure
      .meta({
        openapi: {
          method: 'GET',
          path: '/usage',
          operationId: 'getUsage',
          tags: ['Account'],
          successDescription: 'Usage so far.',
          summary: 'Quota and usage of the current billing period',
          description:
            'Counts calls of the account in the environment of the key, this one included. Over the quota, `overageCalls` grows and `remaining` stays 0.',
        },
        rest: { status: 200, errors: [], examples: USAGE_EXAMPLES },
      })
      .input(z.object({}))
      .output(usageAnswerSchema)
      .query(async ({ ctx }) => {
        if (!(await ctx.countNow())) {
          throw new DomainError('unavailable', 'Usage cannot be read at the moment. Try again in a few seconds.')
        }
        const { account, environment, limits } = ctx.key
        const view = await usage.read({ accountId: account.id, environment }, ctx.admittedAt, limits.monthlyQuota)
        return { success: true as const, usage: view }
      }),

    status: procedure
      .meta({
        openapi: {
          method: 'GET',
          path: '/status',
          operationId: 'getStatus',
          tags: ['Account'],
          successDescription: 'The key is valid.',
          summary: 'Health check, and what the key may do',
          description: 'Use it to confirm that a key is valid. It answers for suspended accounts too.',
        },
        rest: { status: 200, errors: [], examples: STATUS_EXAMPLES },
      })
      .input(z.object({}))
      .output(statusSchema)
      .query(({ ctx }) => statusViewOf(ctx.key, areOthersReady() && !ctx.isDatabaseAway)),
  })
}

export type RestRouter = ReturnType<typeof createRestRouter>
