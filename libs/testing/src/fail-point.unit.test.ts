import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { checkConfig, processSettings } from './config.js'

const SOURCE = fileURLToPath(new URL('fail-point.ts', import.meta.url))

/** A process that passes two points and says so. */
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

it('ends the process by SIGKILL at an armed point, once, and at no other [F16]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'paraph-points-'))
  await writeFile(join(folder, 'a.begun'), '')
  await writeFile(join(folder, 'b.begun'), '')
  expect(await run(folder)).toEqual({ output: '', signal: 'SIGKILL' })
  expect(await readdir(folder)).toEqual(['b.begun'])
  expect(await run(folder)).toEqual({ output: 'passed', signal: null })
  await rm(folder, { recursive: true })
})

it('is refused in production, with the name of the setting [F16]', () => {
  const { FAIL_POINT_DIR } = processSettings
  const check = (environment: NodeJS.ProcessEnv) => checkConfig(z.object({}), { FAIL_POINT_DIR }, environment)
  expect(check({ FAIL_POINT_DIR: '/points' })).toEqual({ config: { FAIL_POINT_DIR: '/points' } })
  expect(check({ NODE_ENV: 'production' })).toEqual({ config: {} })
  expect(check({ FAIL_POINT_DIR: '/points', NODE_ENV: 'production' })).toEqual({
    faults: [expect.stringContaining('FAIL_POINT_DIR') as string],
  })
})
