// The share link: which step answers which path, and what comes before every step. [ceremony: URLs, D29, D31, D46]
// Owns: look-up by hash, the pages of a link that is over, trouble said in words. Does not own: what the steps do.
import { createHash } from 'node:crypto'
import type { Context, Middleware } from 'koa'
import { isOnHold } from '@paraph/messaging/account-hold'
import { requireCaller } from '@paraph/service/caller-guard'
import { asDomainError } from '@paraph/service/render-errors'
import type { TokenVerifier } from '@paraph/service/caller-token'
import type { Logger } from '@paraph/telemetry/logger'
import { noteRoute } from '@paraph/telemetry/tracing-seam'
import type { Locale } from '@paraph/web/locale'
import { securityHeaders } from '@paraph/web/security-headers'
import { sendStyleSheet, type StyleSheet } from '@paraph/web/style-sheet'
import { createCodeSteps } from './code-steps.js'
import type { Ceremony, CeremonyRequest, Step } from './ceremony.js'
import type { ContractFacts } from './contract-facts.js'
import { ContractErased } from './erasure.js'
import type { PublishedKeys } from './evidence-keys.js'
import { links } from './pages/links.js'
import { CancelledPage } from './pages/cancelled-page.js'
import type { PageProps } from './pages/ceremony-frame.js'
import { ErasedPage } from './pages/erased-page.js'
import { ExpiredPage } from './pages/expired-page.js'
import { HelpPage } from './pages/help-page.js'
import { NotFoundPage } from './pages/not-found-page.js'
import { OnHoldPage } from './pages/on-hold-page.js'
import { outcomeWords } from './pages/outcome-dictionary.js'
import { PrivacyPage } from './pages/privacy-page.js'
import { TroublePage } from './pages/trouble-page.js'
import { seeOther, sendPage } from '@paraph/web/page-answer'
import { pagePropsOf } from './page-request.js'
import { createDoneSteps } from './done-steps.js'
import { createReportSteps } from './report-steps.js'
import { createReviewStep } from './review-step.js'
import { createSignStep } from './sign-step.js'
import { findSession } from '@paraph/codes/mailbox-session'

