// The files for tools and tests: `stack.json`, and `internal.json` for the command line. [local-stack]
import { rm } from 'node:fs/promises'
import { SERVICES } from '@paraph/protocol/services'
import { addressesOf } from '@paraph/paraph/installation/addresses'
import { OPERATOR_EMAIL, OWNER_EMAIL } from '@paraph/paraph/installation/people'
import type { DataPaths } from '@paraph/paraph/installation/data-folder'
import type { DemoAccount } from './demo-account.js'
import { internalUrl, superuserUrl } from '@paraph/paraph/installation/environment'
import type { Ports } from '@paraph/paraph/installation/ports'
import { writePrivateFile } from '@paraph/config/private-file'
import type { Secrets } from '@paraph/paraph/installation/secrets'

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

/** Writes both files, each atomically. */
export async function writeStackFiles(paths: DataPaths, facts: StackFacts): Promise<void> {
  await writePrivateFile(paths.internal, `${JSON.stringify(internalFacts(facts), undefined, 2)}\n`)
  await writePrivateFile(paths.stack, `${JSON.stringify(stackFacts(facts), undefined, 2)}\n`)
}

/** Removes both, so that no tool starts to use a stopping stack. */
export async function removeStackFiles(paths: DataPaths): Promise<void> {
  await Promise.all([rm(paths.stack, { force: true }), rm(paths.internal, { force: true })])
}
