// Reads what was typed after `paraph`: which command, which options. Pure. Exit 2 is for what this file refuses.
import { parseArgs } from 'node:util'
import type { OperatorClient } from './operator-client.js'

interface OptionRule {
  /** What stands after the option in the usage line. */
  value: string
  required: boolean
  /** Every value that is allowed; any where it is left out. */
  oneOf?: readonly string[]
}

export interface Command {
  name: string
  purpose: string
  options: Readonly<Record<string, OptionRule>>
  /** Asks the services. `answer` is the object that `--json` prints, `text` what a person reads. */
  run: (client: OperatorClient, values: Readonly<Record<string, string>>) => Promise<{ answer: unknown; text: string }>
}

type CommandLine =
  | { kind: 'run'; command: Command; values: Record<string, string>; json: boolean }
  | { kind: 'help'; text: string }
  /** Exit 2, with one sentence. */
  | { kind: 'wrong'; sentence: string }

/**
 * Finds the command and checks its options.
 * @param later names of commands that this version does not have yet
 */
export function parseCommandLine(
  args: readonly string[],
  commands: readonly Command[],
  later: readonly string[],
): CommandLine {
  const words = args.slice(0, args.findIndex((arg) => arg.startsWith('-')) >>> 0)
  if (words.length === 0)
    return args.length === 0 || isHelp(args) ? { kind: 'help', text: usage(commands) } : unknown('')
  const name = words.slice(0, 2).join(' ')
  if (later.includes(name)) return { kind: 'wrong', sentence: `The command ${name} is not there yet in this version.` }
  const command = commands.find((each) => each.name === name)
  if (!command) return unknown(name)
  if (isHelp(args)) return { kind: 'help', text: usage([command]) }
  return parseOptions(command, args.slice(2))
}

function parseOptions(command: Command, args: readonly string[]): CommandLine {
  const wrong = (fault: string): CommandLine => ({ kind: 'wrong', sentence: `${fault} Usage: ${usageLine(command)}` })
  let parsed: Record<string, string | boolean | undefined>
  try {
    parsed = parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean' },
        ...Object.fromEntries(Object.keys(command.options).map((option) => [option, { type: 'string' as const }])),
      },
      strict: true,
      allowPositionals: false,
    }).values as Record<string, string | boolean | undefined>
  } catch (error) {
    return wrong(`${error instanceof Error ? error.message.split('. ')[0] : 'The options cannot be read'}.`)
  }
  const values: Record<string, string> = {}
  for (const [option, rule] of Object.entries(command.options)) {
    const value = parsed[option]
    if (typeof value !== 'string' || value === '') {
      if (rule.required) return wrong(`The option --${option} is missing.`)
      continue
    }
    if (rule.oneOf && !rule.oneOf.includes(value))
      return wrong(`The option --${option} takes ${rule.oneOf.join(' or ')}.`)
    values[option] = value
  }
  return { kind: 'run', command, values, json: parsed['json'] === true }
}

/** One line per command, as in a manual. */
export function usage(commands: readonly Command[]): string {
  return commands.map((command) => `  ${usageLine(command)}\n      ${command.purpose}`).join('\n')
}

function usageLine({ name, options }: Command): string {
  const parts = Object.entries(options).map(([option, { value, required }]) =>
    required ? `--${option} ${value}` : `[--${option} ${value}]`,
  )
  return ['paraph', name, ...parts, '[--json]'].join(' ')
}

const isHelp = (args: readonly string[]): boolean => args.includes('--help') || args.includes('-h')

const unknown = (name: string): CommandLine => ({
  kind: 'wrong',
  sentence: `There is no command ${name || 'of that name'}. Run paraph --help for the list.`,
})
