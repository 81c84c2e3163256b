// Runs stripe-mock for tests: Stripe's own server, which checks requests against the description of its interface and answers with samples.
// `.ci/stripe-mock` installs it. It keeps no state; stripe-fixture.ts does. The server dies with the process that started it. [D74]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { homedir } from 'node:os'
import { join } from 'node:path'

const PROGRAM = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'paraph-kube', 'bin', 'stripe-mock')

export async function startStripeMock() {
  // Without an address for HTTPS it would take a fixed port.
  const child = spawn(PROGRAM, ['-http-addr', '127.0.0.1:0', '-https-addr', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const onExit = (): void => void child.kill('SIGKILL')
  process.on('exit', onExit)
  let output = ''
  const port = await new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`stripe-mock ended with ${code}: ${output}`)))
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        const found = /Listening for HTTP at address: 127\.0\.0\.1:(\d+)/.exec(output)?.[1]
        if (found) resolve(found)
      })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    async stop(): Promise<void> {
      process.off('exit', onExit)
      const ended = once(child, 'close')
      child.kill('SIGKILL')
      await ended
    },
  }
}
