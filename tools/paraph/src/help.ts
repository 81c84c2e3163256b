// The help of `paraph`: the overview, the commands of a group, and "Did you mean".
import { closest, distance } from 'fastest-levenshtein'
import type { Command, Section } from './command.js'
import { bold, formatTable } from './table.js'

const WIDTH_MAX = 100
/** More mistyped characters are another word. */
const DISTANCE_MAX = 2

type Named = Pick<Command, 'name'>

export const groupOf = ({ name }: Named): string => name.split(' ')[0] ?? ''
export const verbOf = ({ name }: Named): string => name.split(' ')[1] ?? ''

/** The groups with their commands, and two examples. */
export function overview(sections: readonly Section[]): string {
  const parts = sections.map(({ title, commands }) => {
    const groups = Map.groupBy(commands, groupOf)
    return `${bold(title)}\n${formatTable([...groups].map(([group, ofGroup]) => [group, ofGroup.map(verbOf).join(', ')]))}`
  })
  return [
    `${bold('paraph')}, the operator's command line of Paraph`,
    'Usage: paraph GROUP COMMAND [OPTIONS]',
    ...parts,
    `${bold('Examples')}\n  paraph account list\n  paraph contract list --account ACCOUNT-ID --status signed`,
    `${bold('Help')}\n  paraph GROUP --help lists the commands of a group with their options.\n  With --json a command prints one JSON object. paraph --version prints the version.`,
  ].join('\n\n')
}

/** Usage and purpose of each command. */
export const helpOf = (commands: readonly Command[]): string =>
  commands
    .map((command) => {
      const usage = wrap(usageParts(command), '  ', '          ').replace(command.name, bold(command.name))
      return `${usage}\n${wrap(command.purpose.split(' '), '      ', '      ')}`
    })
    .join('\n\n')

/** The usage of a command on one line. */
export const usageLine = (command: Command): string => usageParts(command).join(' ')

function usageParts({ name, options, operand }: Command): string[] {
  const parts = Object.entries(options).map(([option, { value, required }]) => {
    const typed = value === undefined ? `--${option}` : `--${option} ${value}`
    return required ? typed : `[${typed}]`
  })
  const argument = operand === undefined ? [] : [operand.optional ? `[${operand.value}]` : operand.value]
  return [`paraph ${name}`, ...argument, ...parts, '[--json]']
}

/** Joins `parts` with spaces, in lines that fit the terminal. */
function wrap(parts: readonly string[], first: string, next: string): string {
  // A pseudo terminal that nobody has sized says 0.
  const width = Math.min(process.stdout.columns || WIDTH_MAX, WIDTH_MAX)
  const lines: string[] = []
  let line = first
  for (const part of parts) {
    if (line.trim() !== '' && line.length + part.length + 1 > width) {
      lines.push(line)
      line = next
    }
    line += line.trim() === '' ? part : ` ${part}`
  }
  return [...lines, line].join('\n')
}

/** ` Did you mean …?` with the name that is nearest to what was typed; empty if no name is near. */
export function didYouMean([typed, typedVerb]: readonly (string | undefined)[], known: readonly Named[]): string {
  const group = nearest(typed, known.map(groupOf))
  const verb = nearest(typedVerb, known.filter((each) => groupOf(each) === group).map(verbOf))
  if (group === undefined || (group === typed && !verb)) return ''
  return ` Did you mean ${verb ? `${group} ${verb}` : group}?`
}

function nearest(typed: string | undefined, names: readonly string[]): string | undefined {
  if (typed === undefined || names.length === 0) return undefined
  const name = closest(typed, names)
  return distance(typed, name) <= DISTANCE_MAX ? name : undefined
}
