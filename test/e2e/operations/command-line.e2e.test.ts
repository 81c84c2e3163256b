// The operator's command line as a person meets it: addresses, lists, tables and refusals. [local-stack]
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createApiClient } from '../../harness/clients/api-client.js'
import { paraph, paraphJson } from '../../harness/stack/local-stack.js'
import { joinStack, type SharedStack } from '../../harness/stack/shared-stack.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PARTIES = [
  { role: 'Discloser', legalName: 'Nordic Foods Ltd.', email: 'nordic@example.test' },
  { role: 'Recipient', legalName: 'Jane Roe', email: 'jane@example.test' },
]

let running: SharedStack
let ids: string[]
beforeAll(async () => {
  running = await joinStack()
  const api = createApiClient(running.stack.apiUrl, running.stack.testKey)
  ids = []
  for (let at = 0; at < 3; at += 1) {
    const { body } = await api.create({
      parties: PARTIES,
      contractType: 'nda',
      content: 'The parties keep secrets secret.',
    })
    ids.unshift(body.contract.id)
  }
})
afterAll(() => running?.close())

const run = (...argv: string[]) => paraph(running.folder, ...argv)
const list = (...options: string[]) =>
  run('contract', 'list', '--account', running.accountId, '--environment', 'test', ...options)

it('`address` prints one address for a shell', async () => {
  const { apiUrl, mailboxUrl } = running.stack
  expect(await run('address', 'api')).toMatchObject({ code: 0, stdout: `${apiUrl}\n`, stderr: '' })
  expect(await run('address', 'home')).toMatchObject({ stdout: `${mailboxUrl}\n` })
  expect(await run('address', 'mailbox')).toMatchObject({ stdout: `${mailboxUrl}/mailbox\n` })
  const [console_, docs] = [await run('address', 'console'), await run('address', 'docs')]
  for (const { stdout } of [console_, docs]) expect((await fetch(stdout.trim())).status).toBe(200)
  const elsewhere = await paraph('/nowhere', 'address', 'api')
  expect(elsewhere).toMatchObject({ code: 1, stdout: '' })
  expect(elsewhere.stderr).toContain('No running Paraph stack uses the data folder /nowhere.')
})

it('`contract list` finds the contracts of an account, newest first, by status and page by page', async () => {
  const { stdout } = await list()
  expect(stdout.match(/contract-\d{13}-[a-z0-9]{9}/g)).toEqual(ids)
  expect(stdout).toMatch(/^ +Contract +Status +Signed +Created \(UTC\) +Number$/m)
  const first = await list('--limit', '2')
  expect(first.stdout).toContain(`There are more: --before ${ids[1]} continues the list.`)
  const second = await list('--limit', '2', '--before', ids[1]!)
  expect(second.stdout.match(/contract-\d{13}-[a-z0-9]{9}/g)).toEqual([ids[2]])
  expect((await list('--status', 'signed')).stdout).toContain('There is no such contract.')
  const unknown = await run('contract', 'list', '--account', 'acc_none')
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no account with this id.') })
  const { entries } = await paraphJson<{ entries: { act: string }[] }>(
    running.folder,
    'audit',
    'list',
    '--account',
    running.accountId,
  )
  expect(entries.map(({ act }) => act)).toContain('operator.read')
})

it('people get tables and no JSON; an unknown contract is refused in a sentence of its own', async () => {
  const shown = await run('contract', 'show', ids[0]!)
  expect(shown.stdout).toMatch(/^ +Discloser +Nordic Foods Ltd\. +nordic@example\.test +not yet$/m)
  const keys = await run('key', 'list', '--account', running.accountId)
  expect(keys.stdout).toMatch(/^ +key_\w+ +sandbox +read, write +/m)
  const account = await run('account', 'show', running.accountId)
  for (const { code, stdout } of [shown, keys, account]) {
    expect(code).toBe(0)
    expect(stdout).not.toMatch(/[{}"]/)
  }
  const unknown = await run('contract', 'show', 'contract-1795183380000-k3v9x2m1q', '--json')
  expect(unknown).toMatchObject({ code: 1, stdout: '' })
  expect(JSON.parse(unknown.stderr)).toEqual({
    error: 'There is no contract with this id. List the contracts of its account to find it.',
    code: 'not_found',
  })
})

it('a Node that is too old runs the command with the Node of the checkout', async () => {
  const pretend = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.19.0'})"
  const argv = ['--import', pretend, 'tools/paraph/paraph.mjs', 'version', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: ROOT })
  expect(JSON.parse(stdout)).toEqual({ version: '2.0.0', commit: expect.stringMatching(/^[0-9a-f]{7,}$/) })
})
