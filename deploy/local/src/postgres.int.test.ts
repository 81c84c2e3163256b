import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { closedFolderOn } from './postgres.js'

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
