// One JSON line per fact, on standard output. Owns: the shape of a log line and what may never be in one.
import { pino, type Logger } from 'pino'
import { REDACTED_PATHS } from './redaction.js'

export type { Logger } from 'pino'

/** A logger for one process. `level` is a pino level name; time is ISO 8601 UTC, the level a word. */
export function createLogger(service: string, level: string): Logger {
  return pino({
    level,
    base: { service, pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: [...REDACTED_PATHS], censor: '[redacted]' },
    serializers: { err: describeError },
  })
}

/**
 * What of an error may be logged: its class, code and stack frames. Not `detail`, `query`, `parameters` or the reply of a
 * mail server: a unique violation's detail holds the e-mail address, an SMTP 5xx echoes it. [I14]
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = (error as { code?: unknown }).code
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  const personal = 'severity' in error || 'responseCode' in error
  return {
    type: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(personal ? {} : { message: error.message }),
    stack: frames.slice(0, 12).join('\n'),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}
