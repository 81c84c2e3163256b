// Starts one stack for each worker of the jest project e2e, once per run (harness/stack/shared-stack.ts).
import { SHARED_STACKS } from '../harness/stack/shared-stack.js'
import { makeDataFolder, startStack } from '../harness/stack/local-stack.js'
import { atEnd } from './at-end.js'
import stackTemplate from './stack-template.js'

export default async function setup({ maxWorkers }: { maxWorkers: number }): Promise<void> {
  await stackTemplate()
  const stacks = await Promise.all(Array.from({ length: maxWorkers }, async () => startStack(await makeDataFolder())))
  process.env[SHARED_STACKS] = stacks.map(({ folder }) => folder).join(':')
  // Some tests send calls without a test client, for example with curl. So the usage may exceed the receipts of the test clients.
  atEnd(async () => void (await Promise.all(stacks.map((stack) => stack.close({ receipts: 'at least' })))))
}
