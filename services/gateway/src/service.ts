// Wires the parts of the gateway together.
import { answersOutsidePool } from '@paraph/database/answers-beside-pool'
import { readClockMs } from '@paraph/database/clock'
import { createDatabase, openConnections, openPool } from '@paraph/database/pool'
import { collectCodeGauges } from '@paraph/codes/code-sending'
import { openEventBus } from '@paraph/messaging/open-event-bus'
import { collectOutboxGauges } from '@paraph/messaging/messaging-metrics'
import { createMessagingRouter } from '@paraph/messaging/operator-router'
import { createRelay } from '@paraph/messaging/relay'
import { elementAt } from '@paraph/protocol/element-at'
import { createTokenSigner, createTokenVerifier } from '@paraph/rpc/service-token'
import { exchangeWith } from '@paraph/rpc/position'
import { waitAtMost, withTimeout } from '@paraph/protocol/deadline'
import { describeRest } from '@paraph/rpc/openapi-document'
import { observeProcess } from '@paraph/telemetry/process-gauges'
import { createRestoreGuard } from '@paraph/background/restore-guard'
import { createSchemaCheck } from '@paraph/background/schema-check'
import { createPruning } from '@paraph/background/pruning'
import { createRowGauges } from '@paraph/background/row-gauges'
import { mountRpc } from '@paraph/rpc/mount'
import type { Service } from '@paraph/http/run'
import { createStoreClock } from '@paraph/background/store-clock'
import type { Logger } from '@paraph/telemetry/logger'
import { strictTransport } from '@paraph/web/security-headers'
import { createAccountOwners } from './accounts/account-owners.js'
import { createContractErasures } from './accounts/contract-erasures.js'
import { createDisabledWebhooks } from './accounts/disabled-webhooks.js'
import { createOwnerNotices } from './accounts/owner-notices.js'
import { principalOf } from './console/console-context.js'
import type { StoreDeps } from './accounts/account-change.js'
import { createAccountStore } from './accounts/account-store.js'
import { createAddressWindow } from './rate-limit/address-limit.js'
import { createApplicationStore } from './accounts/application-store.js'
import { createBilling } from './billing/billing.js'
import { createBillingStore } from './billing/billing-store.js'
import { createStripe } from './billing/stripe.js'
import { createBillingWebhook } from './billing/webhook.js'
import { createBrandStore } from './brand/brand-store.js'
import { createLogoReader } from './brand/logo.js'
import { listActs, recordRead } from './accounts/audit.js'
import { createAuditChain } from './accounts/audit-chain.js'
import type { GatewayConfig } from './config.js'
import { migrations } from './migrations.js'
import type { GatewayDatabase } from './database.js'
import { collectOwnerMailGauges, observeGateway } from './metrics.js'
import { createKeyCache } from './keys/key-cache.js'
import { createKeyChanges } from './keys/key-changes.js'
import { createKeyLastUse } from './keys/key-last-use.js'
import { createKeyStore } from './keys/key-store.js'
import { createMemoryWindows } from './rate-limit/memory-store.js'
import { createEdge } from './edge/edge.js'
import { createOperatorRouter } from './operator-router.js'
import { createOwnerMails } from './accounts/owner-mail-queue.js'
import { createFormLimits } from './pages/form-limits.js'
import { createContractProxy } from './edge/contract-proxy.js'
import { createQuota } from './usage/quota.js'
import { answerRawErrors, refuseBrokenHead } from './edge/raw-errors.js'
import { createReadiness } from './readiness.js'
import { clientAddress } from './edge/client-address.js'
import { createRestRouter } from './edge/own-endpoints.js'
import { RETENTION } from './retention.js'
import { ERRORS_PATH, isExternal } from './edge/endpoints.js'
import { createRequestLog } from './request-log/recorder.js'
import { createUsageRecord, WRITE_MS_MAX } from './usage/recorder.js'
import { createLongPolls } from './edge/long-poll.js'
import { connectServices } from './clients.js'
import { createSite } from './browser-site.js'
import { openSharedWindows } from './rate-limit/shared-windows.js'

/** One window per account and environment; the limit only guards the memory against a defect. */
const WINDOWS_MAX = 100_000

/** A usage recorder that has calls to write, but has not tried for this long, is stuck. [H11] */
const RECORDER_STUCK_MS = 60_000
/** An outbox relay without a round for this long is stuck. [H11] */
const RELAY_STUCK_MS = 180_000

/** One for the running statement, and one for its retry after the recorder has stopped waiting for it. */
const USAGE_CONNECTIONS = 2

/** For the forms of codes, which wait for locks: a flood of forms fills this pool, and keys and other pages have theirs. [P26] */
const CODE_CONNECTIONS = 3
/** For look-ups of keys alone, so that no page or loop delays a call of the interface. [P26] */
const KEY_CONNECTIONS = 2

/** Connections of the main pool that are open before the first call. */
const WARM_CONNECTIONS = 3
/** The fingerprint of no key. */
const NO_FINGERPRINT = '0'.repeat(64)

