// Parses the command and the options after `paraph`. Pure. After wrong usage the program exits with 2.
import { parseArgs } from 'node:util'
import type { Command, Section } from './command.js'
import { didYouMean, groupOf, helpOf, overview, usageLine, verbOf } from './help.js'

type CommandLine =
  | { kind: 'run'; command: Command; values: Record<string, string> }
  | { kind: 'help'; text: string }
  | { kind: 'version' }
  /** Wrong usage: exit 2, with one sentence and the usage of the command or its group. */
  | { kind: 'wrong'; sentence: string; usage: string }

/** Finds the command and validates its options. */
export function parseCommandLine(args: readonly string[], sections: readonly Section[]): CommandLine {
  const commands = sections.flatMap((section) => section.commands)
  const words = args.slice(0, args.findIndex((arg) => arg.startsWith('-')) >>> 0)
  const asksHelp = words[0] === 'help' || args.includes('--help') || args.includes('-h')
  const [group, verb] = words[0] === 'help' ? words.slice(1) : words
  if (group === 'version' || (group === undefined && args.includes('--version'))) return { kind: 'version' }
  if (group === undefined) {
    return asksHelp || args.length === 0
      ? { kind: 'help', text: overview(sections) }
      : wrong('Name a command before the options.')
  }
  const ofGroup = commands.filter((each) => groupOf(each) === group)
  if (ofGroup.length === 0) return wrong(`There is no command ${group}.${didYouMean([group, verb], commands)}`)
  // A command without a verb is the only one of its group.
  const whole = ofGroup.find(({ name }) => name === group)
  if (whole) return asksHelp ? { kind: 'help', text: helpOf([whole]) } : parseOptions(whole, args.slice(1))
  if (verb === undefined) {
    return asksHelp
      ? { kind: 'help', text: helpOf(ofGroup) }
      : { kind: 'wrong', sentence: `Name a command of ${group}.`, usage: helpOf(ofGroup) }
  }
  const command = ofGroup.find((each) => verbOf(each) === verb)
  if (!command) return wrong(`There is no command ${group} ${verb}.${didYouMean([group, verb], commands)}`, group)
  if (asksHelp) return { kind: 'help', text: helpOf([command]) }
  return parseOptions(command, args.slice(2))
}

function parseOptions(command: Command, args: readonly string[]): CommandLine {
  const refuse = (sentence: string): CommandLine => ({ kind: 'wrong', sentence, usage: `Usage: ${usageLine(command)}` })
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
    return refuse(optionError(error, command))
  }
  const values: Record<string, string> = {}
  if (command.operand) {
    const { name, value, optional } = command.operand
    const [operand, ...more] = operands
    if (more.length > 0) return refuse(`Give one ${value}, not ${operands.length}.`)
    if (operand) values[name] = operand
    else if (!optional) return refuse(`The ${value} is missing.`)
  }
  for (const [option, rule] of Object.entries(command.options)) {
    const value = parsed[option] === true ? 'yes' : parsed[option]
    if (typeof value !== 'string' || value === '') {
      if (rule.required) return refuse(`The option --${option} is missing.`)
      continue
    }
    if (rule.oneOf && !rule.oneOf.includes(value))
      return refuse(`The option --${option} must be ${rule.oneOf.join(' or ')}.`)
    values[option] = value
  }
  return { kind: 'run', command, values }
}

/** The sentence about an error of parseArgs, whose first sentence or line names the option. */
function optionError(error: unknown, { options }: Command): string {
  const message = error instanceof Error ? error.message : ''
  const unknown = (error as { code?: unknown }).code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
  const [, option] = /'(-[^']*)'/.exec(message) ?? []
  if (unknown && option !== undefined) {
    const known = [...Object.keys(options), 'json', 'help'].map((each) => ({ name: `--${each}` }))
    return `There is no option ${option}.${didYouMean([option], known)}`
  }
  return `${message.split(/\. |\n/)[0]?.replace(/\.$/, '')}.`
}

const wrong = (sentence: string, group?: string): CommandLine => ({
  kind: 'wrong',
  sentence,
  usage: `Run paraph ${group ? `${group} ` : ''}--help for the commands.`,
})
