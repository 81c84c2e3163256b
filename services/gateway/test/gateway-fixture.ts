// Runs the gateway in the test process, with real HTTP and a real database. Small servers replace the other services. For *.int.test.ts.
import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import Koa, { type Middleware } from 'koa'
import { Agent, request } from 'undici'
import type { Scope } from '@paraph/protocol/scope'
import type { Environment } from '@paraph/protocol/environment'
import { CALLERS } from '@paraph/protocol/services'
import { DomainError } from '@paraph/protocol/errors'
import { openPool } from '@paraph/database/pool'
import { withClient } from '@paraph/database/provision'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { createCallerKeys } from '@paraph/rpc/test/caller-fixture'
import { createTokenSigner, createTokenVerifier } from '@paraph/rpc/service-token'
import type { OpenApiPart } from '@paraph/rpc/openapi-document'
import { renderErrors } from '@paraph/http/render-errors'
import { createRpcClient } from '@paraph/rpc/link'
import { parseKeyring } from '@paraph/config/keyring'
import { createLogger } from '@paraph/telemetry/logger'
import { waitFor } from '@paraph/testing/wait-for'
import type { GatewayConfig } from '../src/config.js'
import { openLine } from '@paraph/database/test/database-line-fixture'
import type { OperatorRouter } from '../src/operator-router.js'
import { createGatewayService } from '../src/service.js'

/** A request that reached the server in place of the contract and signing services. */
interface Received {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

export interface Reply {
  status: number
  headers: Record<string, string | string[]>
  text: string
  json: Record<string, unknown>
}

/** The name in the tokens of `operator`. */
export const OPERATOR_NAME = 'Jane Roe'

export type Responder = (received: Received, res: ServerResponse, req: IncomingMessage) => void

/** The default answer of the server in place of the contract service. */
export const created: Responder = (_, res) => {
  res.writeHead(201, { 'Content-Type': 'application/json', Location: '/api/external/v2/contracts/contract-1-a' })
  res.end('{"success":true,"contract":{"id":"contract-1-a"}}')
}

/** An answer that the server sends when a test calls `finish`; `arrived` resolves when the first request arrives. */
export function delayedAnswer(answer: Responder = created) {
  const { promise: arrived, resolve } = Promise.withResolvers<void>()
  let finish: () => void = () => undefined
  const respond: Responder = (...call) => {
    finish = () => answer(...call)
    resolve()
  }
  return { respond, arrived, finish: () => finish() }
}

/** The environment in a service token, whose signature nobody checks here. */
function environmentOf(authorization = ''): Environment | undefined {
  const [, payload = 'e30'] = authorization.split('.')
  const { principal } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
    principal?: { environment: Environment }
  }
  return principal?.environment
}

const NO_SUCH = JSON.stringify({ code: 'not_found', error: 'There is nothing of that name.' })

/** Triggers that do nothing, for stores whose events and mails are never sent. */
export const NO_NOTIFIERS = { triggerRelay: () => undefined, triggerMails: () => undefined }

/**
 * Starts a gateway that trusts one proxy, so that each test can use a client address of its own.
 * @param prepare runs on the database before the first connection
 */
