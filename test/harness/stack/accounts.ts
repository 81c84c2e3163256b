// Accounts for one test file, created like an operator's: over the operator procedures of the services.
import { readFile } from 'node:fs/promises'
import { pathsOf } from '@paraph/paraph/installation/data-folder'
import { createOperatorClient, type OperatorAccess } from '@paraph/paraph/operator-client'

interface Options {
  name?: string
  email?: string
  /** `load` has no window and no quota that a test could reach. */
  tier?: string
  scopes?: ('contracts:read' | 'contracts:write')[]
}

/** Creates an account with a key for binding contracts and one for sandbox contracts. */
export async function createAccount(
  folder: string,
  {
    name = 'Demo Company',
    email = 'owner@example.test',
    tier = 'load',
    scopes = ['contracts:read', 'contracts:write'],
  }: Options = {},
): Promise<{ accountId: string; liveKey: string; testKey: string }> {
  const { gateway, close } = createOperatorClient(
    JSON.parse(await readFile(pathsOf(folder).internal, 'utf8')) as OperatorAccess,
  )
  try {
    const { account } = await gateway.account.create.mutate({ name, email, tier })
    const createKey = async (environment: 'live' | 'test') =>
      (await gateway.key.create.mutate({ accountId: account.id, environment, scopes })).key.secret
    return { accountId: account.id, liveKey: await createKey('live'), testKey: await createKey('test') }
  } finally {
    await close()
  }
}
