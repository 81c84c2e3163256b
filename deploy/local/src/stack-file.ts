// What tools and tests may rely on: `stack.json`, and `internal.json` for the operator's command line. [local-stack]
import { rm } from 'node:fs/promises'
import { SERVICES } from '@paraph/protocol/caller'
import { addressesOf } from './addresses.js'
import { OPERATOR_EMAIL, OWNER_EMAIL } from './people.js'
import type { DataPaths } from './data-folder.js'
import type { DemoAccount } from './demo-account.js'
import { internalUrl, superuserUrl } from './environment.js'
import type { Ports } from './ports.js'
import { writePrivateFile } from './private-file.js'
import type { Secrets } from './secrets.js'

interface StackFacts {
  ports: Ports
  secrets: Secrets
  demo: DemoAccount
  pids: Record<string, number | undefined>
  eventBus?: 'postgres' | 'kafka'
}

/** Content of `stack.json`. */
function stackFacts({ ports, secrets, demo, pids, eventBus = 'postgres' }: StackFacts): Record<string, unknown> {
  return {
    ...addressesOf(ports),
    databaseUrl: superuserUrl({ ports, secrets }),
    eventBus,
    liveKey: demo.liveKey,
    testKey: demo.testKey,
    ownerEmail: OWNER_EMAIL,
    operatorEmail: OPERATOR_EMAIL,
    pids,
  }
}

/** Content of `internal.json`. */
function internalFacts({ ports, secrets }: Pick<StackFacts, 'ports' | 'secrets'>): Record<string, string> {
  return {
    ...Object.fromEntries(SERVICES.map((service) => [`${service}Url`, internalUrl(ports, service)])),
    operatorKey: secrets.callerKeys.operator.private,
  }
}

/** Writes both files in one step each. */
export async function writeStackFiles(paths: DataPaths, facts: StackFacts): Promise<void> {
  await writePrivateFile(paths.internal, `${JSON.stringify(internalFacts(facts), undefined, 2)}\n`)
  await writePrivateFile(paths.stack, `${JSON.stringify(stackFacts(facts), undefined, 2)}\n`)
}

/** Removes both: nobody should begin to use a stack that stops. */
export async function removeStackFiles(paths: DataPaths): Promise<void> {
  await Promise.all([rm(paths.stack, { force: true }), rm(paths.internal, { force: true })])
}
