// Handlers of the sign-in at an OpenID Connect provider: begin, come back, and prove again. [D73]
import type { Context } from 'koa'
import { seeOther } from '@paraph/web/page-answer'
import {
  PageNotFound,
  rememberBrowser,
  visitorOf,
  type ConsoleRequest,
  type Handler,
  type SignedInRequest,
} from '../console-context.js'
import { pageAfterSignIn } from '../frame/links.js'
import type { Begun } from '../issuers/begun-cookie.js'
import type { IssuerProblem } from '../issuers/issuers.js'
import { ISSUER_KINDS, type IssuerKind } from '../issuers/settings.js'
import { openSession, showSignIn } from './sign-in.js'

/** Seconds after which a provider that is unavailable may answer again. */
const RETRY_SECONDS = 15
const STATUS: Readonly<Record<IssuerProblem, number>> = {
  expired: 422,
  refused: 403,
  cancelled: 403,
  unverified: 403,
  not_a_member: 403,
  other_person: 403,
  old_proof: 403,
  unavailable: 503,
}

/** A link, not a form: the policy of our pages stops a form that leads to another site. */
export const beginAtIssuer: Handler = (ctx, request) =>
  begin(ctx, request, kindOf(request), { next: pageAfterSignIn(ctx.query['next']), session: undefined })

/**
 * Sends the browser to the provider of the session, where the person signs in again. On return the session's `proven_at` is new, and the
 * browser goes to `next`. Call it for a GET: a form must not lead to another site. @throws PageNotFound for a session by a code
 */
export async function startIssuerProof(ctx: Context, request: SignedInRequest, next: string): Promise<void> {
  const { session, deps } = request
  if (session.issuer === null || !deps.issuers.offers[session.issuer]) throw new PageNotFound()
  await begin(ctx, request, session.issuer, { next, session: session.id })
}

export const proveAtIssuer: Handler<SignedInRequest> = (ctx, request) =>
  startIssuerProof(ctx, request, pageAfterSignIn(ctx.query['next']))

async function begin(ctx: Context, request: ConsoleRequest, kind: IssuerKind, start: Pick<Begun, 'next' | 'session'>) {
  const { deps, browser, now } = request
  const begun = await deps.issuers.begin(kind, browser.browser, start, now)
  if (!begun) return showProblem(ctx, request, 'unavailable', start.next)
  rememberBrowser(ctx, request)
  ctx.append('Set-Cookie', [begun.cookie])
  seeOther(ctx, begun.url)
}

/** Where the provider sends the browser back. */
export const finishAtIssuer: Handler = async (ctx, request) => {
  const { deps, session, browser, now } = request
  const kind = kindOf(request)
  const begun = deps.issuers.begunCookie.read(ctx.get('cookie'), kind, browser.browser, now)
  ctx.append('Set-Cookie', [deps.issuers.begunCookie.clear()])
  const visitor = visitorOf(ctx, request)
  const outcome = begun ? await deps.issuers.finish(kind, ctx.search, begun, { session, visitor }) : 'expired'
  const next = pageAfterSignIn(begun?.next)
  if (outcome === 'proven') return seeOther(ctx, next)
  if (typeof outcome === 'string') return showProblem(ctx, request, outcome, next)
  await openSession(ctx, request, outcome.token, next)
}

function showProblem(ctx: Context, request: ConsoleRequest, problem: IssuerProblem, next: string): void {
  if (problem === 'unavailable') ctx.set('Retry-After', String(RETRY_SECONDS))
  showSignIn(ctx, request, STATUS[problem], { next, issuerProblem: problem })
}

function kindOf({ parameters, deps }: ConsoleRequest): IssuerKind {
  const kind = ISSUER_KINDS.find((each) => each === parameters['kind'])
  if (kind === undefined || !deps.issuers.offers[kind]) throw new PageNotFound()
  return kind
}
