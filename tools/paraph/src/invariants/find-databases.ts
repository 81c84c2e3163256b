// Where the databases are that are to be looked at: from the environment, else from the files of the running local stack.
import { z } from 'zod'
import type { LauncherConfig } from '../config.js'
import { pathsOf } from '../installation/data-folder.js'
import { readJsonFile } from '@paraph/config/private-file'
import { UserError } from '@paraph/config/refusal'
import type { DatabaseUrls } from '@paraph/verify/verify-invariants'

const stackSchema = z.object({ databaseUrl: z.url(), eventBus: z.enum(['postgres', 'kafka']) })

/** @throws UserError that says what to set */
export async function findDatabases({
  verifyUrls: { gateway, contract, signing, notification, bus },
  dataFolder,
}: {
  verifyUrls: Partial<LauncherConfig['verifyUrls']>
  dataFolder: string
}): Promise<DatabaseUrls> {
  if (gateway && contract && signing && notification) return { gateway, contract, signing, notification, bus }
  const stack = stackSchema.safeParse(await readJsonFile(pathsOf(dataFolder).stack).catch(() => undefined))
  if (!stack.success)
    throw new UserError(
      `Paraph does not run on the data folder ${dataFolder}. Run npm start in another terminal, or set PARAPH_VERIFY_GATEWAY_DATABASE_URL, PARAPH_VERIFY_CONTRACT_DATABASE_URL, PARAPH_VERIFY_SIGNING_DATABASE_URL and PARAPH_VERIFY_NOTIFICATION_DATABASE_URL, and PARAPH_VERIFY_BUS_DATABASE_URL where the bus is the embedded one.`,
    )
  return databasesOf(stack.data)
}

/** The databases of a local stack, from what its `stack.json` says. */
export function databasesOf({ databaseUrl, eventBus }: z.infer<typeof stackSchema>): DatabaseUrls {
  const of = (name: string): string => {
    const url = new URL(databaseUrl)
    url.pathname = `/${name}`
    return url.href
  }
  return {
    gateway: of('gateway'),
    contract: of('contract'),
    signing: of('signing'),
    notification: of('notification'),
    bus: eventBus === 'postgres' ? of('bus') : undefined,
  }
}
