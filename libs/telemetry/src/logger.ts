// Writes log lines as JSON to standard output. Owns the shape of a line and what must never be in one.
import { pino, type DestinationStream, type Logger } from 'pino'
import { openLogOutput } from './log-output.js'

export type { Logger } from 'pino'

/** Properties that are redacted in a line and one level below. A second line of defence: no code logs them on purpose. [I14] */
const SECRET_FIELDS = ['email', 'legalName', 'content', 'shareToken', 'shareUrl', 'secret', 'typedName']
const SECRET_HEADERS = ['headers["x-api-key"]', 'headers.authorization', 'headers.cookie']
const SECRET_PATHS = [...SECRET_FIELDS, ...SECRET_HEADERS].flatMap((path) => [path, `*.${path}`])

/** One for all loggers of a process, so that their lines never mix. */
let output: DestinationStream | undefined

/** The logger of a process. Lines have the time as ISO 8601 in UTC and the level by name. @param level name of a pino level */
export function createLogger(service: string, level: string): Logger {
  output ??= openLogOutput((dropped) => logger.warn({ dropped }, 'dropped log lines, because nobody read the log'))
  const logger = pino(
    {
      level,
      base: { service, pid: process.pid },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_PATHS, censor: '[redacted]' },
      serializers: { err: describeError },
    },
    output,
  )
  return logger
}

/**
 * The loggable parts of an error: class, code and stack frames, and the message unless Postgres or an SMTP server wrote it. Never
 * `detail`, `query` or `parameters`: the detail of a unique violation holds an email address, and an SMTP 5xx echoes one. [I14]
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = (error as { code?: unknown }).code
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  const mayQuoteData = 'severity' in error || 'responseCode' in error
  return {
    type: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(mayQuoteData ? {} : { message: error.message }),
    stack: frames.slice(0, 12).join('\n'),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}
