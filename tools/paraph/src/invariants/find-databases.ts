// The URLs of the databases to verify: from the environment, else from the files of the running local stack.
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
      `Paraph does not run on the data folder ${dataFolder}. Run npm start in another terminal, or set PARAPH_VERIFY_GATEWAY_DATABASE_URL, PARAPH_VERIFY_CONTRACT_DATABASE_URL, PARAPH_VERIFY_SIGNING_DATABASE_URL and PARAPH_VERIFY_NOTIFICATION_DATABASE_URL, and PARAPH_VERIFY_BUS_DATABASE_URL if the event bus is the embedded bus.`,
    )
  const { databaseUrl, eventBus } = stack.data
  const urlOf = (name: string): string => new URL(`/${name}`, databaseUrl).href
  return {
    gateway: urlOf('gateway'),
    contract: urlOf('contract'),
    signing: urlOf('signing'),
    notification: urlOf('notification'),
    bus: eventBus === 'postgres' ? urlOf('bus') : undefined,
  }
}