/** A look-up that takes longer means that the database is unavailable. */
const DATABASE_MS_MAX = 4_000

/** The gateway, to be run by `runService`. */
export function createGatewayService(config: GatewayConfig, logger: Logger): Service {
  const pool = openPool(config.DATABASE_URL, logger, { max: config.DATABASE_POOL_MAX })
  const database = createDatabase<GatewayDatabase>(pool)
  const usagePool = openPool(config.DATABASE_URL, logger, { max: USAGE_CONNECTIONS, statementTimeoutMs: WRITE_MS_MAX })
  const usageWriter = createDatabase<GatewayDatabase>(usagePool)
  const codePool = openPool(config.DATABASE_URL, logger, { max: CODE_CONNECTIONS })
  const codeDatabase = createDatabase<GatewayDatabase>(codePool)
  const keyPool = openPool(config.DATABASE_URL, logger, { max: KEY_CONNECTIONS })
  const keyDatabase = createDatabase<GatewayDatabase>(keyPool)
  const clock = createStoreClock({ readMs: () => readClockMs(database), logger })
  const signer = createTokenSigner('gateway', config.CALLER_PRIVATE_KEY, clock.now)
  const bus = openEventBus('gateway', config, logger)
  const relay = createRelay({ directUrl: config.DATABASE_DIRECT_URL, source: '/gateway', bus, logger })
  const services = connectServices(config, signer)
  const ownerMails = createOwnerMails({ database, push: services.notification.rpc.owner.mail.mutate, logger })
  const storeDeps = { database, triggerRelay: relay.wake, triggerMails: ownerMails.wake }
  const stores = {
    accounts: createAccountStore({ ...storeDeps, hasProvider: config.BILLING === 'stripe' }),
    applications: createApplicationStore({ ...storeDeps, autoApproves: config.AUTO_APPROVE === 'trial' }),
    owners: createAccountOwners(storeDeps),
    keys: createKeyStore(storeDeps),
    brands: createBrandStore(storeDeps),
    logos: createLogoReader(),
  }
  const billing = openBilling(config, storeDeps, logger)
  const erasures = createContractErasures({ database, contract: services.contract.rpc.erasure, logger })
  const disabledWebhooks = createDisabledWebhooks({
    database,
    webhooks: services.notification.rpc.webhooks,
    triggerMails: ownerMails.wake,
    logger,
  })
  const ownerNotices = createOwnerNotices({
    database,
    notices: services.notification.rpc.notices,
    async numberOf(accountId, id) {
      const owner = principalOf(await stores.accounts.show(accountId), 'production')
      return (await services.contract.rpcFor(owner).console.detail.query({ id })).contractNumber
    },
    triggerMails: ownerMails.wake,
    logger,
  })
  const keyLookUps = createKeyStore({ ...storeDeps, database: keyDatabase })
  const keys = createKeyCache({ load: (fingerprint) => withTimeout(DATABASE_MS_MAX, keyLookUps.find(fingerprint)) })
  const lastUse = createKeyLastUse({ database, logger })
  const usage = createUsageRecord({ database, writer: usageWriter, logger })
  const requestLog = createRequestLog({ database, logger })
  const addresses = createAddressWindow()
  const ownWindows = createMemoryWindows({ windowsMax: WINDOWS_MAX })
  const shared =
    config.WINDOW_STORE === 'postgres'
      ? openSharedWindows({
          url: config.WINDOW_DATABASE_URL ?? config.DATABASE_URL,
          own: ownWindows,
          answerMsMax: config.WINDOW_STORE_MS_MAX,
          logger,
        })
      : undefined
  const errorsUrl = `${config.BASE_URL}${ERRORS_PATH}`
  const contract = createContractProxy({ url: config.CONTRACT_URL, signer, errorsUrl })
  const longPolls = createLongPolls({ contract, keys, logger })
  const onChange = (): void => {
    keys.expireAll()
    longPolls.recheckKeys()
  }
  const keyChanges = createKeyChanges({ url: config.DATABASE_DIRECT_URL, logger, onChange })
  const others = [config.CONTRACT_INTERNAL_URL, config.SIGNING_INTERNAL_URL, config.NOTIFICATION_INTERNAL_URL]
  const readiness = createReadiness(others, logger)
  const schema = createSchemaCheck({
    database,
    migrations,
    warmUp: () =>
      Promise.all([
        usage.warmUp(USAGE_CONNECTIONS),
        openConnections(keyDatabase, KEY_CONNECTIONS),
        openConnections(database, WARM_CONNECTIONS),
        openConnections(codeDatabase, 1),
        keyLookUps.find(NO_FINGERPRINT),
      ]),
    logger,
  })
  const isOperational = (): boolean => schema.isCurrent() && readiness.allReady()
  const own = createRestRouter({ usage, isOperational })
  const windows = shared?.windows ?? ownWindows
  const quota = createQuota(database)
  const edge = createEdge({
    addresses,
    keys,
    lastUse,
    windows,
    clock,
    usage,
    requestLog,
    quota,
    contract,
    longPolls,
    own,
  })
  const https = new URL(config.BASE_URL).protocol === 'https:'
  const siteDeps = { config, database, codeDatabase, stores, services, billing, usage, clock, signer, logger }
  const site = createSite({ ...siteDeps, own: describeRest(own), triggerMails: ownerMails.wake })
  const messaging = createMessagingRouter({ database, relay })
  const operator = createOperatorRouter({
    ...stores,
    erasures,
    passkeys: site.passkeys,
    listActs: (page) => listActs(database, page),
    recordRead: (actor, what) => recordRead(database, actor, what),
    isOperational,
    messaging,
  })
  const verify = createTokenVerifier('gateway', config.CALLER_PUBLIC_KEYS, clock.now)
  const auditChain = createAuditChain({ database, secret: elementAt(config.PAGE_SECRET, 0).secret, logger })
  const restoreGuard = createRestoreGuard({
    database,
    service: 'gateway',
    others: {
      contract: exchangeWith(services.contract),
      signing: exchangeWith(services.signing),
      notification: exchangeWith(services.notification),
    },
    accept: config.ACCEPT_MIXED_RESTORE === 'yes',
    logger,
  })
  const pruning = createPruning({ plan: RETENTION, database, logger })
  const gauges = createRowGauges({
    readers: [collectOutboxGauges(database), collectCodeGauges(database), collectOwnerMailGauges(database)],
    isDatabaseReachable: answersOutsidePool(config.DATABASE_URL),
    logger,
  })
  const { sending } = site
  const loops = {
    relay,
    ownerMails,
    erasures,
    disabledWebhooks,
    ownerNotices,
    codes: sending,
    auditChain,
    pruning,
    usage: { tickAgeMs: usage.idleMs },
  }
  const pools = {
    main: pool,
    usage: usagePool,
    codes: codePool,
    keys: keyPool,
    ...(shared && { windows: shared.pool }),
  }
  const parts = [
    clock,
    keyChanges,
    lastUse,
    requestLog,
    longPolls,
    auditChain,
    pruning,
    relay,
    ownerMails,
    erasures,
    disabledWebhooks,
    ownerNotices,
    sending,
    readiness,
    gauges,
    ...(billing ? [billing.checks] : []),
  ]
  const databases = [database, usageWriter, codeDatabase, keyDatabase]
  let observations: (() => void)[] = []

  return {
    errorsUrl,
    schema: Object.keys(migrations).at(-1),
    publicMiddleware: [
      ...(https ? [strictTransport] : []),
      clientAddress(config.TRUSTED_PROXY_HOPS),
      refuseBrokenHead(addresses),
      // First, because most requests are calls of the external interface.
      (ctx, next) => (isExternal(ctx.req.url ?? '') ? edge(ctx, next) : next()),
      ...(billing ? [createBillingWebhook({ billing, now: clock.now })] : []),
      createFormLimits({ sendPlainPage: site.sendPlainPage }),
      ...site.middleware,
    ],
    internalMiddleware: [mountRpc({ router: operator, verify, callers: ['operator'] })],
    isLive: () => !schema.hasBegun() || (usage.idleMs() < RECORDER_STUCK_MS && relay.tickAgeMs() < RELAY_STUCK_MS),
    // Ready after one poll of the other services, whatever its result: an outage of theirs must not make this gateway unready. [H8]
    isReady: () => schema.isCurrent() && readiness.hasPolled(),
    beginStop: longPolls.endAll,
    configureServer: (server) => answerRawErrors(server, addresses, errorsUrl),
    async start() {
      await restoreGuard.start()
      await schema.start(() => {
        for (const part of parts) part.start()
        void shared?.connect()
        observations = [observeProcess(loops, pools), ...observeGateway(usage, longPolls)]
        if (shared) observations.push(shared.observe())
      })
    },
    async stop() {
      await schema.stop()
      await Promise.all([restoreGuard, ...parts, usage].map((part) => part.stop()))
      for (const end of observations) end()
      billing?.close()
      await Promise.all([contract.close(), services.close(), site.close(), bus.close()])
      // A frozen database never returns its connections, and the process must still end.
      await waitAtMost(DATABASE_MS_MAX, Promise.all([...databases.map((each) => each.destroy()), shared?.close()]))
    },
  }
}

/** Paying at Stripe; undefined with `BILLING=manual`, which needs nothing. [D74] */
function openBilling(config: GatewayConfig, deps: StoreDeps, logger: Logger) {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecrets, STRIPE_PRICES: prices } = config
  if (config.BILLING === 'manual' || !secretKey || !webhookSecrets || !prices) return undefined
  const settings = { secretKey, webhookSecrets, prices, apiUrl: config.STRIPE_API_URL }
  const provider = createStripe(settings, `${config.BASE_URL}/console/plan`)
  return createBilling({ provider, store: createBillingStore(deps), logger })
}