export async function startTestGateway({
  prepare,
  ...settings
}: Partial<GatewayConfig> & { prepare?: (database: Pick<TestDatabase, 'adminUrl'>) => Promise<void> } = {}) {
  const logger = createLogger('gateway', 'silent')
  const clone = await cloneTestDatabase('gateway')
  await prepare?.(clone)
  const busClone = await cloneTestDatabase('bus', 'gateway')
  const line = await openLine(clone.url)
  const windowLine = await openLine(clone.url)
  const pairs = Object.fromEntries(CALLERS.map((caller) => [caller, createCallerKeys()]))
  const privateKey = (caller: string) => pairs[caller]!.privateKey
  const publicKeys = Object.fromEntries(CALLERS.map((caller) => [caller, [pairs[caller]!.publicKey]]))

  const far = {
    received: [] as Received[],
    respond: created,
    /** Answers before the body was read. */
    refuseEarly: undefined as ((res: ServerResponse) => void) | undefined,
    ready: true,
    /** The parts of an account's export in order; the last part repeats. Undefined: the contract service is unavailable. */
    exported: [{ contracts: [], older: null }] as ({ contracts: object[]; older: string | null } | undefined)[],
    /** Procedure → its output, for calls between services. `environment`: of the principal in the call's token. */
    rpc: {
      'erasure.due': () => ({ contracts: [] }),
      'report.list': () => ({ reports: [] }),
      // There are no contracts.
      'console.list': () => ({ contracts: [], older: null, newer: null, isCut: false, broad: [] }),
    } as Record<string, (input: unknown, environment: Environment | undefined) => unknown>,
    openApiPart: { operations: [], schemas: {} } as OpenApiPart,
  }
  const farServer = createServer((req, res) => {
    if (req.url === '/readyz') return void res.writeHead(far.ready ? 200 : 503).end()
    if (req.url === '/openapi.json') return void res.end(JSON.stringify(far.openApiPart))
    if (req.url === '/rpc/console.exported') {
      const part = far.exported.length > 1 ? far.exported.shift() : far.exported[0]
      return part ? void res.end(JSON.stringify({ output: part })) : void res.writeHead(503).end('{}')
    }
    const answer = far.rpc[(req.url ?? '').replace('/rpc/', '')]
    if (answer)
      return void textOf(req).then((text) => {
        const { input } = JSON.parse(text) as { input: unknown }
        res.end(JSON.stringify({ output: answer(input, environmentOf(req.headers.authorization)) }))
      })
    if (req.url?.startsWith('/rpc/')) return void res.writeHead(404).end(NO_SUCH)
    if (far.refuseEarly) return far.refuseEarly(res)
    const chunks: Buffer[] = []
    req.on('error', () => undefined)
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const received = { method: req.method ?? '', url: req.url ?? '', headers: req.headers, body }
      far.received.push(received)
      far.respond(received, res, req)
    })
  })
  const farUrl = await listen(farServer)

  /** The calls to notification for mails to owners. */
  const toOwners: { procedure: string; input: Record<string, unknown> | undefined }[] = []
  const notificationServer = createServer((req, res) => {
    void (async () => {
      const { input } = JSON.parse(await textOf(req)) as { input: Record<string, unknown> | undefined }
      const procedure = (req.url ?? '').split('/').at(-1)!
      if (procedure === 'position' || procedure.endsWith('.read')) return void res.writeHead(404).end(NO_SUCH)
      if (/\.(?:list|disabled)$/.test(procedure)) return void res.end(JSON.stringify({ output: [] }))
      toOwners.push({ procedure, input })
      res.setHeader('content-type', 'application/json').end(JSON.stringify({ output: { accepted: true } }))
    })()
  })
  const notificationUrl = await listen(notificationServer)

  const service = createGatewayService(
    {
      HOST: '127.0.0.1',
      PORT: 0,
      INTERNAL_PORT: 0,
      LOG_LEVEL: 'info',
      ACCEPT_MIXED_RESTORE: 'no',
      ALLOW_INSECURE_TRANSPORT: 'no',
      DATABASE_URL: line.url,
      DATABASE_DIRECT_URL: line.url,
      DATABASE_POOL_MAX: 10,
      CALLER_PRIVATE_KEY: privateKey('gateway'),
      CALLER_PUBLIC_KEYS: publicKeys,
      LINGER_SECONDS: 0,
      DRAIN_SECONDS: 1,
      CONTRACT_URL: farUrl,
      SIGNING_URL: farUrl,
      CONTRACT_INTERNAL_URL: farUrl,
      SIGNING_INTERNAL_URL: farUrl,
      NOTIFICATION_URL: notificationUrl,
      NOTIFICATION_INTERNAL_URL: farUrl,
      CODE_PEPPERS: parseKeyring(`k1:${Buffer.alloc(32, 1).toString('base64')}`),
      CODE_KEYS: parseKeyring(`k1:${Buffer.alloc(32, 2).toString('base64')}`),
      PAGE_SECRET: [{ id: 'p1', secret: 'a secret of the console for tests alone' }],
      OPERATOR_EMAILS: ['operator@example.test'],
      OIDC_OWNERS_CODES: 'allowed',
      OIDC_OPERATORS_GROUPS_CLAIM: 'groups',
      OIDC_OPERATORS_SCOPES: 'openid email',
      AUTO_APPROVE: 'off',
      BILLING: 'manual',
      STRIPE_API_URL: 'https://api.stripe.com',
      BASE_URL: 'http://sign.test',
      TRUSTED_PROXY_HOPS: 1,
      WINDOW_STORE: 'memory',
      WINDOW_DATABASE_URL: windowLine.url,
      WINDOW_STORE_MS_MAX: 25,
      ...settings,
      EVENT_BUS: 'postgres',
      BUS_DATABASE_URL: busClone.url,
    },
    logger,
  )
  const appOf = (middleware: Middleware[]) => {
    const app = new Koa()
    app.silent = true
    const errorsUrl = middleware === service.publicMiddleware ? service.errorsUrl : undefined
    for (const each of [renderErrors(logger, errorsUrl), ...middleware]) app.use(each)
    app.use(() => {
      throw new DomainError('not_found', 'nothing')
    })
    return app.callback()
  }
  const publicServer = createServer({ maxHeaderSize: 16_384 }, appOf(service.publicMiddleware))
  service.configureServer?.(publicServer)
  const clientPorts = new Set<number>()
  publicServer.on('connection', (socket) => {
    const port = socket.remotePort!
    clientPorts.add(port)
    socket.on('close', () => clientPorts.delete(port))
  })
  const internalServer = createServer(appOf(service.internalMiddleware))
  await service.start()
  const url = await listen(publicServer)
  const sqlPool = openPool(clone.url, logger, { max: 2 })
  // The gateway's clock is the store's, which a test may have set. [D45]
  const storeClock = async () => (await sqlPool.query<{ now: Date }>('select clock_timestamp() as now')).rows[0]!.now
  const operatorSigner = createTokenSigner('operator', privateKey('operator'), storeClock, OPERATOR_NAME)
  const operator = createRpcClient<OperatorRouter>({
    url: await listen(internalServer),
    token: () => operatorSigner.signCached('gateway'),
  })
  function open(bytes: string) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let answer = ''
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    socket.write(bytes, 'latin1')
    return { socket, answer: () => answer }
  }
  const agent = new Agent({ connections: 200 })

  return {
    url,
    far,
    toOwners,
    line,
    windowLine,
    operator: operator.rpc,
    verifyAsContract: createTokenVerifier('contract', publicKeys, storeClock),
    verifyAsSigning: createTokenVerifier('signing', publicKeys, storeClock),
    sql: async (text: string, values: unknown[] = []) =>
      (await sqlPool.query(text, values)).rows as Record<string, unknown>[],

    /** One statement as the superuser. */
    admin: (text: string) => withClient(clone.adminUrl, async (client) => void (await client.query(text))),

    /** Begins a transaction with a statement that takes a lock. @returns a function that rolls the transaction back */
    async lock(text: string): Promise<() => void> {
      const client = await sqlPool.connect()
      await client.query('begin')
      await client.query(text)
      return () => void client.query('rollback').then(() => client.release())
    },

    /** Sends a request unchanged and reads the whole answer. */
    async call(
      method: string,
      path: string,
      {
        key,
        headers = {},
        body,
      }: { key?: string; headers?: Record<string, string | string[]>; body?: string | Buffer } = {},
    ): Promise<Reply> {
      const response = await request(url + path, {
        method: method as 'GET',
        headers: {
          ...(key ? { 'x-api-key': key } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body ?? null,
        dispatcher: agent,
      })
      const text = await response.body.text()
      let json: Record<string, unknown> = {}
      if (String(response.headers['content-type']).includes('json') && text) json = JSON.parse(text) as typeof json
      return { status: response.statusCode, headers: response.headers as Reply['headers'], text, json }
    },

    /** Sends raw bytes; the connection stays open. */
    open,

    /** Sends raw bytes and returns everything received until the connection closed. */
    async raw(bytes: string): Promise<string> {
      const { socket, answer } = open(bytes)
      await once(socket, 'close')
      return answer()
    },

    /** A new account on `tier` with a key, by default with both scopes. */
    async newKey(
      tier: string,
      environment: 'live' | 'test' = 'live',
      scopes: Scope[] = ['contracts:read', 'contracts:write'],
    ): Promise<{ accountId: string; keyId: string; key: string }> {
      const { account } = await operator.rpc.account.create.mutate({
        name: 'Demo Company',
        email: 'owner@demo.example',
        tier,
      })
      const { key } = await operator.rpc.key.create.mutate({ accountId: account.id, environment, scopes })
      return { accountId: account.id, keyId: key.id, key: key.secret }
    },

    async newTier(name: string, requestsPerMinute: number, monthlyQuota: number): Promise<void> {
      await sqlPool.query('insert into tier values ($1, $2, $3, $2, $3)', [name, requestsPerMinute, monthlyQuota])
    },

    /** Whether the gateway has a connection from this port; the gateway notices a closed connection a moment later. */
    isConnectedTo: (clientPort: number) => clientPorts.has(clientPort),

    /** The first step of a stop at SIGTERM. */
    beginStop: () => service.beginStop?.(),

    /** Stops the server in place of the contract service and cuts its connections; `resumeFar` restarts it at the same address. */
    async stopFar(): Promise<void> {
      farServer.closeAllConnections()
      await new Promise((resolve) => farServer.close(resolve))
    },
    async resumeFar(): Promise<void> {
      // The system may have assigned the port to another process meanwhile.
      await waitFor(async () => {
        farServer.listen(Number(new URL(farUrl).port), '127.0.0.1')
        await once(farServer, 'listening')
      })
    },

    async stop(): Promise<void> {
      await agent.close()
      await operator.close()
      publicServer.closeAllConnections()
      publicServer.close()
      await service.stop()
      internalServer.closeAllConnections()
      internalServer.close()
      for (const server of [farServer, notificationServer]) {
        server.closeAllConnections()
        server.close()
      }
      await sqlPool.end()
      for (const each of [line, windowLine]) {
        each.cut()
        each.close()
      }
      await Promise.all([clone.drop(), busClone.drop()])
    },
  }
}

export type TestGateway = Awaited<ReturnType<typeof startTestGateway>>

/** The RateLimit headers of an answer as numbers. */
export function windowOf(reply: Reply): { limit: number; remaining: number; reset: number } {
  return {
    limit: Number(reply.headers['ratelimit-limit']),
    remaining: Number(reply.headers['ratelimit-remaining']),
    reset: Number(reply.headers['ratelimit-reset']),
  }
}

/** Polls until `condition` is true. @throws after `timeoutMs` */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  const endAt = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > endAt) throw new Error(`the condition did not become true in ${timeoutMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
