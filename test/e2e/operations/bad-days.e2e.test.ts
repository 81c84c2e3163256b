import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createApiClient, createMailbox, type Answer } from '../../harness/clients/api-client.js'
import { createAccount } from '../../harness/stack/accounts.js'
import {
  databaseUrlOf,
  isAlive,
  launch,
  makeDataFolder,
  startStack,
  type RunningStack,
} from '../../harness/stack/local-stack.js'
import { until } from '../../harness/until.js'

const SERVICES = ['gateway', 'contract', 'signing', 'notification', 'postgres'] as const

let running: RunningStack
/** A key on the tier for load tests, because these tests exceed the rate limit of the demo account. */
let loadKey: string
beforeAll(async () => {
  running = await startStack(await makeDataFolder({ isNew: true }))
  loadKey = (await createAccount(running.folder)).liveKey
})
// Gateways are killed here: every answered call is counted, but a counted call may not have been answered. [D40]
afterAll(() => running?.close({ receipts: 'at least' }))

const bodyTo = (name: string) => ({
  contractType: 'nda',
  content: 'The parties keep secrets secret.',
  parties: ['a', 'b'].map((party) => ({ role: 'Party', legalName: party, email: `${party}.${name}@example.test` })),
})

/** Waits until `name` runs in a new process and GET /status returns `operational`. */
async function untilBack(name: (typeof SERVICES)[number], killedPid: number): Promise<void> {
  await until(
    `another ${name}`,
    async () => {
      const stack = await running.read()
      return stack && stack.pids[name] !== killedPid && isAlive(stack.pids[name]) ? true : undefined
    },
    60_000,
  )
  const { apiUrl } = running.stack
  await until(
    'an operational stack',
    async () => {
      const answer = await createApiClient(apiUrl, loadKey)
        .call<{ status: string }>('GET', '/status')
        .catch(() => undefined)
      return answer?.status === 200 && answer.body.status === 'operational' ? true : undefined
    },
    60_000,
  )
}

