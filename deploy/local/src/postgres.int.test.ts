import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { closedFolderOn } from './postgres.js'

it('names the folder that another user may not enter [local-stack]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'paraph-postgres-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const inside = join(folder, 'inside')
  await mkdir(inside)
  await Promise.all([chmod(folder, 0o700), chmod(inside, 0o755)])
  expect(await closedFolderOn(inside, 12_345)).toBe(folder)
  await chmod(folder, 0o711)
  expect(await closedFolderOn(inside, 12_345)).toBeUndefined()
})
