import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'

const SOURCE = fileURLToPath(new URL('fail-point.ts', import.meta.url))

/** Runs a process that reaches a fail point and then prints. */
async function run(folder: string): Promise<{ output: string; signal: NodeJS.Signals | null }> {
  const script = `
    const { watchFailPoints, failPoint } = await import(${JSON.stringify(SOURCE)})
    watchFailPoints(${JSON.stringify(folder)})
    failPoint('a.begun')
    process.stdout.write('passed')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { output, signal }
}

it('an armed fail point kills the process with SIGKILL once, and other points do not [F16]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'paraph-points-'))
  await writeFile(join(folder, 'a.begun'), '')
  await writeFile(join(folder, 'b.begun'), '')
  expect(await run(folder)).toEqual({ output: '', signal: 'SIGKILL' })
  expect(await readdir(folder)).toEqual(['b.begun'])
  expect(await run(folder)).toEqual({ output: 'passed', signal: null })
  await rm(folder, { recursive: true })
})
