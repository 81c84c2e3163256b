// From nobody to a proven mailbox and the account it looks at, and back. [D16, D33]
import type { Context } from 'koa'
import { faultOfAddress } from '@paraph/codes/address-form'
import type { Challenge } from '@paraph/codes/challenge'
import {
  CODE_STATUS,
  keepsTyped,
  nextMinute,
  stateOfChallenge,
  stateOfOldForm,
  stateOfOutcome,
  type CodeState,
} from '@paraph/codes/code-state'
import { endSession } from '@paraph/codes/mailbox-session'
import { clearCookie, serializeCookie } from '@paraph/web/cookies'
import type { Console, ConsoleRequest, SignedInRequest, Step } from '../console.js'
import type { CodePurpose } from '../console-codes.js'
import { SESSION_SECONDS } from '../console-session.js'
import { pageAfterSignIn, to } from '../pages/links.js'
import { AccountsPage, OutcomePage, SignInCodePage, SignInPage, SignOutPage, WaitPage } from '../pages/sign-in-pages.js'
import { sayRetryAfter, seeOther, sendPage } from '@paraph/web/page-answer'

/** Name of the cookie; `__Host-` before it on https. */
export const SESSION_COOKIE = 'console'
/** What the token of a form before there is a session belongs to. */
const SIGN_IN_FORM = 'console sign-in'

export function createSignInSteps(parts: Console) {
  const { codes, formTokens, sessions, https, owners } = parts
  const purposeOf = (ctx: Context): CodePurpose => ({ kind: 'sign_in', userAgent: ctx.get('user-agent') })
  const clientOf = (ctx: Context): string => (ctx.state['clientAddress'] as () => string)()
  const tokenOf = (now: Date): string => formTokens.issue(SIGN_IN_FORM, now)
  const isFresh = ({ fields, now }: ConsoleRequest): boolean =>
    formTokens.verify(fields.get('formToken'), SIGN_IN_FORM, now)

  const signIn: Step = async (ctx, { page, session, now }) => {
    const next = pageAfterSignIn(ctx.query['next'])
    if (session) return seeOther(ctx, next)
    sendPage(ctx, 200, <SignInPage {...{ page, next }} signInToken={tokenOf(now)} />)
  }

  const requestCode: Step = async (ctx, request) => {
    const { page, now, fields } = request
    const next = pageAfterSignIn(fields.get('next'))
    const email = (fields.get('email') ?? '').trim()
    const error = faultOfAddress(email, !isFresh(request))
    if (error) return sendPage(ctx, 422, <SignInPage {...{ page, next, email, error }} signInToken={tokenOf(now)} />)
    const made = await codes.request(email, { isResend: false, clientAddress: clientOf(ctx) }, purposeOf(ctx))
    if ('tryAgainAt' in made) return askLater(ctx, request, made.tryAgainAt)
    seeOther(ctx, withNext(to.challenge(made.challengeId), next))
  }

  const showChallenge: Step = async (ctx, request) => {
    const challenge = await codes.find(request.parameters['challenge'] ?? '', purposeOf(ctx))
    if (request.session) return seeOther(ctx, pageAfterSignIn(ctx.query['next']))
    if (!challenge) return seeOther(ctx, to.signIn)
    show(ctx, request, challenge, stateOfChallenge(challenge, await parts.isMailDelayed()))
  }

  const checkCode: Step = async (ctx, request) => {
    const { parameters, fields, session } = request
    const id = parameters['challenge'] ?? ''
    const typed = fields.get('code') ?? ''
    if (!isFresh(request)) return showOldForm(ctx, request, await codes.find(id, purposeOf(ctx)), typed)
    const outcome = await codes.verify(id, typed, purposeOf(ctx))
    if (!outcome) return seeOther(ctx, to.signIn)
    if (outcome.kind === 'verified') {
      // Whoever was signed in here is not any more: the cookie has room for one.
      if (session) await endSession(parts.database, session.id)
      const { token } = outcome.session
      ctx.append('Set-Cookie', [
        serializeCookie({ name: SESSION_COOKIE, value: token, maxAgeSeconds: SESSION_SECONDS }, { https }),
      ])
      return seeOther(ctx, pageAfterSignIn(fields.get('next')))
    }
    const next = outcome.kind === 'expired' ? await askAgain(ctx, outcome.challenge) : undefined
    const state = stateOfOutcome(outcome, typed, next)
    show(ctx, request, next ?? outcome.challenge, state, keepsTyped(state) ? typed : undefined)
  }

  /** "Send a new code": a new challenge with new tries; codes sent before still work in their time. */
  const resendCode: Step = async (ctx, request) => {
    const { fields } = request
    const before = await codes.find(fields.get('challenge') ?? '', purposeOf(ctx))
    if (!before) return seeOther(ctx, to.signIn)
    if (!isFresh(request)) return showOldForm(ctx, request, before)
    const asked = { isResend: true, clientAddress: clientOf(ctx) }
    const made = await codes.request(before.typed, asked, purposeOf(ctx))
    if ('tryAgainAt' in made) return askLater(ctx, request, made.tryAgainAt)
    seeOther(ctx, withNext(to.challenge(made.challengeId), pageAfterSignIn(fields.get('next'))))
  }

  const signOutPage: Step = async (ctx, { page }) => sendPage(ctx, 200, <SignOutPage page={page} />)

  const signOut: Step = async (ctx, { session }) => {
    if (session) await endSession(parts.database, session.id)
    ctx.append('Set-Cookie', [clearCookie(SESSION_COOKIE, { https })])
    seeOther(ctx, to.signIn)
  }

  const chooseAccountPage: Step = async (ctx, { page, owned }) =>
    sendPage(ctx, 200, <AccountsPage {...{ page, owned }} />)

  /** Opens an account, or answers the question whether to own it. Only what the mailbox owns or was asked about. */
  const chooseAccount: Step<SignedInRequest> = async (ctx, { page, owned, session, fields }) => {
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

  /** Whoever typed a code that has expired wants another. */
  async function askAgain(ctx: Context, { typed }: Challenge): Promise<Challenge | undefined> {
    const made = await codes.request(typed, { isResend: true, clientAddress: clientOf(ctx) }, purposeOf(ctx))
    return 'challengeId' in made ? codes.find(made.challengeId, purposeOf(ctx)) : undefined
  }

  /** A form of more than a day ago: the page again, with what was typed and a form of now. */
  async function showOldForm(
    ctx: Context,
    request: ConsoleRequest,
    challenge: Challenge | undefined,
    typed?: string,
  ): Promise<void> {
    if (!challenge) return seeOther(ctx, to.signIn)
    show(ctx, request, challenge, stateOfOldForm(challenge, await parts.isMailDelayed()), typed)
  }

  function show(
    ctx: Context,
    { page, now, fields }: ConsoleRequest,
    challenge: Challenge,
    state: CodeState,
    typed?: string,
  ): void {
    if (state.kind === 'dead' && state.tryAgainAt) sayRetryAfter(ctx, state.tryAgainAt, now)
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

  function askLater(ctx: Context, { page, now }: ConsoleRequest, tryAgainAt: Date): void {
    sayRetryAfter(ctx, tryAgainAt, now)
    sendPage(ctx, 429, <WaitPage page={page} tryAgainAt={nextMinute(tryAgainAt)} />)
  }

  return {
    ...{ signIn, requestCode, resendCode, showChallenge, checkCode },
    ...{ signOutPage, signOut, chooseAccountPage, chooseAccount },
  }
}

const withNext = (path: string, next: string): string =>
  next === to.home ? path : `${path}?${new URLSearchParams({ next }).toString()}`
