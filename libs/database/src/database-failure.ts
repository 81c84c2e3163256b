// Tells a database that cannot serve now from a statement that is wrong. Pure. [D32, D49: a dead own database is no try]

/** Connection failures, too many connections, shutdown, start-up, disk, a standby: SQLSTATE classes and codes. */
const AWAY = /^(08|53|58|57P|25006)/
/** Lost a race with another transaction; the same statement may well succeed now. */
const LOST_RACE = new Set(['40001', '40P01', '55P03'])
const SOCKET = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
])
/** What pg itself throws, without a code. */
const NO_TURN = 'timeout exceeded when trying to connect'
const PG_MESSAGES = [
  'Connection terminated',
  'Client has encountered a connection error',
  NO_TURN,
  'Query read timeout',
  'Client was closed',
]

/** True when the same statement may well succeed later, false when it was asked and refused. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall, severity } = error as { code?: unknown; syscall?: unknown; severity?: unknown }
  if (typeof code === 'string') {
    if (severity !== undefined) return AWAY.test(code) || LOST_RACE.has(code)
    return syscall !== undefined && SOCKET.has(code)
  }
  return PG_MESSAGES.some((start) => error.message.startsWith(start))
}

/** True for our own statement time-out: too slow to serve now, but the statement itself may be why. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === '57014'

/** True for who waited in vain for a connection of a pool that others hold: nothing was asked, and nothing is known of the database. */
export const isPoolFull = (error: unknown): boolean => error instanceof Error && error.message === NO_TURN
