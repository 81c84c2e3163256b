// The files for tools and tests: `stack.json`, and `internal.json` for the command line. [local-stack]
import { rm } from 'node:fs/promises'
import { addressesOf } from '@paraph/paraph/installation/addresses'
import type { DataPaths } from '@paraph/paraph/installation/data-folder'
import type { DemoAccount } from './demo-account.js'
import {
  internalUrl,
  OPERATOR_EMAIL,
  OWNER_EMAIL,
  superuserUrl,
  type Basis,
} from '@paraph/paraph/installation/environment'
import { writePrivateFile } from '@paraph/config/private-file'
import type { OperatorAccess } from '@paraph/paraph/operator-client'

/** The internal addresses of the services and the operator's key. */
export const operatorAccess = ({ ports, secrets }: Basis): OperatorAccess => ({
  gatewayUrl: internalUrl(ports, 'gateway'),
  contractUrl: internalUrl(ports, 'contract'),
  signingUrl: internalUrl(ports, 'signing'),
  notificationUrl: internalUrl(ports, 'notification'),
  operatorKey: secrets.callerKeys.operator.private,
})

interface StackData extends Basis {
  demo: DemoAccount
  pids: Record<string, number | undefined>
}

/** Writes both files, each atomically. */
export async function writeStackFiles(paths: DataPaths, data: StackData): Promise<void> {
  const { eventBus = 'postgres', ports, demo, pids } = data
  const stack = {
    ...addressesOf(ports),
    databaseUrl: superuserUrl(data),
    eventBus,
    liveKey: demo.liveKey,
    testKey: demo.testKey,
    ownerEmail: OWNER_EMAIL,
    operatorEmail: OPERATOR_EMAIL,
    pids,
  }
  await writePrivateFile(paths.internal, `${JSON.stringify(operatorAccess(data), undefined, 2)}\n`)
  await writePrivateFile(paths.stack, `${JSON.stringify(stack, undefined, 2)}\n`)
}

/** Removes both, so that no tool starts to use a stopping stack. */
export async function removeStackFiles(paths: DataPaths): Promise<void> {
  await Promise.all([rm(paths.stack, { force: true }), rm(paths.internal, { force: true })])
}
