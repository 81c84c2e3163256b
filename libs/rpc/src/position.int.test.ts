import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { createRestoreGuard } from '@paraph/background/restore-guard'
import { createDatabase, openPool } from '@paraph/database/pool'
import { withClient } from '@paraph/database/provision'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import type { ServiceName } from '@paraph/protocol/services'
import { createLogger } from '@paraph/telemetry/logger'
import { initTRPC } from '@trpc/server'
import { openRpcFixture } from '../test/caller-fixture.js'
import { exchangeWith, withPosition } from './position.js'

const logger = createLogger('test', 'silent')

let clones: Record<'signing' | 'contract', TestDatabase>
let close: () => Promise<void>
let guardOfSigning: (accept?: boolean) => ReturnType<typeof createRestoreGuard>

beforeEach(async () => {
  clones = { signing: await cloneTestDatabase('signing'), contract: await cloneTestDatabase('contract') }
  const [signing, contract] = [clones.signing, clones.contract].map(({ url }) =>
    createDatabase<unknown>(openPool(url, { warn: () => undefined })),
  ) as [ReturnType<typeof createDatabase<unknown>>, ReturnType<typeof createDatabase<unknown>>]
  const router = withPosition(initTRPC.create().router({}), contract, 'contract')
  const link = await openRpcFixture({ caller: 'signing', callee: 'contract', router })
  guardOfSigning = (accept = false) =>
    createRestoreGuard({
      database: signing,
      service: 'signing',
      others: { contract: exchangeWith(link) },
      accept,
      logger,
    })
  close = async () => {
    await link.close()
    await Promise.all([signing.destroy(), contract.destroy()])
    await Promise.all(Object.values(clones).map((clone) => clone.drop()))
  }
})
afterEach(() => close())

async function startOnce(accept?: boolean): Promise<void> {
  const guard = guardOfSigning(accept)
  await guard.start()
  await guard.stop()
}

/** Moves what the database of `where` has of `service` ahead by hours, as if `service` itself went back by as much. */
const ahead = (where: 'signing' | 'contract', service: ServiceName) =>
  withClient(clones[where].ownerUrl, (owner) =>
    owner.query('update database_position set position = position + 120 where service = $1', [service]),
  )

it('databases of one moment agree, also at later starts [P40]', async () => {
  await startOnce()
  await expect(startOnce()).resolves.toBeUndefined()
})

it('a service whose database was restored alone refuses to start and names the page [P40]', async () => {
  await startOnce()
  await ahead('contract', 'signing')
  await expect(startOnce()).rejects.toThrow(
    /^The database of signing is older .*restored alone.*docs\/how-to\/operators\/backup-restore\.md/,
  )
  await expect(startOnce()).rejects.toThrow('The database of signing')
})

it('a service refuses to start beside a service whose database was restored alone [P40]', async () => {
  await startOnce()
  await ahead('signing', 'contract')
  await expect(startOnce()).rejects.toThrow('The database of contract is older than the database of signing')
})

it.each([
  ['contract', 'signing'],
  ['signing', 'contract'],
] as const)(
  'ACCEPT_MIXED_RESTORE takes what %s remembers of %s as it is, for later starts too [P40]',
  async (where, service) => {
    await startOnce()
    await ahead(where, service)
    await startOnce(true)
    await expect(startOnce()).resolves.toBeUndefined()
  },
)

it('a start does not wait for a service that is not there [P40, D32]', async () => {
  await startOnce()
  await ahead('contract', 'signing')
  await withClient(clones.contract.ownerUrl, (owner) => owner.query('alter table database_position rename to away'))
  await expect(startOnce()).resolves.toBeUndefined()
})
