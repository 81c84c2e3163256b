// The public REST procedures: POST /contracts and GET /contracts/{id}. [Endpoints]
// Owns: from a parsed request to an answer. The document and the mount both come from the meta here.
import { createHash } from 'node:crypto'
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import {
  contractSchema,
  createContractSchema,
  createdContractSchema,
  faultsOfRemovedFields,
  IDEMPOTENCY_KEY_LENGTH_MAX,
} from '@paraph/protocol/contract'
import { INTERNAL_HEADERS, type Principal } from '@paraph/protocol/caller'
import { DomainError } from '@paraph/protocol/errors'
import { holdsUnstorable } from '@paraph/protocol/text-rules'
import type { RestContext, RestMeta } from '@paraph/service/rest'
import { waitSecondsOf } from '@paraph/service/prefer'
import type { ContractCreation, CreationRequest } from './contract-creation.js'
import type { ContractReader, ContractReading, ContractWaits } from './contract-waits.js'
import { isKnown, knownTagsOf } from './entity-tag.js'
import { readIdempotencyKey } from './idempotency-key.js'

const t = initTRPC.context<RestContext>().meta<RestMeta>().create()

/** The procedures behind `POST /contracts` and `GET /contracts/{id}`; refusals are DomainErrors of the one table. */
export function createRestRouter({
  creation,
  read,
  waits,
}: {
  creation: ContractCreation
  read: ContractReader
  waits: Pick<ContractWaits, 'hold'>
}) {
  const refuseRemovedFields = t.procedure.use(({ getRawInput, next }) =>
    getRawInput().then((input) => {
      const issues = faultsOfRemovedFields((input ?? {}) as Record<string, unknown>)
      if (issues.length === 0) return next()
      throw new DomainError('invalid_request', issues[0]?.message ?? '', { issues })
    }),
  )

  /** Fields that nobody reads count too; of those that are read the schema has said where it is. [D14] */
  const refuseUnstorable = t.middleware(({ getRawInput, next }) =>
    getRawInput().then((input) => {
      if (!holdsUnstorable(input)) return next()
      const message = 'The body must not hold NUL or half a surrogate pair, in fields that are ignored neither.'
      throw new DomainError('invalid_request', message, { issues: [{ path: '', message }] })
    }),
  )

  async function replayOf(request: CreationRequest) {
    const contract = await creation.replay(request)
    if (!contract) throw new DomainError('not_found', 'No contract was made with this Idempotency-Key.')
    return { contract, replayed: true }
  }

  return t.router({
    create: refuseRemovedFields
      .meta({
        openapi: {
          method: 'POST',
          path: '/contracts',
          summary: 'Create a multi-party contract',
          description:
            'Stores the contract and sends a signing e-mail to every party. Scope `contracts:write`, quota weight 1.',
          tags: ['Contracts'],
          successDescription: 'The contract was made; every party will get an e-mail.',
        },
        rest: {
          status: 201,
          requestHeaders: {
            'Idempotency-Key': {
              description:
                '1 to 255 printable ASCII characters without a comma, such as a UUID. The same key with the same body within 24 hours gives the same answer and makes no second contract.',
              maxLength: IDEMPOTENCY_KEY_LENGTH_MAX,
            },
          },
          responseHeaders: {
            Location: 'Path of the new contract.',
            'Idempotency-Replayed':
              '`true` when this is the stored answer of an earlier request; such a call is not billed.',
          },
          errors: [
            ...([
              'invalid_request',
              'invalid_key',
              'missing_scope',
              'account_suspended',
              'subscription_inactive',
              'method_not_allowed',
            ] as const),
            ...([
              'request_timeout',
              'idempotency_in_progress',
              'body_too_large',
              'unsupported_media_type',
              'idempotency_key_reused',
            ] as const),
            ...(['rate_limited', 'quota_exceeded', 'internal_error', 'unavailable'] as const),
          ],
        },
      })
      .input(createContractSchema)
      .use(refuseUnstorable)
      .output(z.object({ success: z.literal(true), contract: createdContractSchema }))
      .mutation(async ({ input, ctx }) => {
        const request = creationRequestOf(ctx)
        const replayOnly = ctx.requestHeader(INTERNAL_HEADERS.replayOnly) === '1'
        const made = replayOnly ? await replayOf(request) : await creation.create(input, request)
        ctx.setHeader('Location', `/api/external/v2/contracts/${made.contract.id}`)
        if (made.replayed) ctx.setHeader('Idempotency-Replayed', 'true')
        return { success: true as const, contract: made.contract }
      }),

    get: t.procedure
      .meta({
        openapi: {
          method: 'GET',
          path: '/contracts/{id}',
          summary: 'Contract details and signing progress',
          description:
            'Scope `contracts:read`, quota weight 1. Send the `ETag` of the last answer as `If-None-Match` and get 304 while nothing has changed; add `Prefer: wait=30` and the answer waits for a change.',
          tags: ['Contracts'],
          successDescription: 'The contract as it stands.',
        },
        rest: {
          status: 200,
          notModified: 'Nothing has changed since the answer with this `ETag`. No body; billed like a 200.',
          requestHeaders: {
            'If-None-Match': {
              description: 'The `ETag` of an earlier answer, or several: 304 while it is still the right one.',
              maxLength: 8_192,
            },
            Prefer: {
              description:
                '`wait=N` with `If-None-Match` (RFC 7240): hold the answer until the contract changes, N seconds at most; more than 30 counts as 30.',
              maxLength: 8_192,
            },
          },
          responseHeaders: {
            ETag: 'Changes whenever the body does, expiry included.',
            'Last-Modified': 'When the contract last changed.',
            'Cache-Control': '`private, no-cache`: keep it, but ask each time.',
            'Preference-Applied':
              '`wait=N`: the wait was honoured. Without it the answer came at once: wait a moment before the next.',
          },
          errors: [
            ...([
              'invalid_key',
              'missing_scope',
              'account_suspended',
              'subscription_inactive',
              'not_found',
              'method_not_allowed',
            ] as const),
            ...(['rate_limited', 'quota_exceeded', 'internal_error', 'unavailable'] as const),
          ],
        },
      })
      .input(
        z.object({
          id: z.string().meta({ description: 'The contract id.', example: 'contract-1795183380000-k3v9x2m1q' }),
        }),
      )
      .output(z.object({ success: z.literal(true), contract: contractSchema }))
      .query(async ({ input, ctx }) => {
        const { accountId, environment } = principalOf(ctx)
        // Another account's and the other environment's read like one that never was.
        const isTheirs = (found: ContractReading | undefined) =>
          found?.accountId === accountId && found.environment === environment
        const known = knownTagsOf(ctx.requestHeader('if-none-match'))
        const isNews = (found: ContractReading | undefined) => !isTheirs(found) || !isKnown(known, found!.etag)

        // `*` and no tag at all name nothing that could change.
        const seconds = known !== 'any' && known.size > 0 ? waitSecondsOf(ctx.requestHeader('prefer')) : undefined
        const held =
          seconds === undefined ? undefined : await waits.hold(input.id, { seconds, isNews, left: ctx.left() })
        const found = held ? held.reading : await read(input.id)
        if (!found || !isTheirs(found)) throw contractNotFound()

        ctx.setHeader('ETag', found.etag)
        ctx.setHeader('Last-Modified', found.lastModified)
        ctx.setHeader('Cache-Control', 'private, no-cache')
        if (held?.isHonoured) ctx.setHeader('Preference-Applied', `wait=${seconds}`)
        if (isKnown(known, found.etag)) ctx.answerNotModified()
        return found.body
      }),
  })
}

/** The one answer for unknown, another account's and the other environment's. [D5] */
export const contractNotFound = () =>
  new DomainError('not_found', 'There is no such contract. Check the id and the environment of the key.')

function principalOf(ctx: RestContext): Principal {
  if (!ctx.caller.principal) throw new DomainError('invalid_key', 'This call needs an account.')
  return ctx.caller.principal
}

function creationRequestOf(ctx: RestContext): CreationRequest {
  return {
    principal: principalOf(ctx),
    requestId: ctx.requestId,
    isRetry: ctx.requestHeader(INTERNAL_HEADERS.retry) === '1',
    idempotencyKey: readIdempotencyKey(
      ctx.hasRequestHeader('idempotency-key') ? ctx.requestHeader('idempotency-key') : undefined,
    ),
    bodySha256: createHash('sha256').update(ctx.rawBody).digest(),
  }
}
