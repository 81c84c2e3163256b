// `paraph address …`: prints an address of the local stack, for a shell: `API=$(npm run -s paraph -- address api)`. [local-stack]
import { z } from 'zod'
import { readJsonFile } from '@paraph/config/private-file'
import { UserError } from '@paraph/config/refusal'
import type { Command } from '../command.js'
import { pathsOf } from '../installation/data-folder.js'

const stackSchema = z.object({ apiUrl: z.url(), consoleUrl: z.url(), docsUrl: z.url(), mailboxUrl: z.url() })
type Stack = z.infer<typeof stackSchema>

const ADDRESSES: readonly { name: string; what: string; of: (stack: Stack) => string }[] = [
  { name: 'api', what: 'the base address of the API', of: ({ apiUrl }) => apiUrl },
  { name: 'console', what: 'the address of the console', of: ({ consoleUrl }) => consoleUrl },
  { name: 'docs', what: 'the address of the documentation for developers', of: ({ docsUrl }) => docsUrl },
  { name: 'home', what: 'the address of the start page', of: ({ mailboxUrl }) => mailboxUrl },
  { name: 'mailbox', what: 'the address of the mailbox', of: ({ mailboxUrl }) => `${mailboxUrl}/mailbox` },
]

export const addressCommands: readonly Command[] = ADDRESSES.map(({ name, what, of }) => ({
  name: `address ${name}`,
  purpose: `Prints ${what} of the local stack that runs now.`,
  options: {},
  async runAlone({ dataFolder }) {
    const stack = stackSchema.safeParse(await readJsonFile(pathsOf(dataFolder).stack).catch(() => undefined))
    if (!stack.success)
      throw new UserError(
        `No running Paraph stack uses the data folder ${dataFolder}. Run npm start in another terminal.`,
      )
    const address = of(stack.data)
    return { answer: { address }, text: address }
  },
}))
