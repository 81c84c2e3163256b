// Creates, once for a run, everything that is the same in the first start of every stack: secrets with their keys and certificates, the
// server's folder, roles and migrated databases. Each test gets a copy (local-stack.ts) and continues like a second start. It excludes
// all that differs between stacks: ports, the demo account and its keys. Other tests cover first starts.
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
