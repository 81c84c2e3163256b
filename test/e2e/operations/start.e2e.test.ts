// What a person meets in the terminal after `npm start`. [local-stack]
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { launch, makeDataFolder, readStackFile } from '../../harness/stack/local-stack.js'

let folder: string
let launched: ReturnType<typeof launch> | undefined
beforeEach(async () => void (folder = await makeDataFolder()))
afterEach(async () => {
  launched?.child.kill('SIGTERM')
  await launched?.exited
  await rm(folder, { recursive: true, force: true })
})

/** Runs `npm start`. @returns its output and the answer to GET /status, asked for as soon as the output is complete */
async function start() {
  const starting = launch(folder)
  launched = starting
  const status = await new Promise<unknown>((resolve, reject) => {
    void starting.exited.then(({ output }) => reject(new Error(output)))
    starting.child.stdout?.on('data', () => {
      if (!starting.output().includes("]}'\n")) return
      void readStackFile(folder)
        .then((stack) => fetch(`${stack!.apiUrl}/status`, { headers: { 'x-api-key': stack!.testKey } }))
        .then((answer) => answer.json())
        .then(resolve, reject)
    })
  })
  return { output: starting.output(), status }
}

it('each step is one line without a warning, then the API is operational, and the printed call creates a contract [local-stack]', async () => {
  // The second start finds the rows of the first, and warned of a service that was not there yet.
  for (const times of [1, 2]) {
    const { output, status } = await start()
    for (const step of ['Postgres', 'Databases', 'Services', 'Demo account'])
      expect(output).toMatch(new RegExp(`^✓ ${step} +\\d+\\.\\d s$`, 'm'))
    expect(output).not.toMatch(/ (warn|error) /)
    expect(output).toMatch(/^ {2}Start here +http:\/\/localhost:\d+/m)
    expect(status).toMatchObject({ status: 'operational' })
    const call = output.slice(output.indexOf('  curl ')).trim()
    const { stdout } = await promisify(execFile)('bash', ['-c', call.replace('curl', 'curl -sS')])
    expect(JSON.parse(stdout)).toMatchObject({ contract: { status: 'pending_signature' } })
    if (times === 2) return
    launched?.child.kill('SIGTERM')
    expect(await launched?.exited).toMatchObject({ code: 0 })
  }
}, 180_000)
