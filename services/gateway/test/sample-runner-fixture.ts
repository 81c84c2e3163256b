// Runs code samples of the reference as programs, against a server that fails as told, on a clock that takes no time.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { CODE_LANGUAGES, sampleFor, type CodeLanguage, type SampleName } from '../src/reference/samples.js'

/** What a clock adds to each pause of a program: the time that a call of the server would have been held. */
const HELD_SECONDS = 30
const RUN_MS_MAX = 45_000

/** Replaces the clock of each language: a pause is written to $SLEEPS, lasts $REAL_MS and moves the clock. */
const CLOCKS = {
  'clock.mjs': `
import { appendFileSync } from 'node:fs'
const { setTimeout: start } = globalThis
const now = Date.now
let ahead = 0
globalThis.setTimeout = (callback, ms, ...rest) => {
  if (!new Error().stack.includes('/sample.mjs')) return start(callback, ms, ...rest)
  // Node itself makes 1 ms of a delay that its timers cannot hold.
  const delay = ms > 2_147_483_647 ? 1 : ms
  appendFileSync(process.env.SLEEPS, delay / 1000 + '\\n')
  ahead += delay + ${HELD_SECONDS * 1_000}
  return start(callback, Number(process.env.REAL_MS), ...rest)
}
Date.now = () => now() + ahead
`,
  'sitecustomize.py': `
import os, time
_sleep, _time, _ahead = time.sleep, time.time, 0
def sleep(seconds):
    global _ahead
    with open(os.environ["SLEEPS"], "a") as log:
        log.write(f"{seconds}\\n")
    _ahead += seconds + ${HELD_SECONDS}
    _sleep(int(os.environ["REAL_MS"]) / 1000)
time.sleep, time.time = sleep, lambda: _time() + _ahead
`,
  'clock.sh': `
ahead=0
sleep() {
  echo "$1" >> "$SLEEPS"
  ahead=$((ahead + $1 + ${HELD_SECONDS}))
  command sleep "$(printf '0.%03d' "$REAL_MS")"
}
date() { echo $(($(command date +%s) + ahead)); }
`,
}

export interface Answer {
  status: number
  headers?: Record<string, string>
  body?: string
}
/** `drop`: closes the connection without an answer. */
export type Reaction = Answer | 'drop'

export interface Request {
  method: string
  headers: IncomingMessage['headers']
  body: string
}

/** A server that answers with `reactions` in turn; the last one repeats. `listen` opens its port, which is refused until then. */
export async function startFaultyServer(reactions: readonly Reaction[]) {
  const requests: Request[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await textOf(request)
    requests.push({ method: request.method ?? '', headers: request.headers, body })
    const reaction = reactions[Math.min(requests.length, reactions.length) - 1]!
    if (reaction === 'drop') return void request.socket.destroy()
    response.writeHead(reaction.status, reaction.headers).end(reaction.body)
  }
  const server = createServer((request, response) => void answer(request, response))
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  // Takes a free port and leaves it again.
  const port = await listen(0)
  server.close()
  await once(server, 'close')
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    listen: () => listen(port),
    close: async () => {
      server.closeAllConnections()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
}

export interface Run {
  code: number
  /** Standard output and standard error. */
  output: string
  /** The pauses that the program asked for, in seconds. */
  sleeps: number[]
  /** What the clock of the program has moved, in seconds. */
  elapsedSeconds: number
}

/**
 * Runs a sample as its page shows it.
 * @param options.onSleep called as soon as the program has paused for the first time
 * @param options.realMs how long a pause lasts in truth
 */
export async function runSample(
  name: SampleName,
  language: CodeLanguage,
  baseUrl: string,
  options: { onSleep?: () => unknown; realMs?: number; files?: Record<string, string> } = {},
): Promise<Run> {
  const { onSleep, realMs = 2, files = {} } = options
  const folder = await mkdtemp(join(tmpdir(), 'paraph-sample-'))
  const { ending } = CODE_LANGUAGES.find(({ id }) => id === language)!
  const code = sampleFor(name, { baseUrl })[language]!
  const log = join(folder, 'sleeps')
  for (const [file, text] of Object.entries({ ...CLOCKS, ...files, [`sample.${ending}`]: code, sleeps: '' }))
    await writeFile(join(folder, file), text)
  const [program, ...argv] = {
    curl: ['bash', '-euo', 'pipefail', '-c', '. ./clock.sh; . ./sample.sh'],
    node: [process.execPath, '--import', './clock.mjs', 'sample.mjs'],
    python: ['python3', 'sample.py'],
  }[language] as [string, ...string[]]
  const { NODE_OPTIONS: _, ...inherited } = process.env
  const child = spawn(program, argv, {
    cwd: folder,
    env: {
      ...inherited,
      PARAPH_KEY: 'paraph_test_of_nobody',
      CONTRACT_ID: 'contract-1795183380000-k3v9x2m1q',
      PYTHONPATH: folder,
      SLEEPS: log,
      REAL_MS: String(realMs),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Shorter than a test may take: a sample that never ends must not outlive it.
    timeout: RUN_MS_MAX,
    killSignal: 'SIGKILL',
  })
  const sleeps = async (): Promise<number[]> => (await readFile(log, 'utf8')).split('\n').filter(Boolean).map(Number)
  const ended = once(child, 'close') as Promise<[number]>
  const output = Promise.all([textOf(child.stdout), textOf(child.stderr)])
  try {
    if (onSleep) {
      while (child.exitCode === null && (await sleeps()).length === 0) await new Promise((next) => setTimeout(next, 5))
      await onSleep()
    }
    const [exitCode] = await ended
    const asked = await sleeps()
    const elapsedSeconds = asked.reduce((sum, seconds) => sum + seconds + HELD_SECONDS, 0)
    return { code: exitCode, output: (await output).join(''), sleeps: asked, elapsedSeconds }
  } finally {
    child.kill()
    await rm(folder, { recursive: true, force: true })
  }
}
