// Starts the servers that run.mjs compares, each as its own process. All use one Postgres and one backend server.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../postgres.mjs'

const SERVERS = fileURLToPath(new URL('servers.mjs', import.meta.url))

/** The path and headers that every server answers with 200. */
export const PATH = '/api/external/v2/contracts/contract-1795183380000-k3v9x2m1q'

/** @returns `start(variant)` → `{port, readUsage()}`, where `readUsage` returns CPU (µs) and memory (bytes); `headers`; `stop` */
export async function openStage() {
  const postgres = await startPostgres()
  const children = []

  async function start(variant, settings, { execArgv = [], env = {} } = {}) {
    const child = fork(SERVERS, [variant], {
      execArgv,
      env: { ...process.env, ...env, BENCH_SETTINGS: JSON.stringify(settings) },
    })
    children.push(child)
    const [port] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`${variant} ended with ${code}`))),
    ])
    const readUsage = () => {
      const answer = once(child, 'message').then(([seen]) => seen)
      child.send('usage')
      return answer
    }
    return { port, readUsage }
  }

  const backend = await start('backend', {})
  const settings = { backendUrl: `http://127.0.0.1:${backend.port}`, databaseUrl: postgres.databaseUrl }
  return {
    headers: { 'x-api-key': postgres.key, accept: 'application/json' },
    /** @param options arguments for Node and additional environment of the process */
    start: (variant, options) => start(variant, settings, options),
    async stop() {
      for (const child of children) child.kill('SIGKILL')
      await postgres.stop()
    },
  }
}
