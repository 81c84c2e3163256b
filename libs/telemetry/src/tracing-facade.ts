// The facade of a service to the telemetry that `register.ts` adds to its process; a no-op while register.ts is not loaded. [D51, H13]
// A service reports here what the instrumentations cannot know. Imports nothing of OpenTelemetry, which would load it.
import type { Server } from 'node:http'

interface Tracing {
  recordRoute: (template: string) => void
  recordRequestId: (requestId: string) => void
  withUrlTemplate: <T>(template: string | undefined, send: () => T) => T
  /** Reads the metrics as Prometheus' text; undefined unless the exporter `prometheus` is chosen. */
  readMetrics: (() => Promise<string>) | undefined
  shutDown: () => Promise<void>
}

const FLUSH_MS_MAX = 3_000

let tracing: Tracing | undefined
const internalServers = new WeakSet<Server>()

/** Connects the facade to register.ts. */
export function installTracing(installed: Tracing): void {
  tracing = installed
}

/**
 * Names the route of the current request, such as `/contract/{shareToken}`. Without it telemetry has only the method.
 * @param template from a route table, never a path, which may hold a secret or any typed text [I14]
 */
export const recordRoute = (template: string): void => tracing?.recordRoute(template)

/** Gives the span of the current request the id that the answer has. [D54] */
export const recordRequestId = (requestId: string): void => tracing?.recordRequestId(requestId)

/** Runs `send`; telemetry names its requests to another service by `template`, which is never a path, as in `recordRoute`. [I14] */
export const withUrlTemplate = <T>(template: string | undefined, send: () => T): T =>
  tracing ? tracing.withUrlTemplate(template, send) : send()

/**
 * Marks `server` as reachable by our own services only, so that requests to it continue the caller's trace. Requests to other servers
 * start a new trace: otherwise a client could choose what is sampled and in whose trace it appears.
 */
export const continueTracesAt = (server: Server): void => void internalServers.add(server)

/** Whether requests to `server` carry a trace context of our own. */
export const isInternalServer = (server: unknown): boolean => internalServers.has(server as Server)

export const isTracing = (): boolean => tracing !== undefined

/** The metrics as Prometheus' text; undefined unless the exporter `prometheus` is chosen. */
export const readMetrics = (): Promise<string> | undefined => tracing?.readMetrics?.()

/** Flushes telemetry within 3 s and never rejects: an unavailable collector must not delay a stop. */
export async function shutDownTracing(): Promise<void> {
  if (!tracing) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timeout = setTimeout(resolve, FLUSH_MS_MAX)
  await Promise.race([tracing.shutDown().catch(() => undefined), promise])
  clearTimeout(timeout)
}
