// Handlers of sign-in, sessions and /console: request a code, verify it, end sessions, choose an account, redirect to the next page. [D16, D33]
import type { Context } from 'koa'
import type { VNode } from 'preact'
import { addressFormError, type AddressError } from '@paraph/codes/address-form'
import type { Challenge } from '@paraph/codes/challenge'
import {
  BUSY_RETRY_SECONDS,
  CODE_STATUS,
  keepsInput,
  nextMinute,
  retryAtOf,
  stateOfChallenge,
  stateOfOldForm,
  stateOfOutcome,
  type CodeState,
} from '@paraph/codes/code-state'
import type { FieldError } from '@paraph/web/fields'
import { clearCookie, serializeCookie } from '@paraph/web/cookies'
import { seeOther, sendPage, setRetryAfter } from '@paraph/web/page-answer'
import type { CodePurpose } from '../codes.js'
import {
  PageNotFound,
  rememberBrowser,
  visitorOf,
  type ConsoleRequest,
  type Handler,
  type SignedInRequest,
} from '../console-context.js'
import { pageAfterSignIn, to, withNext } from '../frame/links.js'
import { LeaveIssuerPage } from '../people/issuer-pages.js'
import * as pages from '../people/sign-in-pages.js'
import { SECURITY_NOTICES, SessionsPage } from '../people/sessions-page.js'
import { SESSION_SECONDS, type ConsoleSession } from '../session.js'

/** Name of the session cookie; on https it has the prefix `__Host-`. */
export const SESSION_COOKIE = 'console'
/** Subject of the form tokens before sign-in, with the cookie of the browser. */
const SIGN_IN_FORM = 'console sign-in'

const SIGN_IN: CodePurpose = { kind: 'sign_in' }
/** Forms before sign-in belong to the browser: nobody can send one of another browser, and so sign a visitor in as somebody else. */
const subjectOf = ({ browser }: ConsoleRequest): string => `${SIGN_IN_FORM} ${browser.browser}`
const isFresh = (request: ConsoleRequest): boolean =>
  request.deps.formTokens.verify(request.fields.get('formToken'), subjectOf(request), request.now)

/** The token of a form before sign-in. */
function issueToken(ctx: Context, request: ConsoleRequest): string {
  rememberBrowser(ctx, request)
  return request.deps.formTokens.issue(subjectOf(request), request.now)
}

export const signIn: Handler = async (ctx, request) => {
  const next = pageAfterSignIn(ctx.query['next'])
  if (request.session) return seeOther(ctx, next)
  showSignIn(ctx, request, 200, { next })
}

type Shown = Pick<Parameters<typeof pages.SignInPage>[0], 'next' | 'email' | 'error' | 'issuerProblem'>

/** Sends the page on which a visitor chooses how to sign in. */
export function showSignIn(ctx: Context, request: ConsoleRequest, status: number, shown: Shown): void {
  const { offers } = request.deps.issuers
  // The path of another page may hold what a provider has sent.
  const page = { ...request.page, path: withNext(to.signIn, shown.next) }
  sendPage(ctx, status, <pages.SignInPage {...{ page, offers, ...shown }} signInToken={issueToken(ctx, request)} />)
}

export const requestCode: Handler = async (ctx, request) => {
  const { fields, deps } = request
  if (!deps.issuers.offers.codes) throw new PageNotFound()
  const email = (fields.get('email') ?? '').trim()
  const next = pageAfterSignIn(fields.get('next'))
  const showAgain = (status: number, error: AddressError) => showSignIn(ctx, request, status, { next, email, error })
  const error = addressFormError(email, !isFresh(request))
  if (error === 'too_old' && !request.browser.isSent) return showAgain(422, 'no_cookie')
  if (error) return showAgain(422, error)
  await sendCode(ctx, request, { typed: email, isResend: false, onBusy: () => showAgain(503, 'busy') })
}

export const showChallenge: Handler = async (ctx, request) => {
  const { deps, session } = request
  const challenge = await findChallenge(ctx, request, request.parameters['challenge'])
  if (session) return seeOther(ctx, pageAfterSignIn(ctx.query['next']))
  if (!challenge) return seeOther(ctx, to.signIn)
  show(ctx, request, { challenge, state: stateOfChallenge(challenge, await deps.isMailDelayed()) })
}

export const checkCode: Handler = async (ctx, request) => {
  const { deps, parameters, fields } = request
  const id = parameters['challenge'] ?? ''
  const typed = fields.get('code') ?? ''
  if (!isFresh(request)) return showOldForm(ctx, request, await findChallenge(ctx, request, id), typed)
  const outcome = deps.issuers.offers.codes
    ? await deps.codes.verify(id, typed, SIGN_IN, visitorOf(ctx, request))
    : undefined
  if (!outcome) return seeOther(ctx, to.signIn)
  if (outcome.kind === 'verified') {
    return openSession(ctx, request, outcome.session.token, pageAfterSignIn(fields.get('next')))
  }
  const next = outcome.kind === 'expired' ? await resend(ctx, request, outcome.challenge) : undefined
  const state = stateOfOutcome(outcome, typed, next)
  show(ctx, request, { challenge: next ?? outcome.challenge, state, typed: keepsInput(state) ? typed : undefined })
}

