// Between a service and what `register.ts` adds to its process: nothing while that is not loaded, which costs nothing. [D51, H13]
// A service says here what the instrumentations cannot know. Owns no part of OpenTelemetry: that would load it.
import type { Server } from 'node:http'

interface Tracing {
  noteRoute: (path: string) => void
  /** In Prometheus' text; undefined where metrics are not to be asked for. */
  readMetrics: (() => Promise<string>) | undefined
  shutDown: () => Promise<void>
}

const FLUSH_MS_MAX = 3_000

let tracing: Tracing | undefined
const inside = new WeakSet<Server>()

/** For register.ts: from now on what services say is heard. */
export function installTracing(installed: Tracing): void {
  tracing = installed
}

/** Says that there is something at the path of the request under way. Only its template is told (url-template.ts). */
export const noteRoute = (path: string): void => tracing?.noteRoute(path)

/**
 * Says that only our own services reach `server`: the trace context that a request brings is continued. Everybody else's starts a
 * trace of its own, or any client could choose what is sampled and in whose trace it is shown.
 */
export const continueTracesAt = (server: Server): void => void inside.add(server)

/** Whether requests to `server` bring a trace context that is ours. */
export const isInside = (server: unknown): boolean => inside.has(server as Server)

export const isTracing = (): boolean => tracing !== undefined

/** Prometheus' text of what is measured; undefined where that was not chosen. */
export const readMetrics = (): Promise<string> | undefined => tracing?.readMetrics?.()

/** Sends what is still here; at most 3 s, and never rejects: a collector that is away must not hold up a stop. */
export async function shutDownTracing(): Promise<void> {
  if (!tracing) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const tooLate = setTimeout(resolve, FLUSH_MS_MAX)
  await Promise.race([tracing.shutDown().catch(() => undefined), promise])
  clearTimeout(tooLate)
}
