// The routes of share links, and the middleware that runs before each handler. [ceremony: URLs, D29, D31, D46]
// Owns the look-up of a contract by its share token, the pages of an ended link (expired, cancelled, erased), and the error page.
import { createHash } from 'node:crypto'
import type { Context, Middleware } from 'koa'
import type { VNode } from 'preact'
import { requireCaller } from '@paraph/rpc/caller-guard'
import { asDomainError } from '@paraph/http/render-errors'
import { createRouteFinder } from '@paraph/http/route-table'
import { DomainError } from '@paraph/protocol/errors'
import type { SigningTemplate } from '@paraph/protocol/signing-paths'
import type { TokenVerifier } from '@paraph/rpc/service-token'
import type { Logger } from '@paraph/telemetry/logger'
import { logFailure, setRoute } from '@paraph/http/failed-request'
import type { Locale } from '@paraph/web/locale'
import { securityHeaders } from '@paraph/web/security-headers'
import { LOCAL_TIME_SCRIPT } from '@paraph/web/local-time'
import { loadScript, sendAsset, type Asset } from '@paraph/web/style-sheet'
import { createAddressHandlers, createCodeHandlers } from './handlers/code.js'
import { type Ceremony, type Handler, pagePropsOf } from './page-request.js'
import { partiesOf, type ContractView } from '../clients/contract.js'
import { ContractErased } from '../chain/erasure.js'
import { BRAND_FILES, BRAND_TEMPLATE, sendBrandFile } from '../brand/brand-files.js'
import type { PublishedKeys } from '../sealing/keys.js'
import { HELP, links, PRIVACY, PUBLIC_KEYS, publicKeyPath, VERIFY } from './pages/frame/links.js'
import type { PageProps } from './pages/frame/ceremony-frame.js'
import { CancelledPage, ErasedPage, ErrorPage, ExpiredPage, NotFoundPage } from './pages/outcome/outcome-pages.js'
import { SuspendedPage } from './pages/outcome/suspended-page.js'
import { HelpPage, PrivacyPage } from './pages/help/help-page.js'
import { outcomeMessages } from './pages/outcome/messages.js'
import { movedTo, seeOther, sendPage } from '@paraph/web/page-answer'
import { createDeclineHandlers } from './handlers/decline.js'
import { createDoneHandlers } from './handlers/done.js'
import { createReportHandlers } from './handlers/report.js'
import { createReviewHandler, createSignHandler } from './handlers/review.js'
import { createVerifyHandlers } from './handlers/verify.js'
import { findSession } from '@paraph/codes/mailbox-session'

interface ShareLinkDeps {
  ceremony: Ceremony
  style: Asset
  /** The keys that `/.well-known/` serves. */
  published: PublishedKeys
  verify: TokenVerifier
  logger: Logger
}

