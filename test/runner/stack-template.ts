// Creates a template data folder once per run: secrets with keys and certificates, the folder of Postgres, roles and migrated databases.
// Each stack gets a copy of the template (local-stack.ts), so its start resembles a second start. The template excludes everything that
// differs between stacks: ports, the demo account and its API keys. Tests of first starts do not use the template.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateDatabases, provisionDatabases } from '@paraph/local/databases'
import { pathsOf } from '@paraph/paraph/installation/data-folder'
import { TEMPLATE } from '../harness/stack/local-stack.js'
import { atEnd } from './at-end.js'
import { withServerAlone } from '../harness/stack/server-alone.js'

export default async function setup(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'paraph-template-'))
  await chmod(folder, 0o755)
  await withServerAlone(folder, async (basis) => {
    await provisionDatabases(basis)
    await migrateDatabases(basis)
  })
  await rm(pathsOf(folder).ports)
  process.env[TEMPLATE] = folder
  atEnd(() => rm(folder, { recursive: true, force: true }))
}
