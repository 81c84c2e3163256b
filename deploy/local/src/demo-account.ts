// The demo account of the first start, with a live and a test key. The database stores only hashes of the keys; the keys
// themselves are in a file. [local-stack]
import { z } from 'zod'
import type { DataPaths } from '@paraph/paraph/installation/data-folder'
import type { OperatorClient } from '@paraph/paraph/operator-client'
import { OWNER_EMAIL } from '@paraph/paraph/installation/environment'
import { readPrivateFile, writePrivateFile } from '@paraph/config/private-file'

const NAME = 'Demo Company'
const TIER = 'growth'
const demoAccountSchema = z.object({ accountId: z.string(), liveKey: z.string(), testKey: z.string() })

export type DemoAccount = z.infer<typeof demoAccountSchema>

/**
 * Returns the demo account and its keys; creates them on the first start. After a killed start, finds the account by its name and creates
 * new keys in place of the lost ones.
 * @throws UserError when the file is broken
 */
export async function openDemoAccount(paths: DataPaths, { gateway }: OperatorClient): Promise<DemoAccount> {
  const remedy = 'Delete it, and the demo account gets a new live and a new test key.'
  const kept = await readPrivateFile(paths.demoAccount, demoAccountSchema, remedy)
  if (kept) return kept
  const { accounts } = await gateway.account.list.query()
  const existing = accounts.find(({ name }) => name === NAME)
  const accountId =
    existing?.id ?? (await gateway.account.create.mutate({ name: NAME, email: OWNER_EMAIL, tier: TIER })).account.id
  const makeKey = async (environment: 'live' | 'test') => {
    const { key } = await gateway.key.create.mutate({
      accountId,
      environment,
      scopes: ['contracts:read', 'contracts:write'],
    })
    return key.secret
  }
  const demo = { accountId, liveKey: await makeKey('live'), testKey: await makeKey('test') }
  await writePrivateFile(paths.sandboxKey, `${demo.testKey}\n`)
  await writePrivateFile(paths.demoAccount, `${JSON.stringify(demo, undefined, 2)}\n`)
  return demo
}