/** Serves the ceremony's pages to the gateway. */
export function createCeremonyRouter({ ceremony, style, published, verify, logger }: ShareLinkDeps): Middleware[] {
  const { database, contract, cookies, operatorAddress, brands } = ceremony
  const routes = createRoutes(ceremony)
  const findRoute = createRouteFinder(routes)
  const findPath = createRouteFinder(routes.map(({ template }) => ({ template })))
  const styleHref = `/assets/signing/${style.hash}.css`
  const script = loadScript(LOCAL_TIME_SCRIPT)
  const scriptHref = `/assets/signing/${script.hash}.js`
  const keyFiles = publicKeyFiles(published)
  const check = createVerifyHandlers(ceremony)
  const propsOf = (ctx: Context, link?: Parameters<typeof pagePropsOf>[3]): PageProps =>
    pagePropsOf(ctx, { styleHref, scriptHref }, ceremony, link)

  /** Renders errors as a page. A failed POST to `/sign` may have signed, so the page does not deny a signature. [ceremony 16] */
  const renderErrors: Middleware = async (ctx, next) => {
    try {
      await next()
    } catch (thrown) {
      const error = asDomainError(thrown)
      const { status } = error
      const { requestId } = ctx.state
      if (status >= 500) logFailure(ctx, error, logger)
      if (status === 503) ctx.set('Retry-After', '5')
      // A status below 500 means that the form was rejected before it had an effect.
      const mayHaveSigned = ctx.method === 'POST' && ctx.path.endsWith('/sign') && status >= 500
      const kind = mayHaveSigned ? 'unknown' : 'untouched'
      sendPage(ctx, status, <ErrorPage {...propsOf(ctx)} signature={{ kind }} requestId={requestId} />)
    }
  }

  const requireGateway: Middleware = async (ctx, next) => {
    await requireCaller(verify, ctx.get('authorization'), ['gateway'])
    await next()
  }

  /** Serves the paths that belong to no contract: the style sheet, public keys, help and privacy. */
  const serveShared: Middleware = async (ctx, next) => {
    const Page = ctx.path === HELP ? HelpPage : ctx.path === PRIVACY ? PrivacyPage : undefined
    const file = keyFiles.get(ctx.path)
    const asset = ctx.path === styleHref ? style : ctx.path === scriptHref ? script : undefined
    if (!Page && !file && !asset) return next()
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw methodNotAllowed(ctx, [{ method: 'GET' }])
    if (Page) return sendPage(ctx, 200, <Page {...propsOf(ctx)} operatorAddress={operatorAddress} />)
    if (asset) return sendAsset(ctx, asset)
    ctx.set('Cache-Control', `public, max-age=${KEYS_SECONDS}`)
    ctx.type = file!.type
    ctx.body = file!.body
  }

  const serveBrand: Middleware = async (ctx, next) => {
    if (!ctx.path.startsWith(BRAND_FILES)) return next()
    setRoute(ctx, BRAND_TEMPLATE)
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw methodNotAllowed(ctx, [{ method: 'GET' }])
    if (!(await sendBrandFile(ctx, brands))) sendPage(ctx, 404, <NotFoundPage {...propsOf(ctx)} />)
  }

  const serveVerify: Middleware = async (ctx, next) => {
    if (ctx.path !== VERIFY) return next()
    setRoute(ctx, VERIFY)
    if (ctx.method === 'POST') return check.send(ctx, propsOf(ctx))
    if (ctx.method === 'GET' || ctx.method === 'HEAD') return check.show(ctx, propsOf(ctx))
    throw methodNotAllowed(ctx, [{ method: 'GET' }, { method: 'POST' }])
  }

  const serveLink: Middleware = async (ctx) => {
    const link = linkWithin(ctx.path)
    if (link !== undefined) return movedTo(ctx, `${link}${ctx.search}`)
    const { route, parameters = {} } = findRoute(ctx.method, ctx.path) ?? {}
    const template = route?.template ?? findPath(ctx.method, ctx.path)?.route.template
    if (template) setRoute(ctx, template)
    if (template && !route)
      throw methodNotAllowed(
        ctx,
        routes.filter((each) => each.template === template),
      )
    const token = parameters['shareToken'] ?? ''
    // Looks the contract up by the hash of the token, so that a malformed token takes the same path as an unknown one.
    const tokenSha256 = createHash('sha256').update(token).digest('hex')
    const found = route && (await contract.ceremony.byShareToken.query({ tokenSha256 }))
    if (!found) return sendPage(ctx, 404, <NotFoundPage {...propsOf(ctx)} />)
    const { isSuspended: suspended, brand } = await brands.sender(found.accountId)
    const page = propsOf(ctx, { token, view: found, brand })
    const view = suspended ? withoutNames(found, page.locale) : found
    const endPage = view.erasedAt === null && route.servesEndedLink ? undefined : endPageOf(view, page, suspended)
    if (endPage) return sendPage(ctx, 410, endPage)
    const known = await findSession(database, view.contractId, cookies.read(ctx.get('cookie'), view.contractId))
    // The mailbox of a session may be nobody's since an owner corrected the address, also before the session is ended. [D61]
    const isOfNobody = known && view.readdresses.length > 0 && partiesOf(view, known.mailbox).length === 0
    const session = isOfNobody ? undefined : known
    const now = await ceremony.now()
    try {
      await route.handler(ctx, { token, view, page, session, now, suspended, parameters })
    } catch (error) {
      // The contract was erased after the query above. The link now shows the page of an erased contract.
      if (!(error instanceof ContractErased)) throw error
      seeOther(ctx, links(token).open)
    }
  }

  return [
    securityHeaders({ https: ceremony.https }),
    renderErrors,
    requireGateway,
    serveShared,
    serveBrand,
    serveVerify,
    serveLink,
  ]
}

