// The public REST surface of a service, from its procedures' OpenAPI meta. [Endpoints]
// Owns: what the meta says, what a REST procedure knows of its request, and the mount: method + path + schema → createCaller.
// trpc-to-openapi makes the document (openapi-document.ts) but not the answers: its handler drops bodies whose media type
// has a parameter, coerces values, matches paths without regard to case, and writes error bodies that are not ours.
import type { Middleware } from 'koa'
import type { AnyTRPCRouter } from '@trpc/server'
import type { OpenApiMeta } from 'trpc-to-openapi'
import type { Caller } from '@paraph/protocol/caller'
import type { ErrorCode } from '@paraph/protocol/errors'
import { requireCaller } from './caller-guard.js'
import type { TokenVerifier } from './caller-token.js'
import { clientLeft } from './client-left.js'
import { parseJsonObject, readBody, requireJsonMediaType } from './json-body.js'
import { noteRoute } from '@paraph/telemetry/tracing-seam'
import { asInputError, type RpcContext } from './rpc-mount.js'

/** A header as OpenAPI describes it. */
export interface DocumentedHeader {
  description: string
  required?: boolean
  schema: Readonly<Record<string, unknown>>
  example?: unknown
}

/** Examples by name; a request's and a response's of one name belong together. */
export type Examples = Readonly<Record<string, { summary: string; value: unknown }>>

/** Meta of a REST procedure: where it is, its success status, the errors it may answer itself, and what the document shows. */
export interface RestMeta extends OpenApiMeta {
  rest: {
    status: 200 | 201
    errors: readonly ErrorCode[]
    requestHeaders?: Readonly<Record<string, DocumentedHeader>>
    responseHeaders?: Readonly<Record<string, DocumentedHeader>>
    /** When the answer is 304 instead, with the same headers and no body. */
    notModified?: string
    examples?: { request?: Examples; response?: Examples }
    /** What can be asked next with what was answered. */
    links?: Readonly<Record<string, unknown>>
  }
}

/** What a REST procedure knows of its call beyond its input. */
export interface RestContext extends RpcContext {
  rawBody: Buffer
  /** Empty where it was not sent. */
  requestHeader: (name: string) => string
  hasRequestHeader: (name: string) => boolean
  setHeader: (name: string, value: string) => void
  /** Makes the answer a 304 with the headers that are set; what the procedure returns is not sent. [RFC 9110, 15.4.5] */
  answerNotModified: () => void
  /** Aborts when nobody is there any more to read the answer. */
  left: () => AbortSignal
}

interface Route {
  path: string
  method: string
  pattern: RegExp
  meta: RestMeta
}

/** Every procedure of `router` that has OpenAPI meta. */
export function routesOf(router: AnyTRPCRouter): Route[] {
  const procedures = router._def.procedures as Record<string, { _def: { meta?: RestMeta } }>
  return Object.entries(procedures).flatMap(([path, procedure]) => {
    const meta = procedure._def.meta
    if (!meta?.openapi) return []
    const pattern = new RegExp(`^${meta.openapi.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]{1,200})')}$`)
    return [{ path, method: meta.openapi.method, pattern, meta }]
  })
}

/** Serves the routes of `router` to callers with a token. A body is read only where the method has one. */
export function mountRest<Router extends AnyTRPCRouter>({
  router,
  verify,
  callers,
}: {
  router: Router
  verify: TokenVerifier
  callers: readonly Caller[]
}): Middleware {
  const routes = routesOf(router)
  const createCaller = router.createCaller as (
    context: RestContext,
  ) => Record<string, (input: unknown) => Promise<unknown>>
  return async (ctx, next) => {
    const route = routes.find(({ method, pattern }) => method === ctx.method && pattern.test(ctx.path))
    if (!route) return next()
    noteRoute(ctx.path)
    const caller = await requireCaller(verify, ctx.get('authorization'), callers)
    let rawBody: Buffer = Buffer.alloc(0)
    let body: Record<string, unknown> = {}
    if (ctx.method === 'POST') {
      requireJsonMediaType(ctx.req)
      rawBody = await readBody(ctx.req)
      body = parseJsonObject(rawBody)
    }
    let isModified = true
    const procedures = createCaller({
      caller,
      requestId: ctx.state['requestId'] as string,
      rawBody,
      requestHeader: (name) => ctx.get(name),
      hasRequestHeader: (name) => name.toLowerCase() in ctx.headers,
      setHeader: (name, value) => ctx.set(name, value),
      answerNotModified: () => void (isModified = false),
      left: () => clientLeft(ctx.res),
    })
    const input = { ...body, ...route.pattern.exec(ctx.path)?.groups }
    const output = await procedures[route.path]?.(input).catch((error: unknown) => {
      throw asInputError(error)
    })
    ctx.status = isModified ? route.meta.rest.status : 304
    if (isModified) ctx.body = output
  }
}
