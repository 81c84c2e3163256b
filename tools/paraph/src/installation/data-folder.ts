// The data folder: its paths, its version, and that one launcher at a time uses it. [local-stack]
// Owns: the lock and the version file, and that files of a stack that no longer runs are gone. Every other file has its own
// module, which says what is in it.
import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readJsonFile, writePrivateFile } from './private-file.js'
import { startOf } from './process-table.js'
import { Refusal } from './refusal.js'

const ownerSchema = z.object({ pid: z.int(), startedAt: z.string() })

/** Where everything in a data folder lies. */
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
 * Makes the folder where it is missing, takes it for this process and checks its version.
 * @throws Refusal when it cannot be written, belongs to a running stack or was written by a newer version
 */
export async function openDataFolder(folder: string, version: string) {
  const paths = pathsOf(folder)
  try {
    // As root the user postgres has to pass through it; the files inside are closed one by one.
    await mkdir(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o755 : 0o700 })
    await mkdir(paths.logs, { recursive: true, mode: 0o700 })
    await mkdir(paths.mail, { recursive: true, mode: 0o700 })
    await takeLock(paths)
  } catch (error) {
    if (error instanceof Refusal) throw error
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown reason'
    throw new Refusal(
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
  // They speak of a stack that no longer runs.
  await Promise.all([rm(paths.stack, { force: true }), rm(paths.internal, { force: true })])
  return { paths, release: () => rm(paths.lock, { force: true }) }
}

async function takeLock(paths: DataPaths): Promise<void> {
  const draft = `${paths.lock}.${randomBytes(4).toString('hex')}`
  await writeFile(draft, JSON.stringify({ pid: process.pid, startedAt: (await startOf(process.pid)) ?? '' }), {
    mode: 0o600,
  })
  try {
    // link() either makes the complete file or fails: two starts at once cannot both win.
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

/** @throws Refusal when the lock's owner runs */
async function removeStaleLock(paths: DataPaths): Promise<void> {
  const text = await readFile(paths.lock, 'utf8').catch(() => undefined)
  if (text === undefined) return
  const owner = ownerSchema.safeParse(await readJsonFile(paths.lock).catch(() => undefined))
  if (owner.success && (await startOf(owner.data.pid)) === owner.data.startedAt) {
    throw new Refusal(
      `Paraph already runs on the data folder ${paths.folder} (process ${owner.data.pid}). Stop it first, or set PARAPH_DATA_DIR to another folder.`,
    )
  }
  // Whoever renames it first removes it; what a faster start has put there meanwhile is put back.
  const grave = `${paths.lock}.${randomBytes(4).toString('hex')}.stale`
  await rename(paths.lock, grave).catch(() => undefined)
  const moved = await readFile(grave, 'utf8').catch(() => undefined)
  if (moved !== undefined && moved !== text) await link(grave, paths.lock).catch(() => undefined)
  await rm(grave, { force: true })
}

async function checkVersion(paths: DataPaths, version: string): Promise<void> {
  const kept = (await readFile(paths.version, 'utf8').catch(() => '')).trim()
  if (kept !== '' && isNewer(kept, version)) {
    throw new Refusal(
      `The data folder ${paths.folder} was written by version ${kept} of Paraph and this is ${version}. Run that version, or set PARAPH_DATA_DIR to another folder.`,
    )
  }
  if (kept !== version) await writePrivateFile(paths.version, `${version}\n`)
}

/** Compares dotted numbers; what is no number counts as newer, for we cannot know. */
export function isNewer(kept: string, ours: string): boolean {
  const [left, right] = [kept.split('.').map(Number), ours.split('.').map(Number)]
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [one, other] = [left[at] ?? 0, right[at] ?? 0]
    if (Number.isNaN(one)) return true
    if (one !== other) return one > other
  }
  return false
}
