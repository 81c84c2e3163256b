import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { access, cp, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'

// The real start.mjs in a checkout with an empty build and a launcher that exits immediately with code 7.
let root: string
let lock: string
let child: ChildProcess | undefined
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'paraph-start-'))
  lock = join(root, '.turbo', 'start.lock')
  for (const folder of ['deploy/local/dist', 'node_modules/turbo/bin', '.turbo', 'data']) {
    await mkdir(join(root, folder), { recursive: true })
  }
  for (const file of ['deploy/local/start.mjs', 'deploy/local/build-stamp.mjs', 'deploy/local/progress.mjs'])
    await cp(new URL(`../../../${file}`, import.meta.url), join(root, file))
  await cp(
    new URL('../../../tools/paraph/node-version.mjs', import.meta.url),
    join(root, 'tools/paraph/node-version.mjs'),
  )
  await writeFile(join(root, 'deploy/local/dist/launcher.js'), 'exports.launch = () => 7')
  await writeFile(join(root, 'node_modules/turbo/bin/turbo'), '')
})
afterEach(async () => {
  child?.kill('SIGKILL')
  await rm(root, { recursive: true })
})

function start() {
  const started = spawn(process.execPath, [join(root, 'deploy/local/start.mjs')], {
    env: { PARAPH_DATA_DIR: join(root, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child = started
  return { started, ended: once(started, 'exit') as Promise<[number]> }
}

it('a start continues after a killed start left an empty lock, or a power loss an empty stack.json [local-stack]', async () => {
  await writeFile(lock, '')
  await writeFile(join(root, 'data', 'stack.json'), '')
  const longAgo = new Date(Date.now() - 1_500)
  await utimes(lock, longAgo, longAgo)
  expect((await start().ended)[0]).toBe(7)
})

it('a start reports that it waits for another start, and continues when the other start has finished [local-stack]', async () => {
  await writeFile(lock, String(process.pid))
  const { started, ended } = start()
  const [said] = (await once(started.stdout, 'data')) as [Buffer]
  expect(String(said)).toContain(`Another start (process ${process.pid}) is building in this checkout`)
  expect(started.exitCode).toBeNull()
  await rm(lock)
  expect((await ended)[0]).toBe(7)
})

it('a start builds only when an input or output of the build changed, and repeats a failed build [local-stack: What a start does]', async () => {
  const source = join(root, 'libs/some/src/a.ts')
  const built = join(root, 'libs/some/dist/a.js')
  const sign = join(root, 'was-built')
  const setBuild = (code: string) => writeFile(join(root, 'node_modules/turbo/bin/turbo'), code)
  const compile = `const fs = require('node:fs'); fs.mkdirSync('libs/some/dist', { recursive: true })
    fs.writeFileSync('libs/some/dist/a.js', 'built'); fs.writeFileSync('was-built', '')`
  /** Whether a start ran a build, and its exit code. */
  const startAgain = async (): Promise<[isBuilt: boolean, code: number]> => {
    await rm(sign, { force: true })
    const [code] = await start().ended
    const isThere = access(sign).then(
      () => true,
      () => false,
    )
    return [await isThere, code]
  }
  await mkdir(join(root, 'libs/some/src'), { recursive: true })
  await writeFile(source, 'one')
  await setBuild(`${compile}; process.exitCode = 1`)
  expect(await startAgain()).toEqual([true, 1])
  await setBuild(compile)
  expect(await startAgain()).toEqual([true, 7])
  expect(await startAgain()).toEqual([false, 7])
  await writeFile(source, 'two')
  expect(await startAgain()).toEqual([true, 7])
  await rm(built)
  expect(await startAgain()).toEqual([true, 7])
  await writeFile(join(root, 'package-lock.json'), '{}')
  expect(await startAgain()).toEqual([true, 7])
  await writeFile(join(root, 'libs/some/src/b.ts'), 'new')
  expect(await startAgain()).toEqual([true, 7])
  expect(await startAgain()).toEqual([false, 7])
  // The file changed during the build, so the build may have read the old version.
  await writeFile(source, 'three')
  await setBuild(`${compile}; fs.writeFileSync('libs/some/src/a.ts', 'four!')`)
  expect(await startAgain()).toEqual([true, 7])
  await setBuild(compile)
  expect(await startAgain()).toEqual([true, 7])
})
