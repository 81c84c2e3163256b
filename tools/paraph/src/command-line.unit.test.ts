import { stripVTControlCharacters } from 'node:util'
import { expect, it } from '@jest/globals'
import { ID, type Command } from './command.js'
import { parseCommandLine } from './command-line.js'

const command = (name: string, rest: Partial<Command> = {}): Command => ({
  name,
  purpose: `Purpose of ${name}.`,
  options: {},
  run: () => Promise.resolve({ answer: {}, text: '' }),
  ...rest,
})
const sections = [
  {
    title: 'Accounts',
    commands: [
      command('account list'),
      command('account show', { operand: ID }),
      command('key create', {
        options: {
          account: { value: 'ID', required: true },
          environment: { value: 'live|test', required: true, oneOf: ['live', 'test'] },
        },
      }),
    ],
  },
  {
    title: 'Installation',
    commands: [
      command('doctor', { options: { from: { value: 'FILE' } } }),
      command('topics apply', { options: { 'dry-run': {} } }),
      command('dead-letter redrive', { operand: { name: 'id', value: 'ID', optional: true }, options: { all: {} } }),
    ],
  },
]
const parse = (line: string) => parseCommandLine(line === '' ? [] : line.split(' '), sections)
/** The text of the help, or the sentence and the usage of a refusal. */
const textOf = (line: string): string => {
  const parsed = parse(line)
  if (parsed.kind === 'help') return stripVTControlCharacters(parsed.text)
  return parsed.kind === 'wrong' ? stripVTControlCharacters(`${parsed.sentence}\n${parsed.usage}`) : parsed.kind
}

it('the parser reads a command with its options and its operand [local-stack]', () => {
  expect(parse('key create --account a1 --environment live --json')).toMatchObject({
    kind: 'run',
    command: { name: 'key create' },
    values: { account: 'a1', environment: 'live' },
  })
  expect(parse('account list')).toMatchObject({ kind: 'run' })
  expect(parse('account show acc_1 --json')).toMatchObject({ kind: 'run', values: { id: 'acc_1' } })
  expect(parse('account show --json acc_1')).toMatchObject({ kind: 'run', values: { id: 'acc_1' } })
  expect(parse('topics apply --dry-run')).toMatchObject({ kind: 'run', values: { 'dry-run': 'yes' } })
  expect(parse('topics apply')).toMatchObject({ kind: 'run', values: {} })
  expect(parse('dead-letter redrive --all')).toMatchObject({ kind: 'run', values: { all: 'yes' } })
})

it.each([
  ['nonsense', 'There is no command nonsense.\n'],
  ['--json', 'Name a command before the options.'],
  ['dead-letter', 'Name a command of dead-letter.'],
  ['account show', 'The ID is missing.'],
  ['account show one two', 'Give one ID, not 2.'],
  ['key create --environment live', 'The option --account is missing.'],
  ['key create --account a1 --environment production', 'The option --environment must be live or test.'],
  ['key create --account a1 --environment live --colour red', 'There is no option --colour.\n'],
  ['account list everything', "'everything'"],
  ['key create --account --environment live', "'--account"],
  ['topics apply --dry-run=no', "'--dry-run'"],
])('the parser refuses %j with one sentence, as wrong usage [local-stack]', (line, part) => {
  expect(parse(line).kind).toBe('wrong')
  expect(textOf(line)).toContain(part)
})

it.each([
  ['acount list', 'There is no command acount. Did you mean account list?'],
  ['account lst', 'There is no command account lst. Did you mean account list?'],
  ['acount frobnicate', 'There is no command acount. Did you mean account?'],
  ['account frobnicate', 'There is no command account frobnicate.\n'],
  ['key create --acount a1', 'There is no option --acount. Did you mean --account?'],
  ['account list --jsn', 'There is no option --jsn. Did you mean --json?'],
])('the parser answers %j with the nearest name that exists, if one is near [local-stack]', (line, sentence) => {
  expect(textOf(line)).toContain(sentence)
})

it('the help has every group with its commands, and examples', () => {
  const text = textOf('')
  expect(text).toMatch(/^Accounts\n +account +list, show\n +key +create$/m)
  expect(text).toMatch(/^Installation\n +doctor\n +topics +apply\n +dead-letter +redrive$/m)
  expect(text).toMatch(/^Examples\n( {2}paraph .+\n){2}/m)
  for (const line of ['--help', '-h', 'help']) expect(textOf(line)).toBe(text)
})

it('a command of one word has no verb: options follow it, and anything else is refused', () => {
  expect(parse('doctor')).toMatchObject({ kind: 'run', command: { name: 'doctor' }, values: {} })
  expect(parse('doctor --from - --json')).toMatchObject({ kind: 'run', values: { from: '-' } })
  expect(textOf('doctor --help')).toContain('paraph doctor [--from FILE] [--json]')
  expect(textOf('help doctor')).toBe(textOf('doctor --help'))
  expect(parse('doctor now').kind).toBe('wrong')
  expect(textOf('docter')).toContain('There is no command docter. Did you mean doctor?')
  expect(textOf('')).toMatch(/^ {2}doctor$/m)
})

it('the help of a group has its commands alone, and that of a command has it alone', () => {
  const group = textOf('account --help')
  expect(group).toContain('paraph account list [--json]\n      Purpose of account list.')
  expect(group).toContain('paraph account show ID [--json]')
  expect(group).not.toContain('key create')
  expect(parse('account --help')).toMatchObject({ kind: 'help' })
  expect(textOf('help account')).toBe(group)
  expect(textOf('account')).toContain(group)
  const one = textOf('key create --help')
  expect(one).toContain('paraph key create --account ID --environment live|test [--json]')
  expect(one).not.toContain('account list')
  expect(textOf('help key create')).toBe(one)
})

it.each(['version', '--version', '--version --json'])('%s asks for the version', (line) => {
  expect(parse(line)).toEqual({ kind: 'version' })
})
