// Distinguishes an unavailable database from a failing statement. [D32, D49, P20, P21]
import { isPlanLost } from './prepared-statements.js'

/**
 * SQLSTATE classes and codes that any statement would get until an operator or the server has changed something: connection failures, too
 * many connections, shutdown, start-up, disk errors, standbys; a login or a database that a pooler refuses only at the first statement; a
 * table that no migration has created yet, and a missing right. [P21]
 */
const UNAVAILABLE = /^(08|53|58|57P|25006|28|3D000|42P01|42501)/
/** Conflicts with another transaction, our own statement timeout, and transactions that were idle or open for too long. */
const BUSY = new Set(['40001', '40P01', '55P03', '57014', '25P03', '25P04'])
const SOCKET = /^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|NOENT)$/
/** Messages of pg's own errors, which have no code. */
const POOL_TIMEOUT = 'timeout exceeded when trying to connect'
const PG_MESSAGES = [
  'Connection terminated',
  'Client has encountered a connection error',
  POOL_TIMEOUT,
  'Query read timeout',
  'Client was closed',
]

/** Errors that prevented a connection. A set, so that logs and callers get the error unchanged. */
const whileConnecting = new WeakSet<Error>()

/** Marks an error that prevented a connection: whatever its code, no statement was sent, and a later one can succeed. [P21] */
export function markUnavailable<T>(error: T): T {
  if (error instanceof Error) whileConnecting.add(error)
  return error
}

/** True if the same statement can succeed later; false if the database executed and rejected it. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (whileConnecting.has(error)) return true
  const { code, syscall, severity } = error as { code?: unknown; syscall?: unknown; severity?: unknown }
  if (typeof code === 'string') {
    if (severity !== undefined) return UNAVAILABLE.test(code)
    return syscall !== undefined && SOCKET.test(code)
  }
  return PG_MESSAGES.some((start) => error.message.startsWith(start))
}

/** True if the database answers and did not finish the work: the cause may be a lock, the load, a lost plan, or the statement itself. */
export const isDatabaseBusy = (error: unknown): boolean =>
  error instanceof Error && (BUSY.has(String((error as { code?: unknown }).code)) || isPlanLost(error))

/** True if acquiring a pool connection timed out; no query was sent, so the error says nothing about the database. */
export const isPoolFull = (error: unknown): boolean => error instanceof Error && error.message === POOL_TIMEOUT
