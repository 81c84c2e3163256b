// The account that a first start makes, with a live and a test key. The database has only the keys' hashes: the keys
// themselves are kept here. [local-stack]
import { z } from 'zod'
import type { DataPaths } from './data-folder.js'
import type { OperatorClient } from './operator-client.js'
import { OWNER_EMAIL } from './people.js'
import { readKeptFile, writePrivateFile } from './private-file.js'

const NAME = 'Demo Company'
const TIER = 'growth'
const demoAccountSchema = z.object({ accountId: z.string(), liveKey: z.string(), testKey: z.string() })

export type DemoAccount = z.infer<typeof demoAccountSchema>

/**
 * The demo account and its keys, made on the first start. A start that was killed half-way is continued: the account is
 * found by its name, and keys that nobody kept are made anew.
 * @throws Refusal when the file is broken
 */
export async function openDemoAccount(
  paths: DataPaths,
  { gateway }: Pick<OperatorClient, 'gateway'>,
): Promise<DemoAccount> {
  const remedy = 'Delete it, and the demo account gets a new live and a new test key.'
  const kept = await readKeptFile(paths.demoAccount, demoAccountSchema, remedy)
  if (kept) return kept
  const { accounts } = await gateway.account.list.query()
  const existing = accounts.find(({ name }) => name === NAME)
  const accountId =
    existing?.id ??
    (await gateway.account.create.mutate({ name: NAME, email: OWNER_EMAIL, tier: TIER, actor: 'service' })).account.id
  const makeKey = async (environment: 'live' | 'test') => {
    const { key } = await gateway.key.create.mutate({
      accountId,
      environment,
      scopes: ['contracts:read', 'contracts:write'],
      // Nobody made them, so nobody is told by mail.
      actor: 'service',
    })
    return key.secret
  }
  const demo = { accountId, liveKey: await makeKey('live'), testKey: await makeKey('test') }
  await writePrivateFile(paths.sandboxKey, `${demo.testKey}\n`)
  await writePrivateFile(paths.demoAccount, `${JSON.stringify(demo, undefined, 2)}\n`)
  return demo
}