/** Gives the browser a new session, which replaces the one in its cookie. */
export async function openSession(ctx: Context, request: ConsoleRequest, token: string, next: string): Promise<void> {
  const { deps, browser } = request
  const session = request.session ?? request.pending
  if (session) await deps.sessions.end(session.mailbox, session.id, 'replaced')
  const cookie = { name: SESSION_COOKIE, value: token, maxAgeSeconds: SESSION_SECONDS }
  ctx.append('Set-Cookie', [serializeCookie(cookie, deps), browser.set])
  seeOther(ctx, next)
}

/** "Send a new code": creates a challenge with new tries. Codes sent earlier stay valid until they expire. */
export const resendCode: Handler = async (ctx, request) => {
  const previous = await findChallenge(ctx, request, request.fields.get('challenge'))
  if (!previous) return seeOther(ctx, to.signIn)
  if (!isFresh(request)) return showOldForm(ctx, request, previous)
  const onBusy = () => show(ctx, request, { challenge: previous, state: { kind: 'busy' } })
  await sendCode(ctx, request, { typed: previous.typed, isResend: true, onBusy })
}

export const signOutPage: Handler = async (ctx, { page }) => sendPage(ctx, 200, <pages.SignOutPage page={page} />)

export const signOut: Handler = async (ctx, request) => {
  const session = request.session ?? request.pending
  if (session) await leave(ctx, request, session, () => endOne(request, session, session.id))
}

const endOne = ({ deps }: ConsoleRequest, { mailbox }: ConsoleSession, id: string): Promise<void> =>
  deps.sessions.end(mailbox, id, 'signed_out')

export const sessionsPage: Handler<SignedInRequest> = async (ctx, request) => showSessions(ctx, request, {})

/** For a session that may change none: nothing is listed or offered. */
const NO_FACTORS = { passkeys: [], codesLeft: 0, isFull: true }

/** "Sign-in and security": the passkeys, the recovery codes and the sessions of the mailbox. */
export async function showSessions(
  ctx: Context,
  { deps, page, session }: SignedInRequest,
  { errors }: { errors?: FieldError[] },
): Promise<void> {
  const [sessions, factors] = await Promise.all([
    deps.sessions.list(session.mailbox),
    deps.passkeys.mayChange(session) ? deps.passkeys.read(session.mailbox) : NO_FACTORS,
  ])
  const notice = SECURITY_NOTICES.find((each) => each === ctx.query['done'])
  const hasIssuer = session.issuer !== null
  sendPage(
    ctx,
    errors ? 422 : 200,
    <SessionsPage {...{ page, sessions, factors, notice, errors, hasIssuer }} sessionId={session.id} />,
  )
}

/** Ends one session of the list; of another mailbox's sessions, none. */
export const endSession: Handler<SignedInRequest> = async (ctx, request) => {
  const id = request.fields.get('session') ?? ''
  if (id === request.session.id) return leave(ctx, request, request.session, () => endOne(request, request.session, id))
  await endOne(request, request.session, id)
  seeOther(ctx, to.sessions)
}

export const signOutEverywhere: Handler<SignedInRequest> = (ctx, request) =>
  leave(ctx, request, request.session, () => request.deps.sessions.endAll(request.session.mailbox))

/** Ends what `end` ends and the cookie of the session, and leads to sign-in, by the provider's sign-out if it has one. */
async function leave(
  ctx: Context,
  { deps, page }: ConsoleRequest,
  session: ConsoleSession,
  end: () => Promise<void>,
): Promise<void> {
  // Read before the end, which deletes the tokens.
  const href = await deps.issuers.endSessionUrl(session)
  await end()
  ctx.append('Set-Cookie', [clearCookie(SESSION_COOKIE, deps)])
  if (href === undefined) return seeOther(ctx, to.signIn)
  // Not a redirect, which the policy of our pages would stop: a form has led here.
  ctx.set('Refresh', `0; url=${href}`)
  const bare = { ...page, path: undefined, shell: undefined, formToken: undefined }
  sendPage(ctx, 200, <LeaveIssuerPage page={bare} href={href} />)
}

export const chooseAccountPage: Handler = async (ctx, { page, owned }) =>
  sendPage(ctx, 200, <pages.AccountsPage {...{ page, owned }} />)

