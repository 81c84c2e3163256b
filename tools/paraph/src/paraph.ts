// The operator's command line: finds the running stack, runs one command and prints the result. [local-stack]
// Exit codes: 0 done, 1 refused (with a sentence on standard error) or a check failed, 2 wrong usage, 3 a check was incomplete.
import { refusalOf } from '@paraph/rpc/link'
import type { Command, Said, Section } from './command.js'
import { parseCommandLine } from './command-line.js'
import { accountCommands, applicationCommands, auditCommands, subscriptionCommands } from './commands/account.js'
import { addressCommands } from './commands/address.js'
import { contractCommands, reportCommands } from './commands/contract.js'
import { doctorCommand } from './commands/doctor.js'
import { documentsCommands } from './commands/documents.js'
import { evidenceCommands } from './commands/evidence.js'
import { keyCommands } from './commands/key.js'
import { passkeyCommands } from './commands/passkey.js'
import { mailCommands } from './commands/mail.js'
import { messagingCommands } from './commands/messaging.js'
import { secretsCommands } from './commands/secrets.js'
import { topicsCommands } from './commands/topics.js'
import { auditVerifyCommand, verifyCommands } from './commands/verify.js'
import { readConfig, type LauncherConfig } from './config.js'
import { pathsOf } from './installation/data-folder.js'
import { createOperatorClient, operatorAccessSchema, type OperatorAccess } from './operator-client.js'
import { readJsonFile } from '@paraph/config/private-file'
import { UserError } from '@paraph/config/refusal'
import { readVersion } from './version.js'

/** Every command after `paraph`, in the sections of the help. */
export const COMMANDS: readonly Section[] = [
  {
    title: 'Accounts',
    commands: [
      ...accountCommands,
      ...applicationCommands,
      ...subscriptionCommands,
      ...keyCommands,
      ...passkeyCommands,
      ...auditCommands,
      auditVerifyCommand,
    ],
  },
  { title: 'Contracts', commands: [...contractCommands, ...evidenceCommands, ...documentsCommands, ...reportCommands] },
  { title: 'Mail and events', commands: [...mailCommands, ...messagingCommands] },
  {
    title: 'Installation',
    commands: [doctorCommand, ...addressCommands, ...secretsCommands, ...topicsCommands, ...verifyCommands],
  },
]

/** Parses and runs one command. @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  const line = parseCommandLine(args, COMMANDS)
  const asJson = args.includes('--json')
  if (line.kind === 'help') return print(process.stdout, line.text, 0)
  if (line.kind === 'wrong') {
    const { sentence, usage } = line
    return print(process.stderr, asJson ? errorJson(sentence, 'wrong_usage') : `${sentence}\n\n${usage}`, 2)
  }
  if (line.kind === 'version') {
    const { answer, text } = await readVersion()
    return print(process.stdout, asJson ? JSON.stringify(answer) : text, 0)
  }
  try {
    const { answer, text, isWell = true, isOpen = false } = await run(line.command, line.values)
    return print(process.stdout, asJson ? JSON.stringify(answer) : text, !isWell ? 1 : isOpen ? 3 : 0)
  } catch (error) {
    return print(process.stderr, asJson ? errorJson(sentenceOf(error), codeOf(error)) : sentenceOf(error), 1)
  }
}

const errorJson = (error: string, code: string): string => JSON.stringify({ error, code })

/** The code of a failure: that of the service that refused, `refused` for a refusal of this program, else `unavailable`. */
const codeOf = (error: unknown): string =>
  error instanceof UserError ? 'refused' : (refusalOf(error)?.code ?? 'unavailable')

async function run(command: Command, values: Readonly<Record<string, string>>): Promise<Said> {
  const config = readConfig()
  if ('runAlone' in command) return command.runAlone(config, values)
  const client = createOperatorClient({ ...(await findStack(config)), operatorName: config.operatorName })
  try {
    return await command.run(client, values)
  } finally {
    await client.close()
  }
}

/** The internal addresses of the services: from the environment (in the image), else from the file of the running local stack. */
async function findStack({ internal, dataFolder }: LauncherConfig): Promise<OperatorAccess> {
  const configured = operatorAccessSchema.safeParse(internal)
  if (configured.success) return configured.data
  const running = operatorAccessSchema.safeParse(
    await readJsonFile(pathsOf(dataFolder).internal).catch(() => undefined),
  )
  if (running.success) return running.data
  throw new UserError(
    `No running Paraph stack uses the data folder ${dataFolder}. Run npm start in another terminal, or set PARAPH_GATEWAY_INTERNAL_URL, PARAPH_CONTRACT_INTERNAL_URL, PARAPH_SIGNING_INTERNAL_URL, PARAPH_NOTIFICATION_INTERNAL_URL and PARAPH_OPERATOR_KEY.`,
  )
}

/** The text of an error for a person: one sentence, or one line per invalid field. */
export function sentenceOf(error: unknown): string {
  if (error instanceof UserError) return error.message
  const refusal = refusalOf(error)
  // A refusal with a cause was made on this side of the connection.
  if (!refusal || refusal.cause !== undefined) return 'Paraph does not answer. Check that it still runs, and try again.'
  if (!refusal.issues?.length) return refusal.message
  // Most messages begin with the name of their field.
  return refusal.issues
    .map(({ path, message }) => (message.startsWith(path) ? message : `${path}: ${message}`))
    .join('\n')
}

function print(stream: NodeJS.WriteStream, text: string, code: number): number {
  stream.write(`${text}\n`)
  return code
}
