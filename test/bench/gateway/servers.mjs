// The servers that run.mjs compares, each in its own process: `node servers.mjs <variant>`, settings in BENCH_SETTINGS. backend: the server
// behind the gateway. bare: Koa with a constant answer. hop: Koa + undici to the backend. edge: the gateway's checks with a constant
// answer. memory, shared, counted, complete: the gateway's checks and proxy, with windows in memory (memory) or in Postgres (shared), with
// the durable usage record as well (counted), and with the request log (complete).
import { createServer } from 'node:http'
import { generateKeyPairSync } from 'node:crypto'
import Koa from 'koa'
import { Pool } from 'undici'
import { readClockMs } from '@paraph/database/clock'
import { createDatabase, openPool } from '@paraph/database/pool'
import { createAddressWindow } from '@paraph/gateway/rate-limit/address-limit'
import { createGuardedWindows } from '@paraph/gateway/rate-limit/fallback-store'
import { createKeyCache } from '@paraph/gateway/keys/key-cache'
import { createKeyLastUse } from '@paraph/gateway/keys/key-last-use'
import { createKeyStore } from '@paraph/gateway/keys/key-store'
import { createEdge } from '@paraph/gateway/edge/edge'
import { createPostgresWindows } from '@paraph/gateway/rate-limit/postgres-store'
import { createContractProxy } from '@paraph/gateway/edge/contract-proxy'
import { createQuota } from '@paraph/gateway/usage/quota'
import { refuseBrokenHead } from '@paraph/gateway/edge/raw-errors'
import { clientAddress } from '@paraph/gateway/edge/client-address'
import { createRequestLog } from '@paraph/gateway/request-log/recorder'
import { createUsageRecord } from '@paraph/gateway/usage/recorder'
import { createMemoryWindows } from '@paraph/gateway/rate-limit/memory-store'
import { createTokenSigner } from '@paraph/rpc/service-token'
import { renderErrors } from '@paraph/http/render-errors'
import { createStoreClock } from '@paraph/background/store-clock'
import { createLogger } from '@paraph/telemetry/logger'

const { backendUrl, databaseUrl } = JSON.parse(process.env.BENCH_SETTINGS ?? '{}')
const logger = createLogger('bench', 'error')

const parties = ['Discloser', 'Recipient'].map((role) => ({ role, legalName: 'Jane Roe', email: 'jane@example.test' }))
const body = JSON.stringify({
  success: true,
  contract: {
    id: 'contract-1795183380000-k3v9x2m1q',
    status: 'pending_signature',
    parties: parties.map((party) => ({ ...party, hasSigned: false })),
    signingProgress: { signed: 0, total: 2, pending: 2, percentage: 0 },
    signatures: [],
    contractNumber: 'EXT-20261120-7KQ4MXTA',
    contractType: 'nda',
    senderName: 'Nordic Foods procurement',
    metadata: { orderId: '10442' },
    createdAt: '2026-11-20T14:03:00.000Z',
    expiresAt: '2026-12-04T14:03:00.000Z',
    completedAt: null,
  },
})
const contractHeaders = { 'content-type': 'application/json; charset=utf-8' }
/** The headers that the gateway adds, for `bare` and `hop`, which must give the same answer. */
const gatewayHeaders = {
  'Paraph-Quota-Weight': '1',
  'Paraph-Quota-Billable': 'true',
  'RateLimit-Limit': '1000000',
  'RateLimit-Remaining': '900000',
  'RateLimit-Reset': '59',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

function bare() {
  return [
    (ctx) => {
      ctx.status = 200
      ctx.set({ ...contractHeaders, ...gatewayHeaders })
      ctx.body = body
    },
  ]
}

function hop() {
  const pool = new Pool(backendUrl, { connections: 64 })
  return [
    async (ctx) => {
      const answer = await pool.request({ path: ctx.req.url, method: 'GET', headers: { accept: 'application/json' } })
      ctx.status = answer.statusCode
      ctx.set({ 'content-type': answer.headers['content-type'], ...gatewayHeaders })
      ctx.body = await answer.body.text()
    },
  ]
}

async function gateway(variant) {
  const database = createDatabase(openPool(databaseUrl, logger))
  const addresses = createAddressWindow()
  const { privateKey } = generateKeyPairSync('ed25519')
  const signer = createTokenSigner('gateway', privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'))
  const atHand = { forward: async () => ({ status: 200, headers: contractHeaders, body }) }
  const uncounted = { isFailing: () => false, count: async () => true }
  const own = createMemoryWindows({ windowsMax: 100_000 })
  const isCounted = ['counted', 'complete'].includes(variant)
  const windows = isCounted || variant === 'shared' ? sharedWindows(own) : own
  const requestLog = variant === 'complete' ? createRequestLog({ database, logger }) : undefined
  requestLog?.start()
  return [
    renderErrors(logger, 'http://localhost/docs/errors'),
    clientAddress(0),
    refuseBrokenHead(addresses),
    createEdge({
      addresses,
      keys: createKeyCache({ load: createKeyStore({ database }).find }),
      // Records each call in memory, as in the product. Its loop is not started, so that nothing is written during the measurement.
      lastUse: createKeyLastUse({ database, logger }),
      windows,
      clock: createStoreClock({ readMs: () => readClockMs(database), logger }),
      usage: isCounted ? createUsageRecord({ database, writer: database, logger }) : uncounted,
      requestLog: requestLog ?? { record: () => undefined },
      quota: createQuota(database),
      contract:
        variant === 'edge'
          ? atHand
          : createContractProxy({ url: backendUrl, signer, errorsUrl: 'http://localhost/docs/errors' }),
      own: undefined,
    }),
  ]
}

function sharedWindows(own) {
  const database = createDatabase(openPool(databaseUrl, logger, { max: 1, idleTimeoutMs: 0 }))
  return createGuardedWindows({ shared: createPostgresWindows({ database }), own, answerMsMax: 25, logger })
}

const variant = process.argv[2]
let answer
if (variant === 'backend') {
  answer = (_, res) => res.writeHead(200, { ...contractHeaders, 'content-length': body.length }).end(body)
} else {
  const app = new Koa()
  app.silent = true
  const list = variant === 'bare' ? bare() : variant === 'hop' ? hop() : await gateway(variant)
  for (const middleware of list) app.use(middleware)
  answer = app.callback()
}
const server = createServer({ maxHeaderSize: 16_384, keepAliveTimeout: 75_000 }, answer)
server.listen(0, '127.0.0.1', () => process.send(server.address().port))
process.on('message', () => process.send({ cpu: process.cpuUsage(), memory: process.memoryUsage() }))
process.on('SIGINT', () => process.exit(0))