/** Serves the pages to the gateway. `style` is the sheet with its hash; `published` what stands below `/.well-known/`. */
export function createShareLink({
  ceremony,
  style,
  published,
  verify,
  logger,
}: {
  ceremony: Ceremony
  style: StyleSheet
  published: PublishedKeys
  verify: TokenVerifier
  logger: Logger
}): Middleware[] {
  const code = createCodeSteps(ceremony)
  const { review, showReview, backToReview } = createReviewStep(ceremony)
  const sign = createSignStep(ceremony, showReview)
  const after = createDoneSteps(ceremony)
  const report = createReportSteps(ceremony)
  // A signature form that was being filled in hears of the change on its own page; a report has a reader at any time.
  const EVEN_WHEN_OVER = new Set<Step>([sign, report.show, report.send])
  const styleHref = `/assets/signing/${style.hash}.css`

  const routes: readonly { method: 'GET' | 'POST'; pattern: RegExp; step: Step }[] = [
    { method: 'GET', pattern: /^\/contract\/(?<token>[^/]+)$/, step: code.open },
    { method: 'POST', pattern: /^\/contract\/(?<token>[^/]+)\/code$/, step: code.requestCode },
    { method: 'GET', pattern: /^\/contract\/(?<token>[^/]+)\/code\/(?<challenge>[^/]+)$/, step: code.showChallenge },
    { method: 'POST', pattern: /^\/contract\/(?<token>[^/]+)\/code\/(?<challenge>[^/]+)$/, step: code.checkCode },
    { method: 'POST', pattern: /^\/contract\/(?<token>[^/]+)\/resend$/, step: code.resend },
    // Where a browser stands after a page that answered a POST; reopened, it leads back.
    { method: 'GET', pattern: /^\/contract\/(?<token>[^/]+)\/(?:code|resend|leave)$/, step: code.backToStart },
    { method: 'GET', pattern: /^\/contract\/(?<token>[^/]+)\/sign$/, step: backToReview },
    { method: 'GET', pattern: /^\/contract\/(?<token>[^/]+)\/review$/, step: review },
    { method: 'POST', pattern: /^\/contract\/(?<token>[^/]+)\/sign$/, step: sign },
    { method: 'GET', pattern: /^\/contract\/(?<token>[^/]+)\/done$/, step: after.done },
    { method: 'GET', pattern: /^\/contract\/(?<token>[^/]+)\/contract\.txt$/, step: after.text },
    { method: 'GET', pattern: /^\/contract\/(?<token>[^/]+)\/copy\.pdf$/, step: after.copy },
    { method: 'GET', pattern: /^\/contract\/(?<token>[^/]+)\/evidence\.jws$/, step: after.evidence },
    { method: 'GET', pattern: /^\/contract\/(?<token>[^/]+)\/openings\.txt$/, step: after.openings },
    { method: 'POST', pattern: /^\/contract\/(?<token>[^/]+)\/leave$/, step: after.leave },
    { method: 'GET', pattern: /^\/contract\/(?<token>[^/]+)\/report$/, step: report.show },
    { method: 'POST', pattern: /^\/contract\/(?<token>[^/]+)\/report$/, step: report.send },
  ]

  /** Trouble below this is said on a page. Whoever posted a signature before may have signed, so the page does not guess. [ceremony 16] */
  const inWords: Middleware = async (ctx, next) => {
    try {
      await next()
    } catch (thrown) {
      const error = asDomainError(thrown)
      const requestId = ctx.state['requestId'] as string
      if (error.status >= 500) logger.error({ err: error.cause ?? error, requestId }, 'a page failed')
      if (error.status === 503) ctx.set('Retry-After', '5')
      const page = pagePropsOf(ctx, styleHref, ceremony)
      // A form that could not be read was not used.
      const mayHaveSigned = isSigning(ctx) && error.status >= 500
      sendPage(
        ctx,
        error.status,
        <TroublePage {...page} signature={{ kind: mayHaveSigned ? 'unknown' : 'untouched' }} requestId={requestId} />,
      )
    }
  }

  const fromGateway: Middleware = async (ctx, next) => {
    await requireCaller(verify, ctx.get('authorization'), ['gateway'])
    await next()
  }

  const answer: Middleware = async (ctx) => {
    if (ctx.path === styleHref && isRead(ctx)) return sendStyleSheet(ctx, style)
    if (isRead(ctx) && sendKeys(ctx, published)) return
    if (ctx.path === '/help' && isRead(ctx))
      return sendPage(
        ctx,
        200,
        <HelpPage {...pagePropsOf(ctx, styleHref, ceremony)} operatorAddress={ceremony.operatorAddress} />,
      )
    if (ctx.path === '/privacy' && isRead(ctx))
      return sendPage(
        ctx,
        200,
        <PrivacyPage {...pagePropsOf(ctx, styleHref, ceremony)} operatorAddress={ceremony.operatorAddress} />,
      )
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method
    const route = routes.find((each) => each.method === method && each.pattern.test(ctx.path))
    if (route) noteRoute(ctx.path)
    const parameters = route?.pattern.exec(ctx.path)?.groups ?? {}
    const token = parameters['token'] ?? ''
    const known = route && (await resolve(token))
    if (!known) return sendPage(ctx, 404, <NotFoundPage {...pagePropsOf(ctx, styleHref, ceremony)} />)
    const onHold = await isOnHold(ceremony.database, known.accountId)
    const page = pagePropsOf(ctx, styleHref, ceremony, { token, facts: known })
    const facts = onHold ? nameNobody(known, page.locale) : known
    const isClosed = facts.erasedAt !== null || !EVEN_WHEN_OVER.has(route.step)
    if (isClosed && sendOver(ctx, facts, page, onHold)) return
    const session = await findSession(
      ceremony.database,
      facts.contractId,
      ceremony.cookies.read(ctx.get('cookie'), facts.contractId),
    )
    const now = await ceremony.now()
    try {
      await route.step(ctx, { token, facts, page, session, now, onHold, parameters } satisfies CeremonyRequest)
    } catch (error) {
      // Erased since the facts were asked for: the link says so.
      if (!(error instanceof ContractErased)) throw error
      seeOther(ctx, links(token).open)
    }
  }

  /** By the hash of whatever stood in the path: malformed and unknown take the same way. */
  async function resolve(token: string): Promise<ContractFacts | null> {
    const tokenSha256 = createHash('sha256').update(token).digest('hex')
    return ceremony.contract.ceremony.byShareToken.query({ tokenSha256 })
  }

  return [securityHeaders({ https: ceremony.https }), inWords, fromGateway, answer]
}

