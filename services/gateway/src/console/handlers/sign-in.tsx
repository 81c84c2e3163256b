// Handlers of sign-in and sign-out: request a code, check it, choose the account to show. [D16, D33]
import type { Context } from 'koa'
import { addressFormError } from '@paraph/codes/address-form'
import type { Challenge } from '@paraph/codes/challenge'
import {
  CODE_STATUS,
  keepsInput,
  nextMinute,
  stateOfChallenge,
  stateOfOldForm,
  stateOfOutcome,
  type CodeState,
} from '@paraph/codes/code-state'
import { endSession } from '@paraph/codes/mailbox-session'
import { clearCookie, serializeCookie } from '@paraph/web/cookies'
import type { Console, ConsoleRequest, SignedInRequest, Handler } from '../console-context.js'
import type { CodePurpose } from '../codes.js'
import { SESSION_SECONDS } from '../session.js'
import { pageAfterSignIn, to } from '../frame/links.js'
import {
  AccountsPage,
  OutcomePage,
  SignInCodePage,
  SignInPage,
  SignOutPage,
  WaitPage,
} from '../people/sign-in-pages.js'
import { setRetryAfter, seeOther, sendPage } from '@paraph/web/page-answer'

/** Name of the session cookie; on https it has the prefix `__Host-`. */
export const SESSION_COOKIE = 'console'
/** Subject of the form tokens before sign-in. */
const SIGN_IN_FORM = 'console sign-in'

