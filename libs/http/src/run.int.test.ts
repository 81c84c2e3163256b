import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from '@jest/globals'
import { FROM_SOURCES } from '@paraph/testing/test/from-sources-fixture'
import { waitFor } from '@paraph/testing/wait-for'

/** With some 1,100 bytes a line, twice what a process keeps for its reader. */
const LINES = 15_000

let child: ChildProcess
afterEach(() => void child.kill('SIGKILL'))

/** Starts a process that writes its log to `output`, and lets it write many lines. */
async function start(output: 'pipe' | number) {
  const file = fileURLToPath(new URL('../test/logging-process-fixture.ts', import.meta.url))
  child = spawn(process.execPath, [...FROM_SOURCES, file], { stdio: ['ignore', output, 'inherit', 'ipc'] })
  expect(await once(child, 'message')).toContain('ready')
  // Nobody reads the log, so that its pipe is full after the first of these lines.
  child.send(LINES)
  expect(await once(child, 'message')).toContain('written')
}

it('a process whose log nobody reads ends with 0 at SIGTERM [H13, F41]', async () => {
  await start('pipe')
  child.kill('SIGTERM')
  await waitFor(() => expect([child.exitCode, child.signalCode]).toEqual([0, null]))
})

it('a process drops the lines that a reader of its log leaves too long, and tells how many once it reads again [F41]', async () => {
  await start('pipe')
  let output = ''
  child.stdout?.on('data', (bytes: Buffer) => (output += bytes.toString()))
  const lines = () =>
    output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { level: string; line?: number; dropped?: number })
  const dropped = await waitFor(() => {
    const [said, more] = lines().filter((line) => line.dropped !== undefined)
    expect([typeof said?.dropped, said?.level, more]).toEqual(['number', 'warn', undefined])
    return Number(said?.dropped)
  })
  const written = lines().flatMap(({ line }) => line ?? [])
  expect(written).toEqual([...Array(LINES - dropped).keys()])
  expect(dropped).toBeGreaterThan(0)

  child.send(1)
  await waitFor(() => expect(lines().at(-1)).toMatchObject({ line: 0 }))
})

const itWithFullDevice = existsSync('/dev/full') ? it : it.skip
itWithFullDevice('a process whose log has no space works on, and ends with 0 at SIGTERM [H13, F24]', async () => {
  const full = openSync('/dev/full', 'w')
  await start(full).finally(() => closeSync(full))
  child.send(1)
  expect(await once(child, 'message')).toContain('written')
  child.kill('SIGTERM')
  await waitFor(() => expect([child.exitCode, child.signalCode]).toEqual([0, null]))
})
