import { afterEach, expect, it, jest } from '@jest/globals'
import { DomainError } from '@paraph/protocol/errors'
import { main, sentenceOf } from './paraph.js'

const refusal = (...issues: { path: string; message: string }[]) =>
  new DomainError('invalid_request', `${issues.length} fields are not valid. Correct the fields in issues.`, { issues })

it('the command line names each invalid field on its own line [local-stack]', () => {
  expect(
    sentenceOf(
      refusal(
        { path: 'name', message: 'name must not be blank.' },
        { path: 'email', message: 'email must be one plain address with a domain.' },
      ),
    ),
  ).toBe('name must not be blank.\nemail must be one plain address with a domain.')
  expect(sentenceOf(refusal({ path: 'reason', message: 'Too big.' }))).toBe('reason: Too big.')
})

it('the command line prints the message of a refusal without fields, and otherwise that the service does not answer [local-stack]', () => {
  expect(sentenceOf(new DomainError('not_found', 'There is no such contract.'))).toBe('There is no such contract.')
  expect(sentenceOf(new Error('connect ECONNREFUSED'))).toContain('Paraph does not answer.')
})

/** Runs the command line. @returns its exit code and what it wrote to standard output and standard error */
async function run(...args: string[]) {
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    jest.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text)
      return true
    })
  return { code: await main(args), ...written }
}
afterEach(() => void jest.restoreAllMocks())

it('help exits with 0; a missing command and wrong usage print the usage to standard error and exit with 2', async () => {
  expect(await run('account', '--help')).toMatchObject({ code: 0, stderr: '' })
  const missing = await run('account')
  expect(missing).toMatchObject({ code: 2, stdout: '' })
  expect(missing.stderr).toMatch(/^Name a command of account\.\n\n[^]*account create/)
  const wrong = await run('contract', 'show')
  expect(wrong).toEqual({
    code: 2,
    stdout: '',
    stderr: 'The ID is missing.\n\nUsage: paraph contract show ID [--json]\n',
  })
})

it('with --json every error is one object with a sentence and a code on standard error', async () => {
  const errorOf = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args, '--json')
    expect(stdout).toBe('')
    return { exit: code, ...(JSON.parse(stderr) as object) }
  }
  expect(await errorOf('acount', 'list')).toEqual({
    exit: 2,
    error: 'There is no command acount. Did you mean account list?',
    code: 'wrong_usage',
  })
  expect(await errorOf('evidence', 'verify', '/nowhere/copy.pdf')).toEqual({
    exit: 1,
    error: 'The file /nowhere/copy.pdf does not exist or cannot be read.',
    code: 'refused',
  })
})
