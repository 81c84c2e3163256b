// Creates accounts and keys for a test file, with the operator procedures that `paraph` calls.
import { readFile } from 'node:fs/promises'
import { pathsOf } from '@paraph/paraph/installation/data-folder'
import { createOperatorClient, type OperatorAccess } from '@paraph/paraph/operator-client'

interface Options {
  name?: string
  email?: string
  /** The rate limit and the quota of `load` are too high for a test to reach. */
  tier?: string
  scopes?: ('contracts:read' | 'contracts:write')[]
}

/** Creates an account with a production key and a sandbox key. */
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
