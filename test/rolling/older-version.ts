// The version before the newest schema change, from the project's own history, built in its own folder with the installed
// packages. [H16]
// Owns: the choice of the commit, and its build. Does not own: the checks of that version (older-version.e2e.test.ts).
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
const git = async (...argv: string[]): Promise<string> => (await run('git', argv, { cwd: ROOT })).stdout.trim()

/** The sources of tables: migrations and their parts. */
const SCHEMA = [
  'services/*/src/migrations/*',
  'services/*/src/migrations.ts',
  'libs/messaging/src/postgres/bus-migrations.ts',
  'libs/codes/src/code-tables.ts',
]
/** Folders that contain packages. */
const PACKAGES = ['libs', 'services', 'tools', 'deploy']

/** @returns the commit before the newest that changed a schema; undefined if the history does not reach so far back */
export async function findOlderVersion(): Promise<string | undefined> {
  try {
    const newest = await git('log', '--no-merges', '-1', '--format=%H', '--', ...SCHEMA)
    return newest === '' ? undefined : await git('rev-parse', '--verify', '--quiet', `${newest}^`)
  } catch {
    // No git history, or a shallow clone.
    return undefined
  }
}

/** Checks `commit` out and builds it. */
export async function buildOlderVersion(commit: string): Promise<{ root: string; remove: () => Promise<void> }> {
  const root = await mkdtemp(join(tmpdir(), 'paraph-older-'))
  const remove = async (): Promise<void> => {
    await git('worktree', 'remove', '--force', root).catch(() => undefined)
    await rm(root, { recursive: true, force: true })
  }
  try {
    await git('worktree', 'add', '--detach', '--force', root, commit)
    const packages = await packagesOf(root)
    await linkModules(root, packages)
    for (const folder of packages) await run(process.execPath, [join(root, 'build.mjs')], { cwd: folder })
    return { root, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function packagesOf(root: string): Promise<string[]> {
  const found = await Promise.all(
    PACKAGES.map(async (folder) =>
      (await readdir(join(root, folder)).catch(() => [])).map((name) => join(root, folder, name)),
    ),
  )
  return found.flat().filter((folder) => existsSync(join(folder, 'src')) && existsSync(join(folder, 'package.json')))
}

/** Links the installed third-party packages, and the project's own packages of the older version. */
async function linkModules(root: string, packages: readonly string[]): Promise<void> {
  const modules = join(root, 'node_modules')
  await mkdir(join(modules, '@paraph'), { recursive: true })
  for (const name of await readdir(join(ROOT, 'node_modules')))
    if (name !== '@paraph') await symlink(join(ROOT, 'node_modules', name), join(modules, name))
  for (const folder of packages) await symlink(folder, join(modules, '@paraph', folder.split('/').at(-1)!))
}