const isSigning = (ctx: Context): boolean => ctx.method === 'POST' && ctx.path.endsWith('/sign')

/** Public keys change rarely, and whoever checks must not wait long for a new one. [RFC 7517] */
const KEYS_SECONDS = 300

/** Answers the paths of public keys. @returns whether this was one */
function sendKeys(ctx: Context, { jwks, pemOf, evidencePem, sealPem }: PublishedKeys): boolean {
  const pages: Record<string, [type: string, body: string]> = {
    '/.well-known/jwks.json': ['application/jwk-set+json', JSON.stringify(jwks)],
    '/.well-known/paraph-evidence.pem': ['application/x-pem-file', evidencePem],
    '/.well-known/paraph-seal.pem': ['application/x-pem-file', sealPem],
  }
  const one = pemOf.get(/^\/\.well-known\/paraph-evidence\/([\w-]+)\.pem$/.exec(ctx.path)?.[1] ?? '')
  const page =
    one === undefined ? Object.entries(pages).find(([path]) => path === ctx.path)?.[1] : ['application/x-pem-file', one]
  if (!page) return false
  const [type, body] = page
  ctx.set('Cache-Control', `public, max-age=${KEYS_SECONDS}`)
  ctx.type = type!
  ctx.body = body
  return true
}

const isRead = (ctx: Context): boolean => ctx.method === 'GET' || ctx.method === 'HEAD'

/** The facts of a suspended account's contract, for pages that would say whom to ask. [D37] */
const nameNobody = (facts: ContractFacts, locale: Locale): ContractFacts => ({
  ...facts,
  senderName: outcomeWords(locale).theSender,
  accountName: outcomeWords(locale).theSender,
})

/** The page of a link that is over: the same for everyone, by the clock and not by the sweep. @returns whether it is over */
function sendOver(ctx: Context, facts: ContractFacts, page: PageProps, onHold: boolean): boolean {
  const { senderName, timeZone } = facts
  if (facts.erasedAt !== null) {
    sendPage(ctx, 410, <ErasedPage {...page} {...{ timeZone, erasedAt: new Date(facts.erasedAt) }} />)
    return true
  }
  if (onHold && (facts.status === 'cancelled' || facts.linkIsOver)) {
    sendPage(ctx, 410, <OnHoldPage {...page} />)
    return true
  }
  if (facts.status === 'cancelled') {
    const cancelledAt = new Date(facts.cancelledAt ?? facts.expiresAt)
    const bySender = facts.cancelledBy === 'owner'
    sendPage(ctx, 410, <CancelledPage {...page} {...{ senderName, timeZone, cancelledAt, bySender }} />)
    return true
  }
  if (!facts.linkIsOver) return false
  const expiresAt = new Date(facts.expiresAt)
  sendPage(
    ctx,
    410,
    <ExpiredPage {...page} {...{ senderName, timeZone, expiresAt }} wasCompleted={facts.status === 'signed'} />,
  )
  return true
}
