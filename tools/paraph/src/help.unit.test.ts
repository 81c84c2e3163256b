import { stripVTControlCharacters } from 'node:util'
import { expect, it } from '@jest/globals'
import { parseCommandLine } from './command-line.js'
import { groupOf } from './help.js'
import { COMMANDS } from './paraph.js'

const helpOf = (...args: string[]): string => {
  const parsed = parseCommandLine(args, COMMANDS)
  if (parsed.kind !== 'help') throw new Error(`${args.join(' ')} asks for no help`)
  return stripVTControlCharacters(parsed.text)
}
const groups = [...new Set(COMMANDS.flatMap(({ commands }) => commands).map(groupOf))]

it('no line of any help is wider than 100 columns', () => {
  const texts = [helpOf(), ...groups.map((group) => helpOf(group, '--help'))]
  const lines = texts.flatMap((text) => text.split('\n'))
  expect(lines.length).toBeGreaterThan(150)
  expect(lines.filter((line) => line.length > 100)).toEqual([])
})

it('no group is in two sections, and no two commands have one name', () => {
  const inSections = COMMANDS.flatMap(({ commands }) => [...new Set(commands.map(groupOf))])
  expect(inSections).toEqual([...new Set(inSections)])
  const names = COMMANDS.flatMap(({ commands }) => commands.map(({ name }) => name))
  expect(names).toEqual([...new Set(names)])
  // A command of one word is a group of its own.
  expect(names.filter((name) => !/^[a-z-]+ [a-z]+$/.test(name))).toEqual(['doctor'])
})

it('each command about one object takes its id as the operand, not as an option', () => {
  const commands = COMMANDS.flatMap((section) => section.commands)
  expect(commands.filter(({ options }) => 'id' in options)).toEqual([])
  const withOperand = commands.filter(({ operand }) => operand?.name === 'id').map(({ name }) => name)
  for (const name of ['account show', 'application refuse', 'contract cancel', 'contract erase', 'key revoke'])
    expect(withOperand).toContain(name)
})
