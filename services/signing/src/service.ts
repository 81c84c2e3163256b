// Wires the signing service: the composition root, which alone imports all other modules.
import type { RpcRouter as ContractRouter } from '@paraph/contract/api/rpc-router'
import type { RpcRouter as NotificationRouter } from '@paraph/notification/rpc-router'
import { collectCodeGauges, createCodeSending } from '@paraph/codes/code-sending'
import { answersOutsidePool } from '@paraph/database/answers-beside-pool'
import { readClockMs } from '@paraph/database/clock'
import { createDatabase, openConnections, openPool } from '@paraph/database/pool'
import { createConsumer, isStalled } from '@paraph/messaging/consumer'
import { openEventBus } from '@paraph/messaging/open-event-bus'
import { createMessagingRouter } from '@paraph/messaging/operator-router'
import { collectConsumerGauges, collectOutboxGauges, observeConsumer } from '@paraph/messaging/messaging-metrics'
import { createRelay } from '@paraph/messaging/relay'
import { recordSuspension } from '@paraph/messaging/account-suspension'
import type { ReceivedEvent } from '@paraph/messaging/event-reader'
import { EDGES } from '@paraph/protocol/services'
import { createTokenSigner, createTokenVerifier } from '@paraph/rpc/service-token'
import { createRpcClient } from '@paraph/rpc/link'
import { observeProcess } from '@paraph/telemetry/process-gauges'
import { createRestoreGuard } from '@paraph/background/restore-guard'
import { createSchemaCheck } from '@paraph/background/schema-check'
import { createPruning } from '@paraph/background/pruning'
import { createRowGauges } from '@paraph/background/row-gauges'
import { mountRpc } from '@paraph/rpc/mount'
import { exchangeWith, withPosition } from '@paraph/rpc/position'
import type { Service } from '@paraph/http/run'
import { createStoreClock } from '@paraph/background/store-clock'
import type { Logger } from '@paraph/telemetry/logger'
import type { Transaction } from 'kysely'
import { createCeremonyCookies } from '@paraph/web/cookies'
import { createFormTokens } from '@paraph/web/form-token'
import { isSameOriginPost } from '@paraph/web/same-origin'
import { loadStyleSheet } from '@paraph/web/style-sheet'
import { createBrands, type Brands } from './brand/brands.js'
import type { Ceremony } from './ceremony/page-request.js'
import type { SigningConfig } from './config.js'
import { migrations } from './migrations.js'
import type { SigningDatabase } from './database.js'
import { createEvidenceTasks, queueTask } from './tasks/evidence-tasks.js'
import { createDocuments } from './documents/documents.js'
import { createMove } from './documents/move-documents.js'
import { createObjectDeletion } from './documents/object-deletion.js'
import type { ObjectStore } from './documents/object-store.js'
import { createOrphanSearch } from './documents/orphans.js'
import type { OpenedKeys } from './sealing/keys.js'
import { createKeptNames } from './ceremony/kept-name.js'
import { createSimulatedParties } from './simulator/simulated-parties.js'
import { codePushingOf, createMailHealth, createVerificationCodes } from './codes/verification-code.js'
import { createOperatorRouter } from './operator-router.js'
import { createDeclines } from './decline/decline.js'
import { createReports } from './reports/report.js'
import { createRpcRouter } from './rpc-router.js'
import { createSealing } from './sealing/worker.js'
import { createWorkerPool } from './sealing/pdf/worker-pool.js'
import { RETENTION } from './retention.js'
import { createCeremonyRouter } from './ceremony/ceremony-router.js'
import { createSigning } from './signature/sign.js'
import { createSignSweep } from './signature/finish-attempt.js'
import { createChecks } from './verify/checks.js'
import { collectSigningGauges, observeSealCertificates } from './metrics.js'

/** A loop without a round for this long is stuck. [H9, H11] */
const STUCK_AFTER_MS = 180_000
/** Time limits of the calls to the other services. A person would rather wait for a page than read that there is a problem. */
const CALL_MS_MAX = { contract: 10_000, notification: 5_000 }

/** Connections of the main pool that are open before the first page. */
const WARM_CONNECTIONS = 3

