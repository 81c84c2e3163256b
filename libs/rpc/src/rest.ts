// Serves a service's REST procedures from their OpenAPI meta. [Endpoints]
// Owns: the meta, the context of a REST procedure, and the mount: method + path + schema → createCaller.
// trpc-to-openapi generates the document (openapi-document.ts) but does not serve requests: its handler drops bodies whose media type
// has a parameter, coerces values, ignores the case of paths, and writes error bodies of its own.
import type { Middleware } from 'koa'
import type { AnyTRPCRouter } from '@trpc/server'
import type { OpenApiMeta } from 'trpc-to-openapi'
import type { ErrorCode } from '@paraph/protocol/errors'
import { requireCaller } from './caller-guard.js'
import { clientLeft } from '@paraph/http/client-left'
import { createRouteFinder } from '@paraph/http/route-table'
import { parseJsonObject, readBody, requireJsonMediaType } from '@paraph/http/json-body'
import { setRoute } from '@paraph/http/failed-request'
import { throwAsInputError, type MountDeps, type RpcContext } from './mount.js'

/** A header as OpenAPI describes it. */
export interface DocumentedHeader {
  description: string
  required?: boolean
  schema: Readonly<Record<string, unknown>>
  example?: unknown
}

/** Examples by name; a request and a response of the same name belong together. */
export type Examples = Readonly<Record<string, { summary: string; value: unknown }>>

/** Meta of a REST procedure: its route, its success status, the errors it may return itself, and its part of the document. */
export interface RestMeta extends OpenApiMeta {
  rest: {
    status: 200 | 201
    errors: readonly ErrorCode[]
    requestHeaders?: Readonly<Record<string, DocumentedHeader>>
    responseHeaders?: Readonly<Record<string, DocumentedHeader>>
    /** Description of the 304 answer, which has the same headers and no body. */
    notModified?: string
    examples?: { request?: Examples; response?: Examples }
    /** OpenAPI links from the answer to further requests. */
    links?: Readonly<Record<string, unknown>>
  }
}

/** The context of a REST procedure. */
export interface RestContext extends RpcContext {
  rawBody: Buffer
  /** @param name in lower case */
  requestHeader: (name: string) => string | undefined
  setHeader: (name: string, value: string) => void
  /** Turns the answer into a 304 with the headers already set; the procedure's result is not sent. [RFC 9110, 15.4.5] */
  answerNotModified: () => void
  /** Aborts when the client has disconnected. */
  left: () => AbortSignal
}

interface RestRoute {
  method: string
  template: string
  /** Name of the procedure. */
  procedure: string
  meta: RestMeta
}

/** The route of every procedure of `router` with OpenAPI meta. */
export function routesOf(router: AnyTRPCRouter): RestRoute[] {
  const procedures = router._def.procedures as Record<string, { _def: { meta?: RestMeta } }>
  return Object.entries(procedures).flatMap(([procedure, { _def }]) => {
    const { meta } = _def
    return meta?.openapi ? [{ method: meta.openapi.method, template: meta.openapi.path, procedure, meta }] : []
  })
}

/** Serves the routes of `router` to `callers` with a valid token. Reads a body only for POST. */
export function mountRest({ router, verify, callers }: MountDeps): Middleware {
  const findRoute = createRouteFinder(routesOf(router), '[^/]{1,200}')
  const createCaller = router.createCaller as (
    context: RestContext,
  ) => Record<string, (input: unknown) => Promise<unknown>>
  return async (ctx, next) => {
    const found = findRoute(ctx.method, ctx.path)
    if (!found) return next()
    const { route, parameters } = found
    setRoute(ctx, route.template)
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
      requestId: ctx.state.requestId,
      rawBody,
      requestHeader: (name) => ctx.headers[name]?.toString(),
      setHeader: (name, value) => ctx.set(name, value),
      answerNotModified: () => void (isModified = false),
      left: () => clientLeft(ctx.res),
    })
    const output = await procedures[route.procedure]?.({ ...body, ...parameters }).catch(throwAsInputError)
    ctx.status = isModified ? route.meta.rest.status : 304
    if (isModified) ctx.body = output
  }
}
