// Checks that docs/reference/cli.md matches the commands of `paraph`. `npm run update -- cli` regenerates the page.
import { it } from '@jest/globals'
import { parseCommandLine, type Command } from '@paraph/paraph/command-line'
import { COMMANDS } from '@paraph/paraph/paraph'
import { expectGenerated } from './generated-page.js'

/** The text of `paraph NAME --help`. */
function helpOf({ name }: Command): string {
  const line = parseCommandLine([...name.split(' '), '--help'], COMMANDS)
  if (line.kind !== 'help') throw new Error(`paraph ${name} has no help.`)
  return line.text
}

it('the page of the command line has every command, with its help', async () => {
  const groups = Map.groupBy(COMMANDS, ({ name }) => name.split(' ')[0]!)
  const sections = [...groups].flatMap(([group, commands]) => [
    `## \`paraph ${group}\``,
    ...commands.flatMap((command) => [`### \`${command.name}\``, ['```text', helpOf(command), '```'].join('\n')]),
  ])
  await expectGenerated('docs/reference/cli.md', 'cli', sections)
})
