// Runs the commands of the pages that a newcomer follows, in order, on a running stack. commands.unit.test.ts lists the tests of all pages.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { joinStack, type SharedStack } from '../harness/stack/shared-stack.js'
import { commandsOf } from './commands.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

let running: SharedStack
beforeAll(async () => {
  running = await joinStack()
})
afterAll(() => running?.close())

it.each([
  ['README.md', ['HTTP/1.1 201 Created', '"status":"pending_signature"', 'Demo Company']],
  ['docs/start/first-contract.md', ['"operational"', 'HTTP/1.1 201 Created', '"status":"pending_signature"']],
  ['docs/reference/cli.md', ['Demo Company']],
])('a reader can run every command of %s, in order [README]', async (page, expected) => {
  const commands = commandsOf(await readFile(`${ROOT}${page}`, 'utf8'))
  // Replaces only the folder by that of the test's stack.
  const script = commands.join('\n').replaceAll('.data/', `${running.folder}/`)
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: ROOT,
    env: { ...process.env, PARAPH_DATA_DIR: running.folder },
  })
  for (const text of expected) expect(stdout).toContain(text)
})
