// How long a connection between our services may lie idle before the one who asks closes it. [H13]
// The one who answers would close it sooner or later, and at a stop: a request that is written in that moment gets no answer, and whether
// it was read nobody knows. So the one who asks is always first: well before LINGER_SECONDS are over, by default 5.

/** undici's timers are late by up to a second. */
export const IDLE_MS_MAX = 3_000

/** For every undici Pool to another service. Without a maximum undici believes what the other side says of itself, 75 s. */
export const IDLE_CONNECTIONS = { keepAliveTimeout: IDLE_MS_MAX, keepAliveMaxTimeout: IDLE_MS_MAX } as const
