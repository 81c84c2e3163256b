// How long a connection between two services may be idle before the client closes it. [H13]
// If the server closed it, at a stop or by its own time limit, a request sent at that moment would get no answer, and the client could not
// know whether the server read it. So the client closes first, well before LINGER_SECONDS (default: 5) have passed.

/** Undici's timers are up to a second late, so a connection may be idle for four seconds. */
export const IDLE_MS_MAX = 3_000

/** Options of every undici Pool to another service. Without a maximum undici follows the server's hint of 75 s. */
export const IDLE_CONNECTIONS = { keepAliveTimeout: IDLE_MS_MAX, keepAliveMaxTimeout: IDLE_MS_MAX } as const