export function createSignInHandlers(deps: Console) {
  const { codes, formTokens, sessions, https, owners } = deps
  const purposeOf = (ctx: Context): CodePurpose => ({ kind: 'sign_in', userAgent: ctx.get('user-agent') })
  const clientOf = (ctx: Context): string => ctx.state.clientAddress()
  const tokenOf = (now: Date): string => formTokens.issue(SIGN_IN_FORM, now)
  const isFresh = ({ fields, now }: ConsoleRequest): boolean =>
    formTokens.verify(fields.get('formToken'), SIGN_IN_FORM, now)

  const signIn: Handler = async (ctx, { page, session, now }) => {
    const next = pageAfterSignIn(ctx.query['next'])
    if (session) return seeOther(ctx, next)
    sendPage(ctx, 200, <SignInPage {...{ page, next }} signInToken={tokenOf(now)} />)
  }

  const requestCode: Handler = async (ctx, request) => {
    const { page, now, fields } = request
    const next = pageAfterSignIn(fields.get('next'))
    const email = (fields.get('email') ?? '').trim()
    const error = addressFormError(email, !isFresh(request))
    if (error) return sendPage(ctx, 422, <SignInPage {...{ page, next, email, error }} signInToken={tokenOf(now)} />)
    const result = await codes.request(email, { isResend: false, clientAddress: clientOf(ctx) }, purposeOf(ctx))
    if ('tryAgainAt' in result) return sendWaitPage(ctx, request, result.tryAgainAt)
    seeOther(ctx, withNext(to.challenge(result.challengeId), next))
  }

  const showChallenge: Handler = async (ctx, request) => {
    const challenge = await codes.find(request.parameters['challenge'] ?? '', purposeOf(ctx))
    if (request.session) return seeOther(ctx, pageAfterSignIn(ctx.query['next']))
    if (!challenge) return seeOther(ctx, to.signIn)
    show(ctx, request, challenge, stateOfChallenge(challenge, await deps.isMailDelayed()))
  }

  const checkCode: Handler = async (ctx, request) => {
    const { parameters, fields, session } = request
    const id = parameters['challenge'] ?? ''
    const typed = fields.get('code') ?? ''
    if (!isFresh(request)) return showOldForm(ctx, request, await codes.find(id, purposeOf(ctx)), typed)
    const outcome = await codes.verify(id, typed, purposeOf(ctx))
    if (!outcome) return seeOther(ctx, to.signIn)
    if (outcome.kind === 'verified') {
      // The new session replaces the one in the cookie.
      if (session) await endSession(deps.database, session.id)
      const { token } = outcome.session
      ctx.append('Set-Cookie', [
        serializeCookie({ name: SESSION_COOKIE, value: token, maxAgeSeconds: SESSION_SECONDS }, { https }),
      ])
      return seeOther(ctx, pageAfterSignIn(fields.get('next')))
    }
    const next = outcome.kind === 'expired' ? await resend(ctx, outcome.challenge) : undefined
    const state = stateOfOutcome(outcome, typed, next)
    show(ctx, request, next ?? outcome.challenge, state, keepsInput(state) ? typed : undefined)
  }

  /** "Send a new code": creates a challenge with new tries. Codes sent earlier stay valid until they expire. */
  const resendCode: Handler = async (ctx, request) => {
    const { fields } = request
    const previous = await codes.find(fields.get('challenge') ?? '', purposeOf(ctx))
    if (!previous) return seeOther(ctx, to.signIn)
    if (!isFresh(request)) return showOldForm(ctx, request, previous)
    const options = { isResend: true, clientAddress: clientOf(ctx) }
    const result = await codes.request(previous.typed, options, purposeOf(ctx))
    if ('tryAgainAt' in result) return sendWaitPage(ctx, request, result.tryAgainAt)
    seeOther(ctx, withNext(to.challenge(result.challengeId), pageAfterSignIn(fields.get('next'))))
  }

  const signOutPage: Handler = async (ctx, { page }) => sendPage(ctx, 200, <SignOutPage page={page} />)

  const signOut: Handler = async (ctx, { session }) => {
    if (session) await endSession(deps.database, session.id)
    ctx.append('Set-Cookie', [clearCookie(SESSION_COOKIE, { https })])
    seeOther(ctx, to.signIn)
  }

  const chooseAccountPage: Handler = async (ctx, { page, owned }) =>
    sendPage(ctx, 200, <AccountsPage {...{ page, owned }} />)

  /** Shows an account of the mailbox, or accepts or declines an invitation to own it. */
  const chooseAccount: Handler<SignedInRequest> = async (ctx, { page, owned, session, fields }) => {
    const account = owned.find(({ accountId }) => accountId === fields.get('account'))
    const answer = fields.get('answer')
    if (!account) return sendPage(ctx, 404, <OutcomePage page={page} kind="notFound" />)
    if (answer === 'no') {
      await owners.answerInvitation(account.accountId, session.mailbox, false)
      return seeOther(ctx, to.home)
    }
    if (!account.isConfirmed) await owners.answerInvitation(account.accountId, session.mailbox, true)
    await sessions.choose(session.id, account.accountId)
    seeOther(ctx, to.home)
  }

  /** Sends a new code after an expired one was typed. */
  async function resend(ctx: Context, { typed }: Challenge): Promise<Challenge | undefined> {
    const result = await codes.request(typed, { isResend: true, clientAddress: clientOf(ctx) }, purposeOf(ctx))
    return 'challengeId' in result ? codes.find(result.challengeId, purposeOf(ctx)) : undefined
  }

  /** The form token is older than a day: shows the page again with the typed code and a new token. */
  async function showOldForm(
    ctx: Context,
    request: ConsoleRequest,
    challenge: Challenge | undefined,
    typed?: string,
  ): Promise<void> {
    if (!challenge) return seeOther(ctx, to.signIn)
    show(ctx, request, challenge, stateOfOldForm(challenge, await deps.isMailDelayed()), typed)
  }

  function show(
    ctx: Context,
    { page, now, fields }: ConsoleRequest,
    challenge: Challenge,
    state: CodeState,
    typed?: string,
  ): void {
    if (state.kind === 'dead' && state.tryAgainAt) setRetryAfter(ctx, state.tryAgainAt, now)
    const next = pageAfterSignIn(fields.get('next') ?? ctx.query['next'])
    const at = { ...page, path: withNext(to.challenge(challenge.id), next) }
    sendPage(
      ctx,
      CODE_STATUS[state.kind],
      <SignInCodePage
        {...{ page: at, next, state, typed, digits: challenge.digits, email: challenge.typed }}
        challenge={challenge.id}
        signInToken={tokenOf(now)}
      />,
    )
  }

  function sendWaitPage(ctx: Context, { page, now }: ConsoleRequest, tryAgainAt: Date): void {
    setRetryAfter(ctx, tryAgainAt, now)
    sendPage(ctx, 429, <WaitPage page={page} tryAgainAt={nextMinute(tryAgainAt)} />)
  }

  return {
    signIn,
    requestCode,
    resendCode,
    showChallenge,
    checkCode,
    signOutPage,
    signOut,
    chooseAccountPage,
    chooseAccount,
  }
}

const withNext = (path: string, next: string): string =>
  next === to.home ? path : `${path}?${new URLSearchParams({ next }).toString()}`
