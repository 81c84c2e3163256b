// The public REST procedures: POST /contracts and GET /contracts/{id}. [Endpoints]
// Maps a parsed request to an answer. rest-meta.ts describes both procedures for the OpenAPI document.
import { createHash } from 'node:crypto'
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import { createContractSchema, removedFieldErrors, unknownFieldErrors } from '@paraph/protocol/contract'
import { contractAnswerSchema, contractIdSchema, createdAnswerSchema } from '@paraph/protocol/contract-views'
import { INTERNAL_HEADERS } from '@paraph/protocol/internal-headers'
import { DomainError, type Issue } from '@paraph/protocol/errors'
import { containsUnstorable } from '@paraph/protocol/text-rules'
import { requirePrincipal, scopeOnly } from '@paraph/rpc/caller-guard'
import type { RestContext, RestMeta } from '@paraph/rpc/rest'
import { simulatorErrors } from '@paraph/protocol/simulator'
import { isStrict, waitSecondsOf } from '@paraph/http/prefer'
import type { ContractCreation, CreationRequest } from '../store/create-contract.js'
import type { ContractReader, ContractReading, ContractSubscriptions } from './subscriptions.js'
import { isKnown, parseIfNoneMatch } from './entity-tag.js'
import { CREATE_META, GET_META } from './rest-meta.js'
import { readIdempotencyKey } from '../store/idempotency.js'

const t = initTRPC.context<RestContext>().meta<RestMeta>().create()

const UNSTORABLE = {
  path: '',
  message: 'The body must not contain NUL or half a surrogate pair, not even in ignored fields.',
}

interface RestRouterDeps {
  creation: ContractCreation
  read: ContractReader
  subscriptions: Pick<ContractSubscriptions, 'wait'>
}

/** The procedures behind `POST /contracts` and `GET /contracts/{id}`. They throw DomainErrors. */
export function createRestRouter({ creation, read, subscriptions }: RestRouterDeps) {
  const refuse = (issuesOf: (input: unknown, ctx: RestContext) => Issue[]) =>
    t.middleware(async ({ ctx, getRawInput, next }) => {
      const issues = issuesOf(await getRawInput(), ctx)
      if (issues.length === 0) return next()
      throw new DomainError('invalid_request', issues[0]?.message ?? '', { issues })
    })
  const refuseRemovedFields = refuse((input) => removedFieldErrors((input ?? {}) as Record<string, unknown>))
  /** Refuses fields that the schema ignores, if the client prefers that. [D55] */
  const refuseUnknownFields = refuse((input, ctx) => {
    if (!isStrict(ctx.requestHeader('prefer'))) return []
    ctx.setHeader('Preference-Applied', 'handling=strict')
    return unknownFieldErrors((input ?? {}) as Record<string, unknown>)
  })
  const refuseSimulator = refuse((input, { caller }) =>
    simulatorErrors((input ?? {}) as Record<string, unknown>, requirePrincipal(caller).environment),
  )
  /** Also checks the fields that the schema ignores. For known fields the schema has already reported the path. [D14] */
  const refuseUnstorable = refuse((input) => (containsUnstorable(input) ? [UNSTORABLE] : []))

  async function replayOf(request: CreationRequest) {
    const contract = await creation.replay(request)
    if (!contract) throw new DomainError('not_found', 'No contract was made with this Idempotency-Key.')
    return { contract, replayed: true }
  }

  return t.router({
    create: t.procedure
      .use(scopeOnly('contracts:write'))
      .use(refuseRemovedFields)
      .use(refuseUnknownFields)
      .meta(CREATE_META)
      .input(createContractSchema)
      .use(refuseSimulator)
      .use(refuseUnstorable)
      .output(createdAnswerSchema)
      .mutation(async ({ input, ctx }) => {
        const request = creationRequestOf(ctx)
        const replayOnly = ctx.requestHeader(INTERNAL_HEADERS.replayOnly) === '1'
        const { contract, replayed } = replayOnly ? await replayOf(request) : await creation.create(input, request)
        ctx.setHeader('Location', `/api/external/v2/contracts/${contract.id}`)
        if (replayed) ctx.setHeader('Idempotency-Replayed', 'true')
        return { success: true as const, contract }
      }),

    get: t.procedure
      .use(scopeOnly('contracts:read'))
      .meta(GET_META)
      .input(z.object({ id: contractIdSchema }))
      .output(contractAnswerSchema)
      .query(async ({ input, ctx }) => {
        const { accountId, environment } = requirePrincipal(ctx.caller)
        // The answer for a contract of another account or environment is the answer for an unknown contract. [D5]
        const isOwn = (found: ContractReading | undefined) =>
          found?.accountId === accountId && found.environment === environment
        const known = parseIfNoneMatch(ctx.requestHeader('if-none-match') ?? '')
        const isNews = (found: ContractReading | undefined) => !isOwn(found) || !isKnown(known, found!.etag)

        // Without a tag, or with `*`, the client names no version, so the wait could not detect a change.
        const seconds = known !== 'any' && known.size > 0 ? waitSecondsOf(ctx.requestHeader('prefer')) : undefined
        const waited =
          seconds === undefined ? undefined : await subscriptions.wait(input.id, { seconds, isNews, left: ctx.left() })
        const found = waited ? waited.reading : await read(input.id)
        if (!found || !isOwn(found)) throw contractNotFound()

        ctx.setHeader('ETag', found.etag)
        ctx.setHeader('Last-Modified', found.lastModified)
        ctx.setHeader('Cache-Control', 'private, no-cache')
        if (waited?.isHonoured) ctx.setHeader('Preference-Applied', `wait=${seconds}`)
        if (isKnown(known, found.etag)) ctx.answerNotModified()
        return found.body
      }),
  })
}

/** The answer both for an unknown contract and for a contract of another account or environment. [D5] */
export const contractNotFound = () =>
  new DomainError('not_found', 'There is no such contract. Check the id and the environment of the key.')

function creationRequestOf(ctx: RestContext): CreationRequest {
  return {
    principal: requirePrincipal(ctx.caller),
    requestId: ctx.requestId,
    isRetry: ctx.requestHeader(INTERNAL_HEADERS.retry) === '1',
    idempotencyKey: readIdempotencyKey(ctx.requestHeader('idempotency-key')),
    bodySha256: createHash('sha256').update(ctx.rawBody).digest(),
  }
}