describe('after kill -9 [local-stack, I1, I8, F16]', () => {
  it.each(SERVICES)(
    'of %s, every contract whose POST returned 201 exists, every party gets a mail, and the stack recovers automatically',
    async (name) => {
      const { apiUrl, mailboxUrl } = running.stack
      const api = createApiClient(apiUrl, loadKey)
      const { pids } = (await running.read())!
      const acknowledged: { id: string; mailbox: string }[] = []
      const refused: Answer[] = []
      let isDone = false
      const posting = (async () => {
        for (let n = 0; !isDone; n += 1) {
          const to = `${name}${n}`
          const answer = await api.create(bodyTo(to)).catch(() => undefined)
          if (answer?.status === 201)
            acknowledged.push({ id: answer.body.contract.id, mailbox: `b.${to}@example.test` })
          else if (answer) refused.push(answer as unknown as Answer)
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
      })()
      await until('a first contract', () => (acknowledged.length > 2 ? true : undefined))
      process.kill(pids[name], 'SIGKILL')
      await untilBack(name, pids[name])
      isDone = true
      await posting

      for (const { status, headers, body } of refused) {
        expect(status).toBe(503)
        expect(headers.get('retry-after')).toMatch(/^\d+$/)
        expect(Object.keys(body).toSorted()).toEqual(['code', 'error', 'requestId', 'type'])
      }
      const reader = createApiClient(apiUrl, running.stack.testKey)
      expectWithMessage((await reader.get(acknowledged[0]!.id)).status, 'unknown to a sandbox key').toBe(404)
      for (const { id, mailbox } of acknowledged.slice(0, 40)) {
        expect((await api.get(id)).status).toBe(200)
        await until(
          `a mail to ${mailbox}`,
          async () => ((await createMailbox(mailboxUrl).listTo(mailbox)).length > 0 ? true : undefined),
          90_000,
        )
      }
    },
  )

  it('of the launcher under load, a start at once stops the remaining processes, continues with the same data and ports, and loses nothing', async () => {
    const { apiUrl, liveKey } = running.stack
    const api = createApiClient(apiUrl, loadKey)
    const { pids } = (await running.read())!
    const acknowledged: string[] = []
    // Each client posts without a pause until a call fails.
    const clients = Array.from({ length: 4 }, async () => {
      for (;;) {
        const answer = await api.create(bodyTo('launcher')).catch(() => undefined)
        if (answer?.status !== 201) return
        acknowledged.push(answer.body.contract.id)
      }
    })
    await until('a first answer', () => (acknowledged.length > 4 ? true : undefined))
    process.kill(pids.launcher, 'SIGKILL')
    await running.launched.exited
    running = await startStack(running.folder)
    await Promise.all(clients)
    expect(running.stack).toMatchObject({ apiUrl, liveKey })
    const inDatabase = (database: 'contract' | 'notification', text: string, values: unknown[]) =>
      withClient(databaseUrlOf(running.stack, database), async (client) => (await client.query(text, values)).rowCount)
    expect(await inDatabase('contract', 'select from contract where id = any($1)', [acknowledged])).toBe(
      acknowledged.length,
    )
    // Two invitations each. The mailbox ended with the launcher, so that only rows show the mails from before. A mail whose text got no answer
    // is retried after a quarter of an hour, because it may have arrived. The test makes it due immediately.
    const bringForward = `update delivery set due_at = clock_timestamp() where state = 'due' and outcome like 'no answer to the text%'`
    await until(
      'all invitations',
      async () => {
        await inDatabase('notification', bringForward, [])
        const sent = `select from delivery where kind = 'invitation' and state = 'accepted' and contract_id = any($1)`
        return (await inDatabase('notification', sent, [acknowledged])) === 2 * acknowledged.length ? true : undefined
      },
      90_000,
    )
    // A killed process has a pid until the system has reaped it.
    for (const [name, pid] of Object.entries(pids))
      await until(`the exit of ${name} of the killed launcher`, () => (isAlive(pid) ? undefined : true))
  })
})

it('a gateway that receives SIGTERM under load answers and bills every call that created a contract [D40, H13]', async () => {
  const { pids } = (await running.read())!
  const api = createApiClient(running.stack.apiUrl, loadKey)
  const usage = async () =>
    (await api.call<{ usage: { billableCalls: number } }>('GET', '/usage')).body.usage.billableCalls
  const before = await usage()
  const content = `Stopped by SIGTERM ${Date.now()}`
  let answered = 0
  // Sends calls without a pause until a call fails.
  const clients = Array.from({ length: 4 }, async () => {
    for (;;) {
      const answer = await api.create({ ...bodyTo('stop'), content }).catch(() => undefined)
      if (answer?.status !== 201) return
      answered += 1
    }
  })
  await until('a first answer', () => (answered > 4 ? true : undefined))
  process.kill(pids.gateway, 'SIGTERM')
  await Promise.all(clients)
  await untilBack('gateway', pids.gateway)
  const created = await withClient(databaseUrlOf(running.stack, 'contract'), async (client) => {
    const { rows } = await client.query<{ created: number }>(
      'select count(*)::int as created from contract where content = $1',
      [content],
    )
    return rows[0]!.created
  })
  expect(answered).toBe(created)
  expect((await usage()) - before).toBe(created)
})

it('two stacks on two data folders run at the same time, with separate contracts and keys [local-stack]', async () => {
  const other = await startStack(await makeDataFolder({ isNew: true }))
  const { contract } = (await createApiClient(other.stack.apiUrl, other.stack.liveKey).create(bodyTo('other'))).body
  expect((await createApiClient(running.stack.apiUrl, running.stack.liveKey).get(contract.id)).status).toBe(404)
  expect((await createApiClient(running.stack.apiUrl, other.stack.liveKey).get(contract.id)).status).toBe(401)
  await other.close()
})

describe('a failed start prints an error message and exits with 1 [local-stack]', () => {
  /** Runs a start that must fail. @returns its output, which contains no stack trace */
  async function refusalOf(folder: string, environment: Record<string, string> = {}): Promise<string> {
    const { code, output } = await launch(folder, environment).exited
    expect(code).toBe(1)
    expect(output).not.toMatch(/\n\s+at /)
    expect(output).not.toContain('Paraph is running')
    return output
  }

  it('on a data folder in use', async () => {
    expect(await refusalOf(running.folder)).toMatch(/already run/i)
    expect((await createApiClient(running.stack.apiUrl, running.stack.liveKey).call('GET', '/status')).status).toBe(200)
  })

  it('on a port in use', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const folder = await makeDataFolder({ isNew: true })
    const sentence = await refusalOf(folder, { PARAPH_PORT: String(port) })
    expect(sentence).toContain(String(port))
    expect(sentence).toContain('PARAPH_PORT')
    expect(await readdir(folder)).not.toContain('stack.json')
    await new Promise((resolve) => server.close(resolve))
    await rm(folder, { recursive: true, force: true })
  })

  it('on a data folder that cannot be written', async () => {
    const folder = await makeDataFolder({ isNew: true })
    const file = join(folder, 'a-file')
    await writeFile(file, '')
    expect(await refusalOf(join(file, 'data'))).toContain('PARAPH_DATA_DIR')
    await rm(folder, { recursive: true, force: true })
  })

  ;(process.getuid?.() === 0 ? it : it.skip)('as root, on a folder that the user postgres cannot enter', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'paraph-closed-'))
    await chmod(parent, 0o700)
    await mkdir(join(parent, 'data'))
    expect(await refusalOf(join(parent, 'data'))).toContain(parent)
    await rm(parent, { recursive: true, force: true })
  })

  it('on a data folder of a newer version', async () => {
    const folder = await makeDataFolder({ isNew: true })
    await writeFile(join(folder, 'version'), '99.0.0\n')
    expect(await refusalOf(folder)).toContain('version 99.0.0')
    await rm(folder, { recursive: true, force: true })
  })
})

it('Ctrl-C ends every process of the stack, and a second Ctrl-C changes nothing [local-stack]', async () => {
  const other = await startStack(await makeDataFolder({ isNew: true }))
  const { pids } = other.stack
  other.launched.child.kill('SIGINT')
  other.launched.child.kill('SIGINT')
  expect((await other.launched.exited).code).toBe(0)
  for (const [name, pid] of Object.entries(pids)) expectWithMessage(isAlive(pid), name).toBe(false)
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'args'])
  expect(stdout).not.toContain(other.folder)
  await rm(other.folder, { recursive: true, force: true })
})