function createRoutes(ceremony: Ceremony) {
  const address = createAddressHandlers(ceremony)
  const code = createCodeHandlers(ceremony)
  const { review, showReview, backToReview } = createReviewHandler(ceremony)
  const sign = createSignHandler(ceremony, showReview)
  const done = createDoneHandlers(ceremony)
  const decline = createDeclineHandlers(ceremony)
  const report = createReportHandlers(ceremony)
  // These handlers also serve an ended link: the answer to a signature form states the end, and people can report at any time.
  const servesEndedLink = new Set<Handler>([sign, decline.send, report.show, report.send])
  const table: readonly [method: 'GET' | 'POST', template: SigningTemplate, handler: Handler][] = [
    ['GET', '/contract/{shareToken}', address.open],
    ['POST', '/contract/{shareToken}/code', address.requestCode],
    ['GET', '/contract/{shareToken}/code/{challenge}', code.showChallenge],
    ['POST', '/contract/{shareToken}/code/{challenge}', code.checkCode],
    ['POST', '/contract/{shareToken}/resend', code.resend],
    // A browser shows these addresses after a POST. To reopen one sends GET, which redirects.
    ['GET', '/contract/{shareToken}/code', address.backToStart],
    ['GET', '/contract/{shareToken}/resend', address.backToStart],
    ['GET', '/contract/{shareToken}/leave', address.backToStart],
    ['GET', '/contract/{shareToken}/sign', backToReview],
    ['GET', '/contract/{shareToken}/review', review],
    ['POST', '/contract/{shareToken}/sign', sign],
    ['GET', '/contract/{shareToken}/decline', decline.show],
    ['POST', '/contract/{shareToken}/decline', decline.send],
    ['GET', '/contract/{shareToken}/done', done.done],
    ['GET', '/contract/{shareToken}/signed', done.signedText],
    ['GET', '/contract/{shareToken}/contract.txt', done.text],
    ['GET', '/contract/{shareToken}/copy.pdf', done.copy],
    ['GET', '/contract/{shareToken}/evidence.jws', done.evidence],
    ['GET', '/contract/{shareToken}/openings.txt', done.disclosures],
    ['POST', '/contract/{shareToken}/leave', done.leave],
    ['GET', '/contract/{shareToken}/report', report.show],
    ['POST', '/contract/{shareToken}/report', report.send],
  ]
  return table.map(([method, template, handler]) => ({
    method,
    template,
    handler,
    /** True if the handler also serves an ended link. Without it, the router sends the page of the ended link. */
    servesEndedLink: servesEndedLink.has(handler),
  }))
}

/** Share link, and what a mail program or a sentence put behind it, also percent-encoded. [RFC 4648, 5] */
const LINK_WITH_MORE = /^(\/contract\/[\w-]{43})(?:[/.,;)>\]]|%(?:2[9C]|3[BE]|5D))+$/i

/** The share link in a path that only adds such characters; undefined for all other paths. A token contains none of them. */
const linkWithin = (path: string): string | undefined => LINK_WITH_MORE.exec(path)?.[1]

/** The path exists, but not with this method. [RFC 9110, 15.5.6] */
function methodNotAllowed(ctx: Context, routes: readonly { method: string }[]): DomainError {
  const allowed = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method)).join(', ')
  ctx.set('Allow', allowed)
  return new DomainError('method_not_allowed', `Use ${allowed}.`)
}

/** Cache lifetime of public keys: they change rarely, but verifiers need a new key soon. [RFC 7517] */
const KEYS_SECONDS = 300

/** The files of public keys by path. */
function publicKeyFiles({ jwks, pemOf, evidencePem, sealPem }: PublishedKeys) {
  const pem = (body: string) => ({ type: 'application/x-pem-file', body })
  const files = new Map([
    ['/.well-known/jwks.json', { type: 'application/jwk-set+json', body: JSON.stringify(jwks) }],
    [PUBLIC_KEYS, pem(evidencePem)],
    ['/.well-known/paraph-seal.pem', pem(sealPem)],
  ])
  for (const [keyId, body] of pemOf) files.set(publicKeyPath(keyId), pem(body))
  return files
}

/** The contract of a suspended account without the names of sender and account. [D37] */
const withoutNames = (view: ContractView, locale: Locale): ContractView => ({
  ...view,
  senderName: outcomeMessages(locale).theSender,
  accountName: outcomeMessages(locale).theSender,
})

/** The page of an ended link, the same for everyone; undefined for a live link. The clock decides an expiry, not the stored status. */
function endPageOf(view: ContractView, page: PageProps, suspended: boolean): VNode | undefined {
  const { senderName, contractNumber, timeZone } = view
  const shared = { ...page, senderName, contractNumber, timeZone }
  if (view.erasedAt !== null)
    return <ErasedPage {...page} {...{ contractNumber, timeZone }} erasedAt={new Date(view.erasedAt)} />
  if (suspended && (view.status === 'cancelled' || view.linkIsOver)) return <SuspendedPage {...page} />
  if (view.status === 'cancelled') {
    const cancelledAt = new Date(view.cancelledAt ?? view.expiresAt)
    return <CancelledPage {...shared} cancelledAt={cancelledAt} by={view.cancelledBy} />
  }
  if (!view.linkIsOver) return undefined
  return <ExpiredPage {...shared} expiresAt={new Date(view.expiresAt)} wasCompleted={view.status === 'signed'} />
}
