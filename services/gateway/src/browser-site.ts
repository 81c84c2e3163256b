// Wires everything for a browser: the OpenAPI document, style sheets, /, the console, the reference, and the signing service's pages.
import type { Kysely } from 'kysely'
import type { TokenSigner } from '@paraph/rpc/service-token'
import type { OpenApiPart } from '@paraph/rpc/openapi-document'
import type { StoreClock } from '@paraph/background/store-clock'
import type { Logger } from '@paraph/telemetry/logger'
import { createFormTokens } from '@paraph/web/form-token'
import { LOCAL_TIME_SCRIPT } from '@paraph/web/local-time'
import { isSameOriginPost } from '@paraph/web/same-origin'
import type { GatewayConfig } from './config.js'
import type { GatewayDatabase } from './database.js'
import { createConsoleCodes } from './console/codes.js'
import type { Console } from './console/console-context.js'
import { COPY_SCRIPT, createConsole } from './console/console.js'
import { CONSOLE_SHEETS } from './console/frame/sheets.js'
import { createIssuers } from './console/issuers/issuers.js'
import { issuersSettingsOf } from './console/issuers/settings.js'
import { createPasskeys } from './console/second-factor/passkeys.js'
import { createRelyingParty } from './console/second-factor/relying-party.js'
import { PASSKEY_SCRIPT } from './console/second-factor/passkey-form.js'
import { createConsoleSessions } from './console/session.js'
import { createSignInRecord } from './console/sign-in-record.js'
import { createReferenceReader } from './console/reference-reader.js'
import { createDemoReader } from './reference/demo-reader.js'
import { REFERENCE_SHEETS, SEARCH_SCRIPT } from './reference/frame/shell.js'
import { codeSamplesOf } from './reference/samples.js'
import { createReference } from './reference/routes.js'
import { createHome, HOME_SHEET } from './home/home.js'
import { createOpenApi } from './openapi/openapi.js'
import { createPlainPages } from './pages/plain-page.js'
import { createPagesProxy } from './pages/signing-proxy.js'
import { ICON_ROUTES, scriptRoute, serveSite, styleSheetRoute } from './pages/site.js'
import type { Billing } from './billing/billing.js'
import type { UsageRecord } from './usage/recorder.js'
import type { Services } from './clients.js'

interface SiteDeps {
  config: GatewayConfig
  database: Kysely<GatewayDatabase>
  /** A pool of its own for the forms of codes. */
  codeDatabase: Kysely<GatewayDatabase>
  stores: Pick<Console, 'accounts' | 'applications' | 'owners' | 'keys' | 'brands' | 'logos'>
  services: Services
  billing: Billing | undefined
  usage: UsageRecord
  clock: StoreClock
  signer: TokenSigner
  triggerMails: () => void
  /** The gateway's part of the OpenAPI document. */
  own: OpenApiPart
  logger: Logger
}

export function createSite(deps: SiteDeps) {
  const { config, database, codeDatabase, stores, services, billing, usage, clock, signer, triggerMails, own, logger } =
    deps
  const { accounts, owners, keys } = stores
  const { contract, signing, notification } = services
  const { BASE_URL: baseUrl, STATUS_URL: statusUrl } = config
  const https = new URL(baseUrl).protocol === 'https:'
  const [homeSheet, consoleSheet, referenceSheet] = [
    styleSheetRoute(HOME_SHEET),
    styleSheetRoute(...CONSOLE_SHEETS),
    styleSheetRoute(...REFERENCE_SHEETS),
  ]
  const [copyScript, searchScript] = [scriptRoute(COPY_SCRIPT), scriptRoute(SEARCH_SCRIPT)]
  const passkeyScript = scriptRoute(PASSKEY_SCRIPT)
  const zoneScript = scriptRoute(LOCAL_TIME_SCRIPT)
  const sendPlainPage = createPlainPages({ https, styleHref: homeSheet.path })
  const pages = createPagesProxy({ url: config.SIGNING_URL, signer, sendPlainPage, logger })
  const { CODE_PEPPERS: peppers, CODE_KEYS: codeKeys } = config
  const push = notification.rpc.owner.code.mutate
  const issuersSettings = issuersSettingsOf(config)
  const operatorEmails = issuersSettings.operators ? [] : config.OPERATOR_EMAILS
  const record = createSignInRecord({ operatorEmails })
  const codes = createConsoleCodes({
    database,
    codeDatabase,
    accounts,
    record,
    triggerMails,
    logger,
    peppers,
    codeKeys,
    push,
  })
  const sessions = createConsoleSessions(database, { record, operatorEmails })
  const issuers = createIssuers({
    settings: issuersSettings,
    operatorEmails,
    database,
    keys: codeKeys,
    baseUrl,
    record,
    sessions,
    triggerMails,
    logger,
  })
  const party = createRelyingParty(baseUrl)
  const passkeys = createPasskeys({ database, peppers, operatorEmails, party, record, triggerMails })
  const isMailDelayed = (): Promise<boolean> =>
    notification.rpc.owner.isDelayed.query().then(
      ({ delayed }) => delayed,
      () => true,
    )
  const parts = {
    ...stores,
    database,
    billing,
    usage,
    codes,
    sessions,
    passkeys,
    https,
    baseUrl,
    statusUrl,
    now: clock.now,
  }
  const console = createConsole(
    {
      ...parts,
      reports: signing.rpc.report,
      others: (principal) => ({
        contract: contract.rpcFor(principal).console,
        evidence: signing.rpcFor(principal).evidence,
        simulator: signing.rpcFor(principal).simulator,
        mails: notification.rpcFor(principal),
      }),
      formTokens: createFormTokens(config.PAGE_SECRET),
      issuers,
      operatorAddress: config.OPERATOR_ADDRESS,
      isMailDelayed,
      isOwnForm: (ctx) => isSameOriginPost(ctx.req.headers, new URL(baseUrl).origin),
      mayTry: config.AUTO_APPROVE === 'trial',
    },
    { styleHref: consoleSheet.path, scripts: [copyScript.path, zoneScript.path, passkeyScript.path], logger },
  )
  const openApi = createOpenApi({
    own,
    contractUrl: config.CONTRACT_INTERNAL_URL,
    baseUrl,
    operatorAddress: config.OPERATOR_ADDRESS,
    codeSamplesOf,
  })
  const { LOCAL_HOME_URL: localHomeUrl } = config
  const signedIn = createReferenceReader({ sessions, owners, https, keys, now: clock.now })
  const demo = localHomeUrl === undefined ? undefined : createDemoReader(localHomeUrl)
  const page = { https, statusUrl }
  const home = createHome({ ...page, styleHref: homeSheet.path, localHomeUrl })
  const reference = createReference({
    ...page,
    styleHref: referenceSheet.path,
    scripts: [copyScript.path, searchScript.path],
    readDocument: openApi.read,
    baseUrl,
    readerOf: async (ctx) => (await signedIn(ctx)) ?? demo?.(),
    sendPlainPage,
  })
  return {
    /** For the limits of forms, which refuse before the pages run. */
    sendPlainPage,
    /** The loop that sends one-time codes. */
    sending: codes.sending,
    /** For the command line. */
    passkeys,
    middleware: [
      openApi.middleware,
      serveSite(
        [
          homeSheet,
          consoleSheet,
          referenceSheet,
          ...ICON_ROUTES,
          copyScript,
          searchScript,
          passkeyScript,
          zoneScript,
          home,
          ...reference.routes,
        ],
        https,
      ),
      reference.notFound,
      console,
      pages.middleware,
    ],
    close: pages.close,
  }
}
