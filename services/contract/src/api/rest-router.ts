// The public REST procedures: POST /contracts and GET /contracts/{id}. [Endpoints]
// Maps a parsed request to an answer. The OpenAPI document and the mount both read the meta of these procedures.
import { createHash } from 'node:crypto'
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import {
  contractAnswerSchema,
  contractIdSchema,
  createContractSchema,
  createdAnswerSchema,
  removedFieldErrors,
  IDEMPOTENCY_KEY_LENGTH_MAX,
} from '@paraph/protocol/contract'
import { INTERNAL_HEADERS } from '@paraph/protocol/internal-headers'
import { DomainError, type Issue } from '@paraph/protocol/errors'
import { containsUnstorable } from '@paraph/protocol/text-rules'
import { requirePrincipal } from '@paraph/rpc/caller-guard'
import type { RestContext, RestMeta } from '@paraph/rpc/rest'
import { waitSecondsOf } from '@paraph/http/prefer'
import type { ContractCreation, CreationRequest } from '../store/create-contract.js'
import type { ContractReader, ContractReading, ContractSubscriptions } from './subscriptions.js'
import { isKnown, parseIfNoneMatch } from './entity-tag.js'
import { CREATE_EXAMPLES, GET_EXAMPLES } from './examples.js'
import { POLLING_REQUEST_HEADERS, POLLING_RESPONSE_HEADERS } from './polling-headers.js'
import { readIdempotencyKey } from '../store/idempotency.js'

const t = initTRPC.context<RestContext>().meta<RestMeta>().create()

const UNSTORABLE = {
  path: '',
  message: 'The body must not hold NUL or half a surrogate pair, in fields that are ignored neither.',
}

interface RestRouterDeps {
  creation: ContractCreation
  read: ContractReader
  subscriptions: Pick<ContractSubscriptions, 'wait'>
}

/** The procedures behind `POST /contracts` and `GET /contracts/{id}`. They throw DomainErrors. */
export function createRestRouter({ creation, read, subscriptions }: RestRouterDeps) {
  const refuse = (issuesOf: (input: unknown) => Issue[]) =>
    t.middleware(async ({ getRawInput, next }) => {
      const issues = issuesOf(await getRawInput())
      if (issues.length === 0) return next()
      throw new DomainError('invalid_request', issues[0]?.message ?? '', { issues })
    })
  const refuseRemovedFields = refuse((input) => removedFieldErrors((input ?? {}) as Record<string, unknown>))
  /** Also checks ignored fields. For known fields the schema has already reported the path. [D14] */
  const refuseUnstorable = refuse((input) => (containsUnstorable(input) ? [UNSTORABLE] : []))

  async function replayOf(request: CreationRequest) {
    const contract = await creation.replay(request)
    if (!contract) throw new DomainError('not_found', 'No contract was made with this Idempotency-Key.')
    return { contract, replayed: true }
  }

  return t.router({
    create: t.procedure
      .use(refuseRemovedFields)
      .meta({
        openapi: {
          method: 'POST',
          path: '/contracts',
          operationId: 'createContract',
          summary: 'Create a multi-party contract',
          description:
            'Stores the contract and sends a signing e-mail to every party. With an `Idempotency-Key` it is safe to repeat.',
          tags: ['Contracts'],
          successDescription: 'The contract was made; every party will get an e-mail.',
        },
        rest: {
          status: 201,
          requestHeaders: {
            'Idempotency-Key': {
              description:
                '1 to 255 printable ASCII characters without a comma, such as a UUID. Within 24 hours the same key with the same body, byte for byte, gives the same contract and makes no second one.',
              required: false,
              schema: {
                type: 'string',
                minLength: 1,
                maxLength: IDEMPOTENCY_KEY_LENGTH_MAX,
                // A header's value neither starts nor ends with a space.
                pattern: '^[!-+.-~-]([ -+.-~-]*[!-+.-~-])?$',
              },
            },
          },
          responseHeaders: {
            Location: {
              description: 'Path of the new contract.',
              required: true,
              schema: { type: 'string', format: 'uri-reference' },
              example: '/api/external/v2/contracts/contract-1795183380000-k3v9x2m1q',
            },
            'Idempotency-Replayed': {
              description: 'On the answer to a repeated request; such a call is not billed.',
              required: false,
              schema: { type: 'string', enum: ['true'] },
              example: 'true',
            },
          },
          errors: [
            'invalid_request',
            'idempotency_in_progress',
            'body_too_large',
            'unsupported_media_type',
            'idempotency_key_reused',
            'internal_error',
            'unavailable',
          ],
          examples: CREATE_EXAMPLES,
          links: {
            getContract: {
              operationId: 'getContract',
              parameters: { id: '$response.body#/contract/id' },
              description: 'Follow the signing of the contract that was made.',
            },
          },
        },
      })
      .input(createContractSchema)
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
      .meta({
        openapi: {
          method: 'GET',
          path: '/contracts/{id}',
          operationId: 'getContract',
          summary: 'Contract details and signing progress',
          description:
            'Poll it until `status` is final. Send the `ETag` of the last answer as `If-None-Match` and get 304 while nothing has changed; add `Prefer: wait=30` and the answer waits for a change.',
          tags: ['Contracts'],
          successDescription: 'The contract as it stands.',
        },
        rest: {
          status: 200,
          notModified: 'Nothing has changed since the answer with this `ETag`. No body; billed like a 200.',
          requestHeaders: POLLING_REQUEST_HEADERS,
          responseHeaders: POLLING_RESPONSE_HEADERS,
          errors: ['not_found', 'internal_error', 'unavailable'],
          examples: GET_EXAMPLES,
        },
      })
      .input(z.object({ id: contractIdSchema }))
      .output(contractAnswerSchema)
      .query(async ({ input, ctx }) => {
        const { accountId, environment } = requirePrincipal(ctx.caller)
        // Contracts of another account or environment look like unknown ones. [D5]
        const isOwn = (found: ContractReading | undefined) =>
          found?.accountId === accountId && found.environment === environment
        const known = parseIfNoneMatch(ctx.requestHeader('if-none-match') ?? '')
        const isNews = (found: ContractReading | undefined) => !isOwn(found) || !isKnown(known, found!.etag)

        // `*` and a missing tag name no version to wait for a change of.
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

/** The same answer for an unknown contract and for one of another account or environment. [D5] */
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