/** Shows an account of the mailbox, or accepts or declines an invitation to own it. */
export const chooseAccount: Handler<SignedInRequest> = async (ctx, { deps, owned, session, fields }) => {
  const account = owned.find(({ accountId }) => accountId === fields.get('account'))
  if (!account) throw new PageNotFound()
  const { accountId, isConfirmed } = account
  const isDeclined = fields.get('answer') === 'no'
  if (isDeclined || !isConfirmed) await deps.owners.answerInvitation(accountId, session.mailbox, !isDeclined)
  if (!isDeclined) await deps.sessions.choose(session.id, accountId)
  seeOther(ctx, to.home)
}

/** Without sign-in by code there is no challenge, also not one from before. */
const findChallenge = async (ctx: Context, request: ConsoleRequest, id = '') =>
  request.deps.issuers.offers.codes ? request.deps.codes.find(id, SIGN_IN, visitorOf(ctx, request)) : undefined

const askCode = (ctx: Context, request: ConsoleRequest, typed: string, isResend: boolean) =>
  request.deps.codes.request({ typed, isResend }, SIGN_IN, visitorOf(ctx, request))

/** Requests a code and redirects to the page of the code, or shows when the next code can be requested. */
async function sendCode(
  ctx: Context,
  request: ConsoleRequest,
  { typed, isResend, onBusy }: { typed: string; isResend: boolean; onBusy: () => void },
): Promise<void> {
  const { page, now, fields } = request
  const result = await askCode(ctx, request, typed, isResend)
  if ('isBusy' in result) {
    ctx.set('Retry-After', String(BUSY_RETRY_SECONDS))
    return onBusy()
  }
  if ('challengeId' in result)
    return seeOther(ctx, withNext(to.challenge(result.challengeId), pageAfterSignIn(fields.get('next'))))
  setRetryAfter(ctx, result.tryAgainAt, now)
  sendPage(ctx, 429, <pages.WaitPage page={page} tryAgainAt={nextMinute(result.tryAgainAt)} />)
}

/** Sends a new code after the visitor typed an expired code. */
async function resend(ctx: Context, request: ConsoleRequest, { typed }: Challenge): Promise<Challenge | undefined> {
  const result = await askCode(ctx, request, typed, true)
  return 'challengeId' in result ? findChallenge(ctx, request, result.challengeId) : undefined
}

/** For a form token older than a day: shows the page again, with the typed code and a new token. */
async function showOldForm(ctx: Context, request: ConsoleRequest, challenge: Challenge | undefined, typed?: string) {
  if (!challenge) return seeOther(ctx, to.signIn)
  show(ctx, request, { challenge, state: stateOfOldForm(challenge, await request.deps.isMailDelayed()), typed })
}

export interface ShownCode {
  challenge: Challenge
  state: CodeState
  typed?: string | undefined
}

function show(ctx: Context, request: ConsoleRequest, shown: ShownCode): void {
  const next = pageAfterSignIn(request.fields.get('next') ?? ctx.query['next'])
  const page = { ...request.page, path: withNext(to.challenge(shown.challenge.id), next) }
  sendCodePage(ctx, request, shown, (code) => (
    <pages.SignInCodePage {...{ page, next, ...code }} signInToken={issueToken(ctx, request)} />
  ))
}

/** Sends the page of a code with the HTTP status of `state`. */
export function sendCodePage(
  ctx: Context,
  { now }: ConsoleRequest,
  { challenge, state, typed }: ShownCode,
  pageOf: (code: pages.CodeProps) => VNode,
): void {
  const retryAt = retryAtOf(state, now)
  if (retryAt) setRetryAfter(ctx, retryAt, now)
  const { id, digits, typed: email } = challenge
  sendPage(ctx, CODE_STATUS[state.kind], pageOf({ challenge: id, digits, email, typed, state }))
}

/** Redirects from /console to the next page of the visitor. */
export const home: Handler<SignedInRequest> = async (ctx, request) => seeOther(ctx, nextPath(request))

/** The path of the next page after sign-in. */
function nextPath({ account, session, owned, isOperator, isUnchecked, page }: SignedInRequest): string {
  // A pending invitation comes first, until an account is chosen.
  if (session.accountId === null && owned.some(({ isConfirmed }) => !isConfirmed)) return to.chooseAccount
  if (!account) {
    if (owned.length > 0) return to.chooseAccount
    return isOperator || isUnchecked ? to.operator.applications : to.application
  }
  if (account.role !== 'owner') return account.role === 'developer' ? to.keys : to.contracts
  switch (account.access.step) {
    case 'apply':
    case 'pending':
    case 'refused':
      return to.application
    case 'choose_plan':
    case 'plan_chosen':
      return to.plan
    default:
      return page.shell?.account?.keys === 0 ? to.keys : to.overview
  }
}
