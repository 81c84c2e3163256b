// Checks that docs/reference/cli.md matches the commands of `paraph`. `npm run update -- cli` regenerates the page.
import { it } from '@jest/globals'
import type { Command } from '@paraph/paraph/command'
import { parseCommandLine } from '@paraph/paraph/command-line'
import { COMMANDS } from '@paraph/paraph/paraph'
import { expectGenerated } from './generated-page.js'

/** The text of `paraph NAME --help`. */
function helpOf({ name }: Command): string {
  const line = parseCommandLine([...name.split(' '), '--help'], COMMANDS)
  if (line.kind !== 'help') throw new Error(`paraph ${name} has no help.`)
  return line.text
}

it('the page of the command line has every command, with its help', async () => {
  const commands = COMMANDS.flatMap((section) => section.commands)
  const groups = Map.groupBy(commands, ({ name }) => name.split(' ')[0]!)
  const sections = [...groups].flatMap(([group, ofGroup]) => [
    `## \`paraph ${group}\``,
    ...ofGroup.flatMap((command) => [`### \`${command.name}\``, ['```text', helpOf(command), '```'].join('\n')]),
  ])
  await expectGenerated('docs/reference/cli.md', 'cli', sections)
})
