// Runs a service as a process: two HTTP servers, health checks, signals, an ordered stop. [D45, H6-H8, H13]
// Owns: the life of the process. Does not own: what the service does (its service.ts).
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import Koa, { type Context, type Middleware } from 'koa'
import { withTimeout } from '@paraph/protocol/deadline'
import { DomainError } from '@paraph/protocol/errors'
import { VERSION } from '@paraph/protocol/version'
import type { Logger } from '@paraph/telemetry/logger'
import { continueTracesAt, isTracing, readMetrics, shutDownTracing } from '@paraph/telemetry/tracing-facade'
import { watchFailPoints } from '@paraph/testing/fail-point'
import { renderErrors } from './render-errors.js'

/** Time limit for background work and pools to end. After it, the process exits and ends whatever still hangs. */
const STOP_MS_MAX = 10_000

/** The parts of a service that `runService` runs. */
export interface Service {
  /** The newest migration that the service needs, for the log. */
  schema?: string | undefined
  /** The public port: REST, tRPC, pages. */
  publicMiddleware: Middleware[]
  /** The public page about the error codes, if the public port is open to the world: request ids from clients are ignored. [D17] */
  errorsUrl?: string
  /** The internal port, apart from health: operator procedures, the OpenAPI document. */
  internalMiddleware: Middleware[]
  /** Configures the public server before it listens, such as its `clientError`. */
  configureServer?: (server: Server) => void
  /** False when only a restart helps, such as after a loop has stopped. Never queries a database. [H7, H11] */
  isLive?: () => boolean
  /** True when the service can answer. Uses local state only. [H8] */
  isReady?: () => boolean
  /** Called when the signal arrives, before any wait: answers pending long polls, and accepts no further ones. [D22, H13] */
  beginStop?: () => void
  /** Starts background work. Called before the servers listen. Must not wait for an unavailable database. */
  start: () => Promise<void> | void
  /** Ends background work, then pools. Called after the last request. */
  stop: () => Promise<void>
}

interface RunConfig {
  HOST: string
  PORT: number
  INTERNAL_PORT: number
  LINGER_SECONDS: number
  DRAIN_SECONDS: number
  EVENT_BUS?: string
  FAIL_POINT_DIR?: string | undefined
}

/**
 * Runs `service` until SIGTERM or SIGINT, then: is not ready → serves requests with `Connection: close` for LINGER_SECONDS → accepts no
 * more requests → finishes open requests (at most DRAIN_SECONDS) → `stop()` → sends the last spans → exits with 0. A second signal changes
 * nothing. An uncaught error ends the process with 1, because its state is unknown. docs/how-to/operators/upgrade.md explains the order and the times.
 */
export async function runService(config: RunConfig, logger: Logger, service: Service): Promise<void> {
  watchFailPoints(config.FAIL_POINT_DIR)
  if (config.FAIL_POINT_DIR !== undefined)
    logger.warn('fail points are active: a test may end this process at any time')
  let listening = false
  let stopping = false
  const running = new Map<ServerResponse, Promise<void>>()
  const answer = appOf(logger, service.publicMiddleware, service.errorsUrl).callback()
  const publicServer = createServer({ maxHeaderSize: 16_384 }, (request, response) => {
    if (stopping) announceClose(response)
    running.set(
      response,
      answer(request, response).finally(() => running.delete(response)),
    )
  })
  const internalMiddleware = [health(service, () => listening && !stopping), ...service.internalMiddleware]
  const answerInside = appOf(logger, internalMiddleware).callback()
  const internalServer = createServer((request, response) => {
    if (stopping) announceClose(response)
    void answerInside(request, response)
  })
  // Longer than a load balancer's idle time, so that a load balancer never sends a request on a closing connection.
  publicServer.keepAliveTimeout = 75_000
  publicServer.headersTimeout = 80_000
  service.configureServer?.(publicServer)
  if (service.errorsUrl === undefined) continueTracesAt(publicServer)

  const stop = async (signal: string): Promise<void> => {
    if (stopping) return
    stopping = true
    logger.info({ signal }, 'stopping')
    for (const response of running.keys()) announceClose(response)
    service.beginStop?.()
    await new Promise((resolve) => setTimeout(resolve, config.LINGER_SECONDS * 1_000))
    const drained = close(publicServer)
    const drainTimer = setTimeout(() => publicServer.closeAllConnections(), config.DRAIN_SECONDS * 1_000)
    await drained
    clearTimeout(drainTimer)
    // Handlers of closed connections still run; they finish their work before the pools end. [D40]
    await withTimeout(STOP_MS_MAX, Promise.all(running.values()), tooLate).catch((error: unknown) => {
      // The usage of these requests may be lost; the stop records the usage of all others.
      logger.error({ err: error, requests: running.size }, 'requests are still running; stopping anyway')
    })
    await withTimeout(STOP_MS_MAX, service.stop(), tooLate)
    internalServer.closeAllConnections()
    await close(internalServer)
    logger.info('stopped')
    await shutDownTracing()
    process.exit(0)
  }
  const die = (error: unknown, what: string): void => {
    logger.fatal({ err: error }, what)
    if (!isTracing()) process.exit(1)
    // The last spans may show the cause. While they are sent, the process closes all connections, because its state is unknown.
    for (const server of [publicServer, internalServer]) server.closeAllConnections()
    publicServer.on('connection', (socket) => socket.destroy())
    void shutDownTracing().finally(() => process.exit(1))
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => void stop(signal).catch((error: unknown) => die(error, 'stop failed')))
  }
  process.on('uncaughtException', (error) => die(error, 'uncaught error; the process ends'))
  process.on('unhandledRejection', (error) => die(error, 'unhandled rejection; the process ends'))

  try {
    await service.start()
    await listen(internalServer, config.INTERNAL_PORT, config.HOST)
    await listen(publicServer, config.PORT, config.HOST)
    listening = true
  } catch (error) {
    die(error, 'could not start the service')
  }
  const { PORT: port, INTERNAL_PORT: internalPort, EVENT_BUS: bus } = config
  const { schema } = service
  logger.info({ version: VERSION, node: process.version, bus, schema, port, internalPort }, 'ready')
}

/** Keeps the client from sending its next request on a connection that is about to close. */
function announceClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}

function appOf(logger: Logger, middleware: Middleware[], errorsUrl?: string): Koa {
  const app = new Koa()
  app.silent = true
  app.use(renderErrors(logger, errorsUrl))
  for (const each of middleware) app.use(each)
  app.use(() => {
    throw new DomainError('not_found', 'There is nothing at this address. Check the path.')
  })
  return app
}

function health(service: Service, isServing: () => boolean): Middleware {
  const answer = (ctx: Context, ok: boolean): void => {
    ctx.status = ok ? 200 : 503
    ctx.body = { ok }
  }
  return async (ctx, next) => {
    if (ctx.path === '/livez') return answer(ctx, service.isLive?.() ?? true)
    if (ctx.path === '/readyz') return answer(ctx, isServing() && (service.isReady?.() ?? true))
    // Undefined unless the exporter for Prometheus is configured.
    const text = ctx.path === '/metrics' ? await readMetrics() : undefined
    if (text === undefined) return next()
    ctx.type = 'text/plain; version=0.0.4; charset=utf-8'
    ctx.body = text
  }
}

const tooLate = () => new Error(`it took longer than ${STOP_MS_MAX} ms`)

/** @throws the error of the server, such as a port in use */
const listen = (server: Server, port: number, host: string) => once(server.listen(port, host), 'listening')

/** Accepts no new connections and closes each existing one as soon as it is idle. */
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
