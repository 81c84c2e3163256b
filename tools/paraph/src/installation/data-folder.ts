// The data folder: its paths, its version, and its lock for one launcher at a time. [local-stack]
// Owns: the lock, the version file, and removing the files of a stopped stack. Every other file has a module of its own.
import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readJsonFile, writePrivateFile } from '@paraph/config/private-file'
import { startOf } from './process-table.js'
import { UserError } from '@paraph/config/refusal'

const ownerSchema = z.object({ pid: z.int(), startedAt: z.string() })

/** The paths in a data folder. */
export function pathsOf(folder: string) {
  return {
    folder,
    logs: join(folder, 'logs'),
    mail: join(folder, 'mail'),
    postgres: join(folder, 'postgres'),
    version: join(folder, 'version'),
    lock: join(folder, 'launcher.lock'),
    secrets: join(folder, 'secrets.json'),
    ports: join(folder, 'ports.json'),
    stack: join(folder, 'stack.json'),
    internal: join(folder, 'internal.json'),
    demoAccount: join(folder, 'demo-account.json'),
    sandboxKey: join(folder, 'sandbox-key'),
  }
}

export type DataPaths = ReturnType<typeof pathsOf>

/**
 * Creates the folder if it is missing, locks it for this process and checks its version.
 * @throws UserError when it is not writable, belongs to a running stack or was written by a newer version
 */
export async function openDataFolder(folder: string, version: string) {
  const paths = pathsOf(folder)
  try {
    // As root, Postgres runs as the user postgres, who must be able to enter the folder. Each file inside has its own permissions.
    await mkdir(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o755 : 0o700 })
    await mkdir(paths.logs, { recursive: true, mode: 0o700 })
    await mkdir(paths.mail, { recursive: true, mode: 0o700 })
    await takeLock(paths)
  } catch (error) {
    if (error instanceof UserError) throw error
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown reason'
    throw new UserError(
      `The data folder ${folder} cannot be written (${reason}). Change its owner, or set PARAPH_DATA_DIR to another folder.`,
      { cause: error },
    )
  }
  try {
    await checkVersion(paths, version)
  } catch (error) {
    await rm(paths.lock, { force: true })
    throw error
  }
  // Both files describe a stack that no longer runs.
  await Promise.all([rm(paths.stack, { force: true }), rm(paths.internal, { force: true })])
  return { paths, release: () => rm(paths.lock, { force: true }) }
}

async function takeLock(paths: DataPaths): Promise<void> {
  const draft = `${paths.lock}.${randomBytes(4).toString('hex')}`
  await writeFile(draft, JSON.stringify({ pid: process.pid, startedAt: (await startOf(process.pid)) ?? '' }), {
    mode: 0o600,
  })
  try {
    // link() creates the complete file or fails: two concurrent starts cannot both succeed.
    for (;;) {
      try {
        return await link(draft, paths.lock)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      await removeStaleLock(paths)
    }
  } finally {
    await rm(draft, { force: true })
  }
}

/** @throws UserError when the owner of the lock is running */
async function removeStaleLock(paths: DataPaths): Promise<void> {
  const text = await readFile(paths.lock, 'utf8').catch(() => undefined)
  if (text === undefined) return
  const owner = ownerSchema.safeParse(await readJsonFile(paths.lock).catch(() => undefined))
  if (owner.success && (await startOf(owner.data.pid)) === owner.data.startedAt) {
    throw new UserError(
      `Paraph already runs on the data folder ${paths.folder} (process ${owner.data.pid}). Stop it first, or set PARAPH_DATA_DIR to another folder.`,
    )
  }
  // Of concurrent starts, the first rename removes the stale lock. A new lock that a faster start created meanwhile is moved back.
  const grave = `${paths.lock}.${randomBytes(4).toString('hex')}.stale`
  await rename(paths.lock, grave).catch(() => undefined)
  const moved = await readFile(grave, 'utf8').catch(() => undefined)
  if (moved !== undefined && moved !== text) await link(grave, paths.lock).catch(() => undefined)
  await rm(grave, { force: true })
}

async function checkVersion(paths: DataPaths, version: string): Promise<void> {
  const kept = (await readFile(paths.version, 'utf8').catch(() => '')).trim()
  if (kept !== '' && isNewer(kept, version)) {
    throw new UserError(
      `The data folder ${paths.folder} was written by version ${kept} of Paraph and this is ${version}. Run that version, or set PARAPH_DATA_DIR to another folder.`,
    )
  }
  if (kept !== version) await writePrivateFile(paths.version, `${version}\n`)
}

/** True when version `kept` is newer than `ours`: compares their numbers. A word counts as newer than any number. */
export const isNewer = (kept: string, ours: string): boolean => kept.localeCompare(ours, 'en', { numeric: true }) > 0
