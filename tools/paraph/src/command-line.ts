// Parses the command and the options after `paraph`. Pure. After wrong usage the program exits with 2.
import { parseArgs } from 'node:util'
import type { LauncherConfig } from './config.js'
import type { OperatorClient } from './operator-client.js'
import { formatTable, type TableRow } from './table.js'

interface OptionRule {
  /** Placeholder of the value in the usage line. Without a placeholder, the option is a flag, whose value is `yes`. */
  value?: string
  required?: true
  /** The allowed values. Without `oneOf`, any value is allowed. */
  oneOf?: readonly string[]
}

type OptionRules = Readonly<Record<string, OptionRule>>
type Values = Readonly<Record<string, string>>
type ValuesOf<Rules extends OptionRules> = {
  readonly [Name in keyof Rules]: Rules[Name] extends { required: true } ? string : string | undefined
}

/**
 * The result of a command. `--json` prints `answer`; otherwise the program prints `text`. `isWell: false` (exit 1): a check failed.
 * `isOpen` (exit 3): no check failed, but not everything could be checked.
 */
export interface Said {
  answer: unknown
  text: string
  isWell?: boolean
  isOpen?: boolean
}

interface Description<Rules extends OptionRules = OptionRules> {
  name: string
  purpose: string
  options: Rules
  /** A required positional argument. */
  operand?: { name: string; value: string }
}

export type Command = Description &
  (
    | {
        /** Calls the services. */
        run: (client: OperatorClient, values: Values) => Promise<Said>
      }
    | {
        /** Needs no service, only the settings. */
        runAlone: (config: LauncherConfig, values: Values) => Promise<Said>
      }
  )

/** A required option. @param value its placeholder */
export const needed = (value: string) => ({ value, required: true }) as const

/** A command that makes one call and prints its answer with `text`. */
export function callCommand<const Rules extends OptionRules, Answer>({
  call,
  text,
  ...description
}: Description<Rules> & {
  call: (client: OperatorClient, values: ValuesOf<Rules>) => Promise<Answer>
  text: (answer: Answer) => string
}): Command {
  const run = async (client: OperatorClient, values: Values): Promise<Said> => {
    const answer = await call(client, values as ValuesOf<Rules>)
    return { answer, text: text(answer) }
  }
  return { ...description, run }
}

/** A table of `rows`, or the sentence `none` if there are no rows. */
export const tableOr = (rows: readonly TableRow[], none: string): string =>
  rows.length === 0 ? none : formatTable(rows)

type CommandLine =
  | { kind: 'run'; command: Command; values: Record<string, string>; json: boolean }
  | { kind: 'help'; text: string }
  /** Wrong usage: exit 2, with one sentence. */
  | { kind: 'wrong'; sentence: string }

/** Finds the command and validates its options. */
export function parseCommandLine(args: readonly string[], commands: readonly Command[]): CommandLine {
  const words = args.slice(0, args.findIndex((arg) => arg.startsWith('-')) >>> 0)
  if (words.length === 0)
    return args.length === 0 || isHelp(args) ? { kind: 'help', text: usage(commands) } : unknown('')
  const name = words.slice(0, 2).join(' ')
  const command = commands.find((each) => each.name === name)
  if (!command) return unknown(name)
  if (isHelp(args)) return { kind: 'help', text: usage([command]) }
  return parseOptions(command, args.slice(2))
}

function parseOptions(command: Command, args: readonly string[]): CommandLine {
  const wrong = (error: string): CommandLine => ({ kind: 'wrong', sentence: `${error} Usage: ${usageLine(command)}` })
  let parsed: Record<string, string | boolean | undefined>
  let operands: string[]
  try {
    const read = parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean' },
        ...Object.fromEntries(
          Object.entries(command.options).map(([option, { value }]) => [
            option,
            { type: value === undefined ? ('boolean' as const) : ('string' as const) },
          ]),
        ),
      },
      strict: true,
      allowPositionals: command.operand !== undefined,
    })
    parsed = read.values as Record<string, string | boolean | undefined>
    operands = read.positionals
  } catch (error) {
    return wrong(`${error instanceof Error ? error.message.split('. ')[0] : 'The options cannot be read'}.`)
  }
  const values: Record<string, string> = {}
  if (command.operand) {
    const [operand, ...more] = operands
    if (operand === undefined || more.length > 0) return wrong(`One ${command.operand.value} is needed.`)
    values[command.operand.name] = operand
  }
  for (const [option, rule] of Object.entries(command.options)) {
    const value = parsed[option] === true ? 'yes' : parsed[option]
    if (typeof value !== 'string' || value === '') {
      if (rule.required) return wrong(`The option --${option} is missing.`)
      continue
    }
    if (rule.oneOf && !rule.oneOf.includes(value))
      return wrong(`The option --${option} must be ${rule.oneOf.join(' or ')}.`)
    values[option] = value
  }
  return { kind: 'run', command, values, json: parsed['json'] === true }
}

/** Usage and purpose of each command. */
export function usage(commands: readonly Command[]): string {
  return commands.map((command) => `  ${usageLine(command)}\n      ${command.purpose}`).join('\n')
}

function usageLine({ name, options, operand }: Command): string {
  const parts = Object.entries(options).map(([option, { value, required }]) => {
    const typed = value === undefined ? `--${option}` : `--${option} ${value}`
    return required ? typed : `[${typed}]`
  })
  return ['paraph', name, ...(operand ? [operand.value] : []), ...parts, '[--json]'].join(' ')
}

const isHelp = (args: readonly string[]): boolean => args.includes('--help') || args.includes('-h')

const unknown = (name: string): CommandLine => ({
  kind: 'wrong',
  sentence: `There is no command ${name || 'of that name'}. Run paraph --help for the list.`,
})
