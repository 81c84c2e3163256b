// Runs a measurement on its own stack: `npm start` in a new folder, which is deleted after the measurement.
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Resolves with the result of `measure`, which receives the contents of `stack.json` and `internal.json`.
 * @param environment settings of the stack, in addition to the environment of this process
 */
export async function withStack(measure, environment = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'paraph-bench-'))
  // If this process is root, Postgres runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o755)
  const running = spawn('npm', ['start'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, ...environment, PARAPH_PORT: '0', PARAPH_MAILBOX_PORT: '0', PARAPH_DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => running.on('close', resolve))
  try {
    await new Promise((resolve, reject) => {
      let output = ''
      running.stdout.on('data', (chunk) => (output += chunk).includes('Paraph is running') && resolve())
      void ended.then((code) => reject(new Error(`npm start ended with ${code}: ${output}`)))
    })
    const read = async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))
    return await measure(await read('stack.json'), await read('internal.json'))
  } finally {
    running.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
}
