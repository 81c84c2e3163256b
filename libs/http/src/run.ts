// Runs a service as a process: two HTTP servers, health, signals, an ordered stop. [D45, H6-H8, H13]
// Owns: the life of the process. Does not own: what the service does (its service.ts).
import { createServer, type Server, type ServerResponse } from 'node:http'
import Koa, { type Context, type Middleware } from 'koa'
import { DomainError } from '@paraph/protocol/errors'
import type { Logger } from '@paraph/telemetry/logger'
import { continueTracesAt, isTracing, readMetrics, shutDownTracing } from '@paraph/telemetry/tracing-seam'
import { watchFailPoints } from './fail-point.js'
import { renderErrors } from './render-errors.js'

/** Longest that background work and pools get to end; something that hangs then is left to the end of the process. */
const STOP_MS_MAX = 10_000

/** What a service.ts gives to be run. */
export interface Service {
  /** The public port: REST, tRPC, pages. */
  publicMiddleware: Middleware[]
  /** True where the public port is open to the world: what a client sends as the name of its request is not believed. [D17] */
  facesClients?: boolean
  /** The internal port beyond health: operator procedures, the OpenAPI document. */
  internalMiddleware: Middleware[]
  /** Last word on the public server before it listens, such as `clientError`. */
  configureServer?: (server: Server) => void
  /** False once the process can only be helped by a restart: a loop that has stopped. Never asks a database. [H7, H11] */
  isLive?: () => boolean
  /** Local state only. [H8] */
  isReady?: () => boolean
  /** At the signal, before anything is waited for: answers that are held back are given now, and none is held back again. [D22, H13] */
  beginStop?: () => void
  /** Background work. Called before the servers listen; must not wait for a database that is away. */
  start: () => Promise<void> | void
  /** Ends background work, then pools. Called when no request is under way any more. */
  stop: () => Promise<void>
}

export interface RunConfig {
  HOST: string
  PORT: number
  INTERNAL_PORT: number
  LINGER_SECONDS: number
  DRAIN_SECONDS: number
  FAIL_POINT_DIR?: string | undefined
}

/**
 * Starts `service` and keeps it until SIGTERM or SIGINT, then: not ready → for LINGER_SECONDS whoever comes is served and told that it was
 * the last time (`Connection: close`) → no new requests → those under way finish (at most DRAIN_SECONDS) → `stop()` → the last spans are
 * sent → exit 0. A second signal changes nothing. An error that nobody caught ends the process with 1: what state it would go on in is
 * unknown. Why in this order, and how long each step takes: docs/rolling.md.
 */
export async function runService(config: RunConfig, logger: Logger, service: Service): Promise<void> {
  watchFailPoints(config.FAIL_POINT_DIR)
  if (config.FAIL_POINT_DIR !== undefined)
    logger.warn('fail points are watched: a test may end this process at any time')
  let listening = false
  let stopping = false
  const underWay = new Map<ServerResponse, Promise<void>>()
  const answer = appOf(logger, service.publicMiddleware, service.facesClients).callback()
  const publicServer = createServer({ maxHeaderSize: 16_384 }, (request, response) => {
    if (stopping) sayLast(response)
    underWay.set(
      response,
      answer(request, response).finally(() => underWay.delete(response)),
    )
  })
  const internalApp = appOf(logger, [health(service, () => listening && !stopping), ...service.internalMiddleware])
  const answerInside = internalApp.callback()
  const internalServer = createServer((request, response) => {
    if (stopping) sayLast(response)
    void answerInside(request, response)
  })
  // Longer than a load balancer's idle time, or it would send a request into a closing connection.
  publicServer.keepAliveTimeout = 75_000
  publicServer.headersTimeout = 80_000
  service.configureServer?.(publicServer)
  if (!service.facesClients) continueTracesAt(publicServer)

  const stop = async (signal: string): Promise<void> => {
    if (stopping) return
    stopping = true
    logger.info({ signal }, 'stopping')
    for (const response of underWay.keys()) sayLast(response)
    service.beginStop?.()
    await new Promise((resolve) => setTimeout(resolve, config.LINGER_SECONDS * 1_000))
    const drained = close(publicServer)
    const tooLate = setTimeout(() => publicServer.closeAllConnections(), config.DRAIN_SECONDS * 1_000)
    await drained
    clearTimeout(tooLate)
    // Connections that were cut leave their handlers running; what those began is finished before the pools end. [D40]
    await within(STOP_MS_MAX, Promise.all(underWay.values())).catch((error: unknown) => {
      // Its count may be missing; those of all others must not be.
      logger.error(
        { err: error, requests: underWay.size },
        'requests are still under way; the stop goes on without them',
      )
    })
    await within(STOP_MS_MAX, service.stop())
    internalServer.closeAllConnections()
    await close(internalServer)
    logger.info('stopped')
    await shutDownTracing()
    process.exit(0)
  }
  const die = (error: unknown, what: string): void => {
    logger.fatal({ err: error }, what)
    if (!isTracing()) process.exit(1)
    // The last spans may say why. Meanwhile nobody gets an answer from a process whose state is unknown.
    for (const server of [publicServer, internalServer]) server.closeAllConnections()
    publicServer.on('connection', (socket) => socket.destroy())
    void shutDownTracing().finally(() => process.exit(1))
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => void stop(signal).catch((error: unknown) => die(error, 'the stop failed')))
  }
  process.on('uncaughtException', (error) => die(error, 'an error that nobody caught'))
  process.on('unhandledRejection', (error) => die(error, 'a promise that nobody awaited failed'))

  try {
    await service.start()
    await listen(internalServer, config.INTERNAL_PORT, config.HOST)
    await listen(publicServer, config.PORT, config.HOST)
    listening = true
  } catch (error) {
    die(error, 'the service could not start')
  }
  logger.info({ port: config.PORT, internalPort: config.INTERNAL_PORT }, 'ready')
}

/** A client that keeps its connection would send its next request into one that is about to close. */
function sayLast(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}

function appOf(logger: Logger, middleware: Middleware[], facesClients = false): Koa {
  const app = new Koa()
  app.silent = true
  app.use(renderErrors(logger, { facesClients }))
  for (const each of middleware) app.use(each)
  app.use(() => {
    throw new DomainError('not_found', 'There is nothing at this address. Check the path.')
  })
  return app
}

function health(service: Service, isServing: () => boolean): Middleware {
  return async (ctx, next) => {
    if (ctx.path === '/livez') answer(service.isLive?.() ?? true)
    else if (ctx.path === '/readyz') answer(isServing() && (service.isReady?.() ?? true))
    else if (ctx.path !== '/metrics' || !(await tellMetrics(ctx))) await next()

    function answer(good: boolean): void {
      ctx.status = good ? 200 : 503
      ctx.body = { ok: good }
    }
  }
}

/** Prometheus' text, where that was chosen. */
async function tellMetrics(ctx: Context): Promise<boolean> {
  const text = await readMetrics()
  if (text === undefined) return false
  ctx.type = 'text/plain; version=0.0.4; charset=utf-8'
  ctx.body = text
  return true
}

/** @throws Error when `work` takes longer than `ms` */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${ms} ms`)), ms)
  })
  await Promise.race([work, tooLate]).finally(() => clearTimeout(timer))
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** No new connections; those that fall idle are closed as soon as they do. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), 20)
    server.close(() => {
      clearInterval(sweep)
      resolve()
    })
    server.closeIdleConnections()
  })
}
