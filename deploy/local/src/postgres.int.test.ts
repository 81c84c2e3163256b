import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { listProcesses } from '@paraph/paraph/installation/process-table'
import { FROM_SOURCES } from '@paraph/testing/test/from-sources-fixture'
import { waitFor } from '@paraph/testing/wait-for'
import { closedFolderOn, preparePostgres } from './postgres.js'

let folder: string
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'paraph-postgres-'))))
afterEach(() => rm(folder, { recursive: true }))

it('the check of a path returns the folder that another user may not enter [local-stack]', async () => {
  const inside = join(folder, 'inside')
  await mkdir(inside)
  await Promise.all([chmod(folder, 0o700), chmod(inside, 0o755)])
  expect(await closedFolderOn(inside, 12_345)).toBe(folder)
  await chmod(folder, 0o711)
  expect(await closedFolderOn(inside, 12_345)).toBeUndefined()
})

const PROGRAM = fileURLToPath(new URL('../test/prepare-postgres-process-fixture.ts', import.meta.url))

;(process.getuid?.() === 0 ? it : it.skip)(
  'a start by root says once that it creates the system user postgres [local-stack]',
  async () => {
    await chmod(folder, 0o755)
    const programs = join(folder, 'programs')
    await mkdir(programs)
    // There is no user postgres until `useradd` was called.
    const made = join(folder, 'made')
    await writeFile(join(programs, 'id'), `#!/bin/sh\ntest -e ${made} && PATH=/usr/bin:/bin exec id "$@"\n`, {
      mode: 0o755,
    })
    await writeFile(join(programs, 'useradd'), `#!/bin/sh\n: > ${made}\n`, { mode: 0o755 })
    const env = { ...process.env, PATH: `${programs}:${process.env['PATH']}` }
    const start = async (server: string) => {
      await mkdir(join(folder, server))
      const argv = [...FROM_SOURCES, PROGRAM, join(folder, server, 'postgres')]
      return (await promisify(execFile)(process.execPath, argv, { env })).stdout
    }
    expect(await start('first')).toBe('Created the system user postgres, because Postgres does not run as root.\n')
    expect(await start('second')).toBe('')
  },
  60_000,
)

it('a start right after a kill -9 within initdb succeeds, and the drafts of killed starts go [local-stack, R8]', async () => {
  await chmod(folder, 0o755)
  for (let round = 0; round < 3; round++) {
    const server = join(folder, `${round}`, 'postgres')
    await mkdir(join(server, '..'))
    const killed = spawn(process.execPath, [...FROM_SOURCES, PROGRAM, server])
    const ended = once(killed, 'exit')
    await waitFor(async () => expect(await initdbOf(server)).toBe(true), { timeout: 20_000, interval: 5 })
    // Another step of initdb each round: it takes about a second.
    await new Promise((resolve) => setTimeout(resolve, round * 300))
    killed.kill('SIGKILL')
    await ended
    await prepare(server)
    await waitFor(async () => expect(await initdbOf(server)).toBe(false), { timeout: 20_000 })
    await prepare(server)
    expect(await readdir(join(server, '..'))).toEqual(['postgres'])
  }
}, 120_000)

const prepare = (server: string) =>
  preparePostgres({ folder: server, port: 1, password: 'secret', url: 'postgres://127.0.0.1:1' })

/** True while an initdb, or a server that it started, works for `server`. */
async function initdbOf(server: string): Promise<boolean> {
  return (await listProcesses()).some(
    ({ commandLine }) => commandLine.includes(`${server}.new`) && !commandLine.includes('prepare-postgres'),
  )
}
