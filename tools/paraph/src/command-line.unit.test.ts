import { expect, it } from '@jest/globals'
import { parseCommandLine, type Command } from './command-line.js'

const command = (name: string, options: Command['options'] = {}): Command => ({
  name,
  purpose: 'For the test.',
  options,
  run: () => Promise.resolve({ answer: {}, text: '' }),
})
const commands = [
  command('account list'),
  command('key create', {
    account: { value: 'ID', required: true },
    environment: { value: 'live|test', required: true, oneOf: ['live', 'test'] },
  }),
  command('topics apply', { 'dry-run': {} }),
]
const parse = (line: string) => parseCommandLine(line === '' ? [] : line.split(' '), commands)

it('the parser reads a command with its options [local-stack]', () => {
  expect(parse('key create --account a1 --environment live --json')).toMatchObject({
    kind: 'run',
    command: { name: 'key create' },
    values: { account: 'a1', environment: 'live' },
    json: true,
  })
  expect(parse('account list')).toMatchObject({ kind: 'run', json: false })
  expect(parse('topics apply --dry-run')).toMatchObject({ kind: 'run', values: { 'dry-run': 'yes' } })
  expect(parse('topics apply')).toMatchObject({ kind: 'run', values: {} })
})

it.each([
  ['nonsense', 'There is no command nonsense.'],
  ['--json', 'There is no command of that name.'],
  ['dead-letter', 'There is no command dead-letter.'],
  ['key create --environment live', '--account is missing'],
  ['key create --account a1 --environment production', 'live or test'],
  ['key create --account a1 --environment live --colour red', "'--colour'"],
  ['account list everything', "'everything'"],
  ['key create --account --environment live', "'--account"],
  ['topics apply --dry-run=no', "'--dry-run'"],
])('the parser refuses %j with one sentence, as wrong usage [local-stack]', (line, part) => {
  const parsed = parse(line)
  expect(parsed.kind).toBe('wrong')
  expect(parsed.kind === 'wrong' && parsed.sentence).toContain(part)
})

it('the help shows every command if there are no arguments, and one command after its name and --help', () => {
  expect(parse('')).toMatchObject({ kind: 'help', text: expect.stringContaining('paraph account list') })
  expect(parse('key create --help')).toMatchObject({ kind: 'help', text: expect.not.stringContaining('account list') })
})
