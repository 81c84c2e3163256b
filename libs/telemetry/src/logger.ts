// Writes log lines as JSON to standard output. Owns the shape of a line, what must never be in one, and which lines are of one kind.
import { pino, type DestinationStream, type Logger, type LogFn } from 'pino'
import { createLogLimit } from './log-limit.js'
import { openLogOutput } from './log-output.js'
import { conditionOf } from './sqlstate.js'

export type { Logger } from 'pino'

/** Properties that are redacted in a line and one level below. A second line of defence: no code logs them on purpose. [I14] */
const SECRET_FIELDS = ['email', 'legalName', 'content', 'shareToken', 'shareUrl', 'secret', 'typedName']
const SECRET_HEADERS = ['headers["x-api-key"]', 'headers.authorization', 'headers.cookie']
const SECRET_PATHS = [...SECRET_FIELDS, ...SECRET_HEADERS].flatMap((path) => [path, `*.${path}`])

/** The numbers of two levels of pino. */
const [WARN, FATAL] = [40, 60] as const

/** One for all loggers of a process, so that their lines never mix. */
let output: DestinationStream | undefined
const limit = createLogLimit()

/**
 * The logger of a process. Lines have the time as ISO 8601 in UTC and the level by name. Of the warnings and errors of one kind, only one
 * a second is written; `suppressed` counts those that were not.
 * @param level name of a pino level
 */
export function createLogger(service: string, level: string): Logger {
  output ??= openLogOutput({
    reportDropped: (dropped) => logger.warn({ dropped }, 'dropped log lines, because nobody read the log'),
    beforeExit: limit.flush,
  })
  const logger = pino(
    {
      level,
      base: { service, pid: process.pid },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_PATHS, censor: '[redacted]' },
      serializers: { err: describeError },
      hooks: { logMethod: writeLimited },
    },
    output,
  )
  return logger
}

function writeLimited(this: Logger, line: Parameters<LogFn>, write: LogFn, level: number): void {
  if (level < WARN || level >= FATAL) return write.apply(this, line)
  const [first, second] = line as [unknown, unknown]
  const fields = typeof first === 'object' ? (first as LimitedFields) : {}
  const message = String(typeof first === 'object' ? second : first)
  const { code, err } = fields
  const kind = [level, message, code, err?.name, err?.code].join(' ')
  const report = (suppressed: number) => write.call(this, { code, suppressed }, message)
  const suppressed = limit.admit(kind, report)
  if (suppressed === 0) write.apply(this, line)
  else if (suppressed !== undefined) write.call(this, { ...fields, suppressed }, message)
}

/** The fields that make a kind, beside level and message. */
interface LimitedFields {
  code?: unknown
  err?: { name?: unknown; code?: unknown } | undefined
}

/**
 * The loggable parts of an error: class, code, the condition name of a code of Postgres, stack frames, and the message unless Postgres or
 * an SMTP server wrote it. Never `detail`, `query` or `parameters`: the detail of a unique violation holds an email address, and an SMTP
 * 5xx echoes one. [I14]
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = (error as { code?: unknown }).code
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  const mayQuoteData = 'severity' in error || 'responseCode' in error
  return {
    type: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...('severity' in error ? { condition: conditionOf(String(code)) } : {}),
    ...(mayQuoteData ? {} : { message: error.message }),
    stack: frames.slice(0, 12).join('\n'),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}
