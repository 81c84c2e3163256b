import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { isNewer, openDataFolder } from './data-folder.js'

let folder: string
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'paraph-data-'))))
afterEach(() => rm(folder, { recursive: true }))

it('one launcher at a time can lock a folder, even if two try concurrently [local-stack]', async () => {
  const tries = await Promise.allSettled([openDataFolder(folder, '2.0.0'), openDataFolder(folder, '2.0.0')])
  const won = tries.filter((each) => each.status === 'fulfilled')
  expect(won).toHaveLength(1)
  const lost = tries.find((each) => each.status === 'rejected')
  expect(String(lost?.reason)).toContain('already runs on the data folder')
  await won[0]?.value.release()
  await (await openDataFolder(folder, '2.0.0')).release()
})

it('a launcher takes over the folder of a killed launcher, even if another process has the same pid [local-stack]', async () => {
  // The pid of this process with another start time: the pid alone would mean that the launcher still runs.
  await writeFile(join(folder, 'launcher.lock'), JSON.stringify({ pid: process.pid, startedAt: '1' }))
  await writeFile(join(folder, 'stack.json'), '{}')
  const { release } = await openDataFolder(folder, '2.0.0')
  await expect(stat(join(folder, 'stack.json'))).rejects.toThrow('ENOENT')
  await release()
})

it('a launcher refuses a folder of a newer version and releases the lock [local-stack]', async () => {
  await writeFile(join(folder, 'version'), '3.1.0\n')
  await expect(openDataFolder(folder, '2.0.0')).rejects.toThrow('was written by version 3.1.0')
  await (await openDataFolder(folder, '3.1.0')).release()
})

it('versions are ordered by their numbers', () => {
  expect([isNewer('2.0.1', '2.0.0'), isNewer('10.0.0', '9.9.9'), isNewer('next', '2.0.0')]).toEqual([true, true, true])
  expect([isNewer('2.0.0', '2.0.0'), isNewer('1.9.9', '2.0.0')]).toEqual([false, false])
})
