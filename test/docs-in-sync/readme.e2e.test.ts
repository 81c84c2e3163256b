import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { joinStack, type SharedStack } from '../harness/stack/shared-stack.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Commands that only test/docs-in-sync/two-commands.mjs runs, in a fresh clone. */
const ELSEWHERE = ['npm ci && npm start', 'npm ci && npm test']

let running: SharedStack
beforeAll(async () => {
  running = await joinStack()
})
afterAll(() => running?.close())

it('a reader can run every command of the README, in order [README]', async () => {
  const readme = await readFile(`${ROOT}README.md`, 'utf8')
  const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!.trim())
  const commands = blocks.filter((block) => !ELSEWHERE.includes(block))
  expectWithMessage(blocks.length - commands.length, 'the README has the two commands').toBe(2)
  // Replaces only the port and the folder by those of the test's stack.
  const script = commands
    .join('\n')
    .replaceAll('http://localhost:8080', new URL(running.stack.apiUrl).origin)
    .replaceAll('.data/', `${running.folder}/`)
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: ROOT,
    env: { ...process.env, PARAPH_DATA_DIR: running.folder },
  })
  expect(stdout).toContain('"status":"pending_signature"')
  expect(stdout).toContain('Demo Company')
})
