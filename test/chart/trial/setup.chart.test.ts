// charts/paraph-trial/files/setup.mjs against a part of the Kubernetes API, in place of a cluster, and of the command line.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { waitFor } from '@paraph/testing/wait-for'
import { DOCUMENTS, SECRETS, SERVICES, TRIAL } from './trial.js'

const ACCOUNT = { name: 'trial-paraph-setup', uid: 'uid-of-the-account' }
interface Stored {
  metadata: { name: string; ownerReferences?: object[] }
  stringData: Record<string, string>
}
let folder: string
let secrets: Map<string, Stored>
let created: string[]
let api: Server
let postgres: TcpServer
let isReady: boolean

/** A part of the Kubernetes API, and the readiness of the services. */
const serve = () =>
  createServer((request, response) => {
    const answer = (status: number, body: object = {}) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url === '/readyz') return answer(isReady ? 200 : 503)
    const [, path, name] = /^(\/api\/v1\/namespaces\/demo\/secrets)(?:\/([\w-]+))?$/.exec(request.url!) ?? []
    if (path === undefined || request.headers.authorization === undefined) return answer(401)
    if (request.method === 'GET') {
      const found = secrets.get(name!)
      if (!found) return answer(404)
      const data = Object.entries(found.stringData).map(([key, value]) => [key, Buffer.from(value).toString('base64')])
      return answer(200, { metadata: found.metadata, data: Object.fromEntries(data) })
    }
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    return request.on('end', () => {
      const secret = JSON.parse(body) as Stored
      if (secrets.has(secret.metadata.name)) return answer(409)
      secrets.set(secret.metadata.name, secret)
      created.push(secret.metadata.name)
      return answer(201)
    })
  })
const portOf = (server: { address: () => unknown }) => (server.address() as AddressInfo).port

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paraph-trial-'))
  mkdirSync(join(folder, 'tools/paraph'), { recursive: true })
  // In place of the command line: makes secrets with a number, and knows one account after its creation.
  writeFileSync(
    join(folder, 'tools/paraph/paraph.mjs'),
    `import { appendFileSync, readFileSync } from 'node:fs'
     const [group, verb] = process.argv.slice(2)
     appendFileSync('calls', group + ' ' + verb + '\\n')
     const calls = readFileSync('calls', 'utf8').trim().split('\\n')
     const names = ${JSON.stringify(DOCUMENTS)}
     const number = String(calls.filter((each) => each === 'secrets make').length)
     const answers = {
       'secrets make': Object.fromEntries(names.map((name) => [name, { NUMBER: number, PARAPH_OPERATOR_KEY: number }])),
       'account list': { accounts: calls.includes('account create') ? [{ id: 'a1', name: 'Trial' }] : [] },
       'account create': { account: { id: 'a1' } },
       'key create': { key: { secret: 'paraph_test_' + number + process.env.PARAPH_OPERATOR_KEY } },
     }
     process.stdout.write(JSON.stringify(answers[group + ' ' + verb]))`,
  )
  const claims = { 'kubernetes.io': { namespace: 'demo', serviceaccount: ACCOUNT } }
  writeFileSync(join(folder, 'token'), `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`)
  ;[secrets, created, isReady] = [new Map(), [], true]
  api = serve().listen(0, '127.0.0.1')
  postgres = createTcpServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await Promise.all([once(api, 'listening'), once(postgres, 'listening')])
})
afterEach(() => {
  api.close()
  postgres.close()
  rmSync(folder, { recursive: true })
})

function start(postgresPort = portOf(postgres)) {
  const url = `http://127.0.0.1:${portOf(api)}`
  const internal = SERVICES.map((service) => [`PARAPH_${service.toUpperCase()}_INTERNAL_URL`, url])
  const child = spawn(process.execPath, [join(TRIAL, 'files/setup.mjs')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...Object.fromEntries(internal),
      KUBERNETES_URL: url,
      TOKEN_FILE: join(folder, 'token'),
      POSTGRES_URL: `postgres://127.0.0.1:${postgresPort}/`,
      SMTP_URL: 'smtp://mailbox:1025?tls=off',
      OWNER_EMAIL: 'owner@example.test',
    },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return { said: () => said, ended: once(child, 'exit').then(([code]) => code as number | null) }
}
const calls = () => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')

it('the setup creates every Secret once, for the account that deletes them, and writes none of them to the log [H17]', async () => {
  const { ended, said } = start()
  expectWithMessage(await ended, said()).toBe(0)
  expect([...secrets.keys()].sort()).toEqual(Object.keys(SECRETS).sort())
  expect(created.slice(0, 2)).toEqual(['paraph-trial', 'paraph-roles'])
  expect(created.at(-1)).toBe('paraph-sandbox-key')
  for (const { metadata } of secrets.values())
    expect(metadata.ownerReferences).toEqual([{ apiVersion: 'v1', kind: 'ServiceAccount', ...ACCOUNT }])
  const superuser = secrets.get('paraph-roles')!.stringData['POSTGRES_PASSWORD']!
  expect(superuser).toMatch(/^[0-9a-f]{48}$/)
  expect(secrets.get('paraph-sandbox-key')!.stringData).toEqual({ SANDBOX_KEY: 'paraph_test_11' })
  for (const value of [superuser, 'paraph_test_11']) expect(said()).not.toContain(value)
})

it('the setup holds the services back until Postgres accepts connections, and the mailbox until they are ready', async () => {
  const port = portOf(postgres)
  postgres.close()
  await once(postgres, 'close')
  isReady = false
  const { ended, said } = start(port)
  await waitFor(() => expect(said()).toContain('Waiting for Postgres.'), { timeout: 20_000 })
  expect(created).toEqual(['paraph-trial', 'paraph-roles'])
  postgres.listen(port, '127.0.0.1')
  await waitFor(() => expect(said()).toContain('Waiting for the gateway service.'), { timeout: 20_000 })
  expect(created).not.toContain('paraph-sandbox-key')
  isReady = true
  expect(await ended).toBe(0)
  expect(created.at(-1)).toBe('paraph-sandbox-key')
})

it('the setup changes nothing in a second run, and continues an interrupted one with the same secrets', async () => {
  await start().ended
  const before = new Map(secrets)
  expect(await start().ended).toBe(0)
  expect(secrets).toEqual(before)
  for (const name of ['paraph-signing', 'paraph-sandbox-key']) secrets.delete(name)
  expect(await start().ended).toBe(0)
  expect(secrets.get('paraph-signing')).toEqual(before.get('paraph-signing'))
  expect(calls()).toEqual([
    'secrets make',
    'account list',
    'account create',
    'key create',
    'account list',
    'key create',
  ])
})

it('the setup waits until the Secrets of an earlier trial are deleted, and uses none of them', async () => {
  const metadata = { name: 'paraph-owners', ownerReferences: [{ uid: 'uid-of-another-account' }] }
  secrets.set('paraph-owners', { metadata, stringData: { NUMBER: 'old' } })
  const { ended, said } = start()
  const waiting = 'The Secret paraph-owners belongs to another installation: waiting for its deletion.'
  await waitFor(() => expect(said()).toContain(waiting), { timeout: 20_000 })
  secrets.delete('paraph-owners')
  expect(await ended).toBe(0)
  expect(secrets.get('paraph-owners')!.stringData['NUMBER']).toBe('1')
})
