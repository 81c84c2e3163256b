// The output of a process: writes every line as JSON to a log file, and shows warnings and errors on the terminal.
import { createWriteStream, renameSync, statSync, type WriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import { BoundedMap } from '@paraph/protocol/bounded-map'

const LOG_BYTES_MAX = 50_000_000
/** The terminal shows a repeated line of a process once in this time; the file contains every line. */
const QUIET_MS = 10_000
const LEVELS_SHOWN = new Set(['warn', 'error', 'fatal'])

/** Level of a Postgres line such as `LOG:  checkpoint starting`. Undefined for a continuation line. */
export function postgresLevel(text: string): string | undefined {
  const severity = /^([A-Z]+[1-5]?):\s/.exec(text)?.[1]
  if (severity === undefined || ['DETAIL', 'HINT', 'CONTEXT', 'STATEMENT', 'QUERY', 'LOCATION'].includes(severity)) {
    return undefined
  }
  // Postgres refused a connection during its start or stop, such as that of the readiness check.
  if (/^FATAL:\s+the database system is /.test(text)) return 'info'
  return { PANIC: 'fatal', FATAL: 'warn', ERROR: 'warn', WARNING: 'warn' }[severity] ?? 'info'
}

/** The text of a log line for the terminal; undefined if the line goes only to the file. */
export function terminalLine(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined
  let parsed: {
    level?: unknown
    service?: unknown
    msg?: unknown
    err?: Partial<Record<'type' | 'message' | 'condition', unknown>>
  }
  try {
    parsed = JSON.parse(line) as typeof parsed
  } catch {
    return undefined
  }
  if (typeof parsed.level !== 'string' || !LEVELS_SHOWN.has(parsed.level)) return undefined
  const reason = [parsed.err?.message, parsed.err?.condition, parsed.err?.type].find((part) => typeof part === 'string')
  return `${String(parsed.service).padEnd(12)} ${parsed.level.padEnd(5)} ${String(parsed.msg ?? '')}${reason ? ` (${reason})` : ''}`
}

/**
 * Holds the lines of a start back, because a warning between its steps looks like a failure. Services that start together warn that others
 * are missing: `begin` drops the warnings, which stay in the log files.
 */
export function holdLines(print: (line: string) => void) {
  let held: { line: string; isWarning: boolean }[] | undefined = []
  const end = (isShown: (each: { isWarning: boolean }) => boolean) => {
    for (const each of held ?? []) if (isShown(each)) print(each.line)
    held = undefined
  }
  return {
    show: (line: string, isWarning = false): void => void (held ? held.push({ line, isWarning }) : print(line)),
    /** The start has succeeded: prints what is held except warnings, and each later line immediately. */
    begin: () => end(({ isWarning }) => !isWarning),
    /** The start has failed: prints everything that is held. */
    giveUp: () => end(() => true),
  }
}

interface ProcessLogDeps {
  path: string
  service: string
  /** Called with each warning and error as readable text. */
  show: (line: string, isWarning: boolean) => void
  /** Level of a line that is not JSON; undefined for a continuation line. */
  levelOf?: ((text: string) => string | undefined) | undefined
}

/** Opens the log file of one process. */
export function openProcessLog({ path, service, show, levelOf = () => undefined }: ProcessLogDeps) {
  let bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  let file = open(path)
  const shownAt = new BoundedMap<string, number>(200)
  let lastLevel: string | undefined

  function write(text: string, rawLevel: string): void {
    if (text === '') return
    lastLevel = levelOf(text) ?? lastLevel
    const time = new Date().toISOString()
    // A line that is not JSON comes from a crash or from Postgres.
    const line = text.startsWith('{')
      ? text
      : JSON.stringify({ level: lastLevel ?? rawLevel, time, service, msg: text })
    bytes += Buffer.byteLength(line) + 1
    if (bytes > LOG_BYTES_MAX) rotate()
    file.write(`${line}\n`)
    const readable = terminalLine(line)
    if (readable === undefined || (shownAt.get(readable) ?? -QUIET_MS) > Date.now() - QUIET_MS) return
    shownAt.set(readable, Date.now())
    show(readable, /^\S+ +warn /.test(readable))
  }

  function rotate(): void {
    file.end()
    renameSync(path, `${path}.1`)
    bytes = 0
    file = open(path)
  }

  return {
    path,
    /** Copies a stream of lines until it ends. A line that is not JSON and has no level of its own gets `rawLevel`. */
    follow(stream: Readable, rawLevel: string): void {
      createInterface({ input: stream, crlfDelay: Infinity }).on('line', (text) => write(text, rawLevel))
    },
    close: () => new Promise<void>((resolve) => file.end(resolve)),
  }
}

export type ProcessLog = ReturnType<typeof openProcessLog>

function open(path: string): WriteStream {
  // A full disk must not end the stack; lines that cannot be written are lost.
  return createWriteStream(path, { flags: 'a', mode: 0o600 }).on('error', () => undefined)
}
