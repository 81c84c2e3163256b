// Runs `npm start` in a data folder of its own, with ports that the system chooses. For parts of the deep tier that are no jest project.
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * @param name of the temporary folder
 * @returns `folder`: for the caller's own files, removed by `stop`; `data`: the data folder; `environment`: for further commands;
 *   `start`: resolves to the address of the API; `makeKey`: creates an account without a limit, and returns a key of it
 */
export function createLocalStart(name) {
  const folder = mkdtempSync(join(tmpdir(), `paraph-${name}-`))
  chmodSync(folder, 0o755)
  const data = join(folder, 'data')
  const environment = { ...process.env, PARAPH_PORT: '0', PARAPH_MAILBOX_PORT: '0', PARAPH_DATA_DIR: data }
  let stopStack = () => Promise.resolve()

  const paraph = (...argv) =>
    JSON.parse(
      execFileSync('npm', ['run', '-s', 'paraph', '--', ...argv, '--json'], { cwd: root, env: environment }).toString(),
    )

  async function start() {
    const child = spawn('npm', ['start'], { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    const ended = new Promise((resolve) => child.on('close', resolve))
    stopStack = async () => {
      child.kill('SIGTERM')
      await ended
    }
    while (!output.includes('Paraph is running')) {
      if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${output}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  return {
    folder,
    data,
    environment,
    start,
    makeKey(owner, environmentOfKey) {
      const { account } = paraph(
        'account',
        'create',
        '--name',
        owner,
        '--email',
        'owner@example.test',
        '--plan',
        'load',
      )
      const scopes = 'contracts:read,contracts:write'
      const of = ['--account', account.id, '--environment', environmentOfKey, '--scopes', scopes]
      return paraph('key', 'create', ...of).key.secret
    },
    async stop() {
      await stopStack()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
