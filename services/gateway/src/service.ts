// Wires the gateway: the only file that knows all its parts.
import type { Middleware } from 'koa'
import { answersBesidePool } from '@paraph/database/answers-beside-pool'
import { readClockMs } from '@paraph/database/clock'
import { createDatabase, openPool } from '@paraph/database/pool'
import { lookAtCodes } from '@paraph/codes/code-metrics'
import { openEventBus } from '@paraph/messaging/open-event-bus'
import { lookAtOutbox } from '@paraph/messaging/messaging-metrics'
import { createMessagingRouter } from '@paraph/messaging/operator-router'
import { createRelay } from '@paraph/messaging/relay'
import type { RpcRouter as ContractRouter } from '@paraph/contract/rpc-router'
import type { RpcRouter as NotificationRouter } from '@paraph/notification/rpc-router'
import type { RpcRouter as SigningRouter } from '@paraph/signing/rpc-router'
import type { AnyTRPCRouter } from '@trpc/server'
import { createTokenSigner, createTokenVerifier } from '@paraph/service/caller-token'
import { createRpcClient } from '@paraph/service/rpc-link'
import { within } from '@paraph/service/deadline'
import { describeRest } from '@paraph/service/openapi-document'
import { observeProcess } from '@paraph/service/process-gauges'
import { createPruning } from '@paraph/service/pruning'
import { createRowGauges } from '@paraph/service/row-gauges'
import { mountRpc } from '@paraph/service/rpc-mount'
import { observe } from '@paraph/telemetry/metrics'
import type { Service } from '@paraph/service/run'
import { createStoreClock } from '@paraph/service/store-clock'
import type { Logger } from '@paraph/telemetry/logger'
import { createFormTokens } from '@paraph/web/form-token'
import { isSameOriginPost } from '@paraph/web/same-origin'
import { REFERENCE_SHEET } from '@paraph/web/reference-shell'
import { createAccountOwners } from './account-owners.js'
import { createAccountStore } from './account-store.js'
import { createAddressWindow } from './address-window.js'
import { createApplicationStore } from './application-store.js'
import { listActs } from './audit.js'
import type { GatewayConfig } from './config.js'
import type { GatewayDatabase } from './database.js'
import { createConsoleCodes } from './console/console-codes.js'
import { CONSOLE_SHEET, createConsole } from './console/console-pages.js'
import { createConsoleSessions } from './console/console-session.js'
import { createReaderOf } from './console/reader-of-docs.js'
import { createDocs } from './docs/docs.js'
import { lookAtOwnerMails, observeGateway } from './gateway-metrics.js'
import { createGuardedWindows } from './guarded-windows.js'
import { createHome } from './home/home.js'
import { createKeyCache } from './key-cache.js'
import { createKeyChanges } from './key-changes.js'
import { createKeyLastUse } from './key-last-use.js'
import { createKeyStore } from './key-store.js'
import { createManualBilling } from './manual-billing.js'
import { createMemoryWindows } from './memory-windows.js'
import { createEdge } from './middleware.js'
import { createOpenApi } from './openapi.js'
import { createOperatorRouter } from './operator-router.js'
import { createOwnerMails } from './owner-mail-queue.js'
import { createPageAssets } from './page-assets.js'
import { createPagesProxy } from './pages-proxy.js'
import { createPostgresWindows } from './postgres-windows.js'
import { createContractProxy } from './proxy.js'
import { createQuota } from './quota.js'
import { answerRawErrors, refuseBrokenHead } from './raw-errors.js'
import { createReadiness } from './readiness.js'
import { clientAddress } from './request-origin.js'
import { createRestRouter } from './rest-router.js'
import { RETENTION } from './retention.js'
import { isExternal } from './router.js'
import { createUsageRecord, WRITE_MS_MAX } from './usage.js'
import { createWaits } from './waits.js'

/** One window per account and environment; the bound only keeps a mistake from eating the memory. */
const WINDOWS_MAX = 100_000

/** One statement at a time, on a connection that stays: the call that found none would not have its answer in time. */
const WINDOW_POOL = { max: 1, statementTimeoutMs: 1_000, idleTimeoutMs: 0 }

/** A flusher that has calls to count and tried nothing for this long is stuck. [H11] */
const STUCK_AFTER_MS = 60_000
/** A relay that has not gone round for this long is stuck. [H11] */
const RELAY_STUCK_AFTER_MS = 180_000

/** The flusher has one statement under way, and one more when it has given one up. */
const USAGE_CONNECTIONS = 2

/** A person waits for most of these calls. */
const CALL_MS_MAX = 5_000

