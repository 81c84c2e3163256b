// The stack that the test files of one worker share. test/runner/shared-stacks.ts starts one stack per worker. At the end of the run, it
// checks every row against the invariants and stops the stacks. Each file has a separate account, so files do not affect each other.
import { faultsFound } from '../clients/answer-check.js'
import { createAccount } from './accounts.js'
import { databaseUrlOf, makeDataFolder, readStackFile, startStack, type StackFile } from './local-stack.js'
import { compareReceipts } from './receipts.js'

/** Environment variable of a test run with the data folders of the stacks, one per worker, joined by `:`. */
export const SHARED_STACKS = 'PARAPH_SHARED_STACKS'

export interface SharedStack {
  folder: string
  /** `stack.json`, but with the keys of the test file's own account. */
  stack: StackFile
  accountId: string
  /**
   * Compares the counted calls of the file's keys with the receipts of the test clients. A shared stack continues to run.
   * @param receipts see receipts.ts
   */
  close(options?: { receipts?: 'equal' | 'at least' }): Promise<void>
}

/**
 * Returns the stack of this worker with a new account, or starts a stack if the run shares none (the deep tier). A test that stops a
 * service, plants a violation or changes a setting must call `startStack` instead.
 */
export async function joinStack(): Promise<SharedStack> {
  const folders = process.env[SHARED_STACKS]?.split(':')
  const own = folders ? undefined : await startStack(await makeDataFolder())
  const folder = own?.folder ?? folders?.[Number(process.env['JEST_WORKER_ID']) - 1]
  const shared = own?.stack ?? (folder === undefined ? undefined : await readStackFile(folder))
  if (folder === undefined || shared === undefined) throw new Error('The stack of this worker does not run.')
  const { accountId, ...keys } = await createAccount(folder)
  return {
    folder,
    stack: { ...shared, ...keys },
    accountId,
    async close({ receipts = 'equal' } = {}) {
      if (own) return own.close({ receipts })
      await compareReceipts({ apiUrl: shared.apiUrl, gatewayDatabaseUrl: databaseUrlOf(shared, 'gateway') }, receipts)
      if (faultsFound.length > 0) throw new Error(faultsFound.join('\n'))
    },
  }
}