/** For the forms of codes, which wait for locks: a flood of forms fills this pool, and the other pages have theirs. [P26] */
const CODE_CONNECTIONS = 3

/** Handles a consumed event: writes rows and calls no other service. [D49] */
async function handleEvent(
  trx: Transaction<SigningDatabase>,
  event: ReceivedEvent,
  brands: Pick<Brands, 'record'>,
): Promise<void> {
  switch (event.type) {
    case 'account.brand_changed':
      return brands.record(trx, event)
    case 'account.suspended':
    case 'account.resumed':
      return recordSuspension(trx, event)
    case 'email.accepted':
    case 'email.delayed':
    case 'email.failed':
    case 'signing.evidence_sealed':
    case 'key.revoked':
      // Not part of the evidence. Except for key.revoked, this service does not subscribe to the topics of these events. [D30]
      return
    default:
      return queueTask(trx, event)
  }
}

/** The signing service, for `runService`. @param objects the object store of the settings; undefined if they name none */
export function createSigningService(
  config: SigningConfig,
  { keys, published }: OpenedKeys,
  objects: ObjectStore | undefined,
  logger: Logger,
): Service {
  const origin = new URL(config.SHARE_BASE_URL)
  const https = origin.protocol === 'https:'
  const pool = openPool(config.DATABASE_URL, logger, { max: config.DATABASE_POOL_MAX })
  const database = createDatabase<SigningDatabase>(pool)
  const codePool = openPool(config.DATABASE_URL, logger, { max: CODE_CONNECTIONS })
  const codeDatabase = createDatabase<SigningDatabase>(codePool)
  const clock = createStoreClock({ readMs: () => readClockMs(database), logger })
  const bus = openEventBus('signing', config, logger)

  const signer = createTokenSigner('signing', config.CALLER_PRIVATE_KEY, clock.now)
  const linkTo = (service: 'contract' | 'notification', url: string) => {
    return { url, token: () => signer.signCached(service), timeoutMs: CALL_MS_MAX[service] }
  }
  const contractLink = createRpcClient<ContractRouter>(linkTo('contract', config.CONTRACT_URL))
  const notificationLink = createRpcClient<NotificationRouter>(linkTo('notification', config.NOTIFICATION_URL))
  const contract = contractLink.rpc
  const codeKeys = config.CODE_KEYS

  const relay = createRelay({ directUrl: config.DATABASE_DIRECT_URL, source: '/signing', bus, logger })
  const workerPool = createWorkerPool()
  const documents = createDocuments({ database, objects, newTo: config.DOCUMENT_STORE, logger })
  const brands = createBrands({ database })
  const sealing = createSealing({
    database,
    contract,
    documents,
    brands,
    footName: config.FOOT_NAME,
    keys,
    workerPool,
    notifyRelay: relay.wake,
    logger,
  })
  const tasks = createEvidenceTasks({
    database,
    contract,
    notifySealing: sealing.wake,
    notifySimulator: () => simulated.wake(),
    logger,
  })
  const notification = notificationLink.rpc
  const pushing = codePushingOf(notification)
  const sending = createCodeSending<SigningDatabase>({
    database,
    codeKeys,
    logger,
    ...pushing,
    push: async (code) => {
      await pushing.push(code)
      void simulated.hear(code)
    },
    afterPushed: tasks.wake,
  })
  const mail = createMailHealth({ notification, logger })
  const codes = createVerificationCodes({
    database: codeDatabase,
    peppers: config.CODE_PEPPERS,
    codeKeys,
    onCodeDue: sending.wake,
  })
  const unfinishedAfterSeconds = config.SIGN_UNSETTLED_SECONDS
  const signing = createSigning({ database, contract, logger })
  const decline = createDeclines({ database, contract })
  const simulated = createSimulatedParties({ database, contract, codes, signing, decline, logger })
  const signSweep = createSignSweep({ database, contract, unfinishedAfterSeconds, logger })
  const reports = createReports({ database, peppers: config.CODE_PEPPERS })

  const ceremony: Ceremony = {
    database,
    contract,
    documents,
    codes,
    mail,
    signing,
    reports,
    checks: createChecks({ knownKeysPem: published.evidencePem, knownSealsPem: published.sealPem }),
    decline,
    now: clock.now,
    https,
    statusUrl: config.STATUS_URL,
    operatorAddress: config.OPERATOR_ADDRESS,
    footName: config.FOOT_NAME,
    brands,
    mailsCopies: config.COMPLETION_EMAIL === 'on',
    formTokens: createFormTokens(config.PAGE_SECRET),
    cookies: createCeremonyCookies({ https }),
    keptNames: createKeptNames({ secrets: config.PAGE_SECRET, https }),
    host: origin.host,
    isOwnForm: (ctx) => isSameOriginPost(ctx.req.headers, origin.origin),
  }
  const style = loadStyleSheet([new URL('./ceremony/pages/frame/ceremony.css', import.meta.url)])
  const verify = createTokenVerifier('signing', config.CALLER_PUBLIC_KEYS, clock.now)
  const consumer = createConsumer<SigningDatabase>({
    name: 'signing',
    topics: ['contract.events.v1', 'account.events.v1'],
    bus,
    database,
    logger,
    handle: (trx, event) => handleEvent(trx, event, brands),
    afterCommit: tasks.wake,
  })
  const messaging = createMessagingRouter({ database, relay, consumers: [consumer], redrivers: [tasks.parked] })
  const rpc = createRpcRouter({ database, contract, documents, reports, onSimulated: () => simulated.wake() })
  const move = createMove({ database, documents, logger })
  const findOrphans = objects && createOrphanSearch({ database, objects })
  const operator = createOperatorRouter({ documents, move, findOrphans, reports, messaging })
  const restoreGuard = createRestoreGuard({
    database,
    service: 'signing',
    others: { contract: exchangeWith(contractLink), notification: exchangeWith(notificationLink) },
    accept: config.ACCEPT_MIXED_RESTORE === 'yes',
    logger,
  })
  const schema = createSchemaCheck({
    database,
    migrations,
    warmUp: () => Promise.all([openConnections(database, WARM_CONNECTIONS), openConnections(codeDatabase, 1)]),
    logger,
  })
  const pruning = createPruning({ plan: RETENTION, database, logger })
  const ofObjects: Record<string, ReturnType<typeof createObjectDeletion>> = objects
    ? { objectDeletion: createObjectDeletion({ database, objects, logger }) }
    : {}
  const namedLoops = { sending, simulated, mail, tasks, sealing, signSweep, relay, pruning, ...ofObjects }
  const loops = Object.values(namedLoops)
  const gauges = createRowGauges({
    readers: [
      collectOutboxGauges(database),
      collectCodeGauges(database),
      collectSigningGauges(database, unfinishedAfterSeconds),
      collectConsumerGauges(database, consumer),
    ],
    isDatabaseReachable: answersOutsidePool(config.DATABASE_URL),
    logger,
  })
  let stopObserving: (() => void)[] = []

  return {
    schema: Object.keys(migrations).at(-1),
    publicMiddleware: [
      mountRpc({ router: withPosition(rpc, database, 'signing'), verify, callers: EDGES.signing }),
      ...createCeremonyRouter({ ceremony, style, published, verify, logger }),
    ],
    internalMiddleware: [mountRpc({ router: operator, verify, callers: ['operator'] })],
    isLive: () =>
      !schema.hasBegun() ||
      (loops.every((loop) => loop.tickAgeMs() < STUCK_AFTER_MS) && !isStalled(consumer.progress(), STUCK_AFTER_MS)),
    isReady: schema.isCurrent,
    start: async () => {
      await restoreGuard.start()
      await schema.start(() => {
        clock.start()
        for (const loop of loops) loop.start()
        consumer.start()
        gauges.start()
        stopObserving = [
          observeProcess(namedLoops, { main: pool, codes: codePool }),
          observeConsumer(consumer),
          observeSealCertificates(keys),
        ]
      })
    },
    stop: async () => {
      await schema.stop()
      await Promise.all([restoreGuard, gauges, consumer, ...loops, clock].map((part) => part.stop()))
      for (const stop of stopObserving) stop()
      await workerPool.stop()
      objects?.close()
      await bus.close()
      await Promise.all([contractLink.close(), notificationLink.close()])
      await Promise.all([database.destroy(), codeDatabase.destroy()])
    },
  }
}