/** A look-up that takes longer means that the database is away. */
const DATABASE_MS_MAX = 2_000

/** The gateway, to be run by `runService`. */
export function createGatewayService(config: GatewayConfig, logger: Logger): Service {
  const pool = openPool(config.DATABASE_URL, logger)
  const database = createDatabase<GatewayDatabase>(pool)
  const clock = createStoreClock({ readMs: () => readClockMs(database), logger })
  const signer = createTokenSigner('gateway', config.CALLER_PRIVATE_KEY, clock.now)

  const bus = openEventBus('gateway', config, logger)
  const relay = createRelay({ directUrl: config.DATABASE_DIRECT_URL, source: '/gateway', bus, logger })

  const linkTo = <Router extends AnyTRPCRouter>(service: 'contract' | 'signing' | 'notification', url: string) =>
    createRpcClient<Router>({
      ...{ url, timeoutMs: CALL_MS_MAX },
      token: (principal) => signer.signKept(service, principal),
    })
  const contractRpc = linkTo<ContractRouter>('contract', config.CONTRACT_URL)
  const signingRpc = linkTo<SigningRouter>('signing', config.SIGNING_URL)
  const notification = linkTo<NotificationRouter>('notification', config.NOTIFICATION_URL)
  const ownerMails = createOwnerMails({ database, push: (mail) => notification.rpc.owner.mail.mutate(mail), logger })
  const tellers = { wakeRelay: relay.wake, wakeMails: ownerMails.wake }
  const keyStore = createKeyStore({ database, ...tellers })
  const keys = createKeyCache({ load: (fingerprint) => within(DATABASE_MS_MAX, keyStore.find(fingerprint)) })
  const keyChanges = createKeyChanges({
    url: config.DATABASE_DIRECT_URL,
    logger,
    onChange: () => {
      keys.expireAll()
      waits.recheckKeys()
    },
  })
  const lastUse = createKeyLastUse({ database, logger })
  const usagePool = openPool(config.DATABASE_URL, logger, { max: USAGE_CONNECTIONS, statementTimeoutMs: WRITE_MS_MAX })
  const usageWriter = createDatabase<GatewayDatabase>(usagePool)
  const usage = createUsageRecord({ database, writer: usageWriter, logger })
  const pruning = createPruning({ plan: RETENTION, database, logger })
  const addresses = createAddressWindow()
  const ownWindows = createMemoryWindows({ windowsMax: WINDOWS_MAX })
  const shared = config.WINDOW_STORE === 'postgres' ? openSharedWindows() : undefined
  const readiness = createReadiness(
    [config.CONTRACT_INTERNAL_URL, config.SIGNING_INTERNAL_URL, config.NOTIFICATION_INTERNAL_URL],
    logger,
  )
  const contract = createContractProxy({ url: config.CONTRACT_URL, signer })
  const waits = createWaits({ contract, keys, logger })
  const https = config.BASE_URL.startsWith('https:')
  const pages = createPagesProxy({ url: config.SIGNING_URL, signer, https, logger })
  const own = createRestRouter({ usage, areOthersReady: readiness.allReady })
  const assets = createPageAssets({ reference: [REFERENCE_SHEET], console: [CONSOLE_SHEET] }, { https })
  const accounts = createAccountStore({ database, wakeRelay: relay.wake })
  const autoApproves = config.AUTO_APPROVE === 'trial'
  const applications = createApplicationStore({ database, autoApproves, ...tellers })
  const owners = createAccountOwners({ database, wakeMails: ownerMails.wake })
  const codes = createConsoleCodes({
    ...{ database, accounts, logger, peppers: config.CODE_PEPPERS, codeKeys: config.CODE_KEYS },
    push: (code) => notification.rpc.owner.code.mutate(code),
  })
  const sessions = createConsoleSessions(database)
  const console = createConsole(
    {
      ...{ database, accounts, applications, owners, usage, codes, sessions, https, now: clock.now, keys: keyStore },
      billing: createManualBilling(accounts),
      reports: signingRpc.rpc.report,
      others: (principal) => ({
        contract: contractRpc.rpcFor(principal).console,
        evidence: signingRpc.rpcFor(principal).evidence,
        mails: notification.rpcFor(principal),
      }),
      formTokens: createFormTokens(config.PAGE_SECRET),
      ...{ baseUrl: config.BASE_URL, operatorEmails: config.OPERATOR_EMAILS },
      ...{ operatorAddress: config.OPERATOR_ADDRESS, statusUrl: config.STATUS_URL },
      isMailDelayed: () =>
        notification.rpc.owner.isDelayed.query().then(
          ({ delayed }) => delayed,
          () => true,
        ),
      isOwnForm: (ctx) => isSameOriginPost(ctx.req.headers, new URL(config.BASE_URL).origin),
    },
    { mayTry: autoApproves, styleHref: assets.hrefs.console, logger },
  )
  const readerOf = createReaderOf({ sessions, owners, https, keys: keyStore, now: clock.now })
  const openApi = createOpenApi({
    own: describeRest(own),
    contractUrl: config.CONTRACT_INTERNAL_URL,
    baseUrl: config.BASE_URL,
  })
  const site = { styleHref: assets.hrefs.reference, https, statusUrl: config.STATUS_URL }
  const operator = createOperatorRouter({
    ...{ accounts, applications, owners, keys: keyStore },
    listActs: (page) => listActs(database, page),
    messaging: createMessagingRouter({ database, relay }),
  })

  const gauges = createRowGauges({
    looks: [lookAtOutbox(database), lookAtCodes(database), lookAtOwnerMails(database)],
    answersAllTheSame: answersBesidePool(config.DATABASE_URL),
    logger,
  })
  let ends: (() => void)[] = []

  return {
    facesClients: true,
    publicMiddleware: [
      clientAddress(config.TRUSTED_PROXY_HOPS),
      refuseBrokenHead(addresses),
      externalInterface(
        createEdge({
          addresses,
          keys,
          lastUse,
          windows: shared?.windows ?? ownWindows,
          clock,
          usage,
          quota: createQuota(database),
          contract,
          waits,
          own,
        }),
      ),
      openApi.middleware,
      assets.middleware,
      createHome({ ...site, localHomeUrl: config.LOCAL_HOME_URL }),
      console,
      createDocs({ ...site, readDocument: openApi.read, baseUrl: config.BASE_URL, readerOf }),
      pages.middleware,
    ],
    internalMiddleware: [
      mountRpc({
        router: operator,
        verify: createTokenVerifier('gateway', config.CALLER_PUBLIC_KEYS, clock.now),
        callers: ['operator'],
      }),
    ],
    isLive: () => usage.idleMs() < STUCK_AFTER_MS && relay.tickAgeMs() < RELAY_STUCK_AFTER_MS,
    // Of the others only that they were asked once, which takes a second and a half at most: their outage is not this gateway's. [H8]
    isReady: readiness.hasLooked,
    beginStop: waits.endAll,
    configureServer: (server) => answerRawErrors(server, addresses),
    start() {
      clock.start()
      keyChanges.start()
      lastUse.start()
      waits.start()
      pruning.start()
      relay.start()
      ownerMails.start()
      codes.sending.start()
      readiness.start()
      void shared?.connect()
      gauges.start()
      const loops = { relay, ownerMails, codes: codes.sending, pruning, usage: { tickAgeMs: usage.idleMs } }
      const pools = { main: pool, usage: usagePool, ...(shared && { windows: shared.pool }) }
      ends = [observeProcess(loops, pools), observeGateway(usage, waits), ...(shared ? [shared.observe()] : [])]
    },
    async stop() {
      const parts = [
        gauges,
        keyChanges,
        lastUse,
        waits,
        readiness,
        usage,
        relay,
        clock,
        pruning,
        ownerMails,
        codes.sending,
      ]
      await Promise.all(parts.map((part) => part.stop()))
      for (const end of ends) end()
      await Promise.all([
        contract.close(),
        contractRpc.close(),
        signingRpc.close(),
        notification.close(),
        pages.close(),
        bus.close(),
      ])
      // A database that is frozen never gives its connections back; the process must end all the same.
      const closing = Promise.all([database.destroy(), usageWriter.destroy(), shared?.close()])
      await within(DATABASE_MS_MAX, closing).catch(() => undefined)
    },
  }

  function openSharedWindows() {
    const pool = openPool(config.WINDOW_DATABASE_URL ?? config.DATABASE_URL, logger, WINDOW_POOL)
    const windowDatabase = createDatabase<GatewayDatabase>(pool)
    const store = createPostgresWindows({ database: windowDatabase })
    const windows = createGuardedWindows({
      shared: store,
      own: ownWindows,
      answerMsMax: config.WINDOW_STORE_MS_MAX,
      logger,
    })
    pool.on('error', windows.distrust)
    return {
      windows,
      pool,
      observe: () => observe('paraph.ratelimit.store.up', () => Number(windows.isAsked())),
      connect: store.connect,
      close: () => windowDatabase.destroy(),
    }
  }
}

/** First, for it has the most to answer. */
function externalInterface(edge: Middleware): Middleware {
  return (ctx, next) => (isExternal(ctx.req.url ?? '') ? edge(ctx, next) : next())
}
