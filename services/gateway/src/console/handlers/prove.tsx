// Handlers of a fresh proof before a grave act: by passkey, by recovery code, by a code to the mailbox, or at the issuer. [D73]
import type { Context } from 'koa'
import { BUSY_RETRY_SECONDS, keepsInput, nextMinute, stateOfChallenge, stateOfOutcome } from '@paraph/codes/code-state'
import type { FieldError } from '@paraph/web/fields'
import { seeOther, sendPage, setRetryAfter } from '@paraph/web/page-answer'
import type { CodePurpose } from '../codes.js'
import { rememberBrowser, visitorOf, type Handler, type SignedInRequest } from '../console-context.js'
import { to, withNext } from '../frame/links.js'
import { secondFactorMessages } from '../second-factor/messages.js'
import { ANSWER } from '../second-factor/passkey-form.js'
import { ProveCodePage, ProvePage, ProveWaitPage, type ProofBy } from '../second-factor/prove-pages.js'
import { nextOf } from './second-factor.js'
import { sendCodePage, type ShownCode } from './sign-in.js'

export const provePage: Handler<SignedInRequest> = async (ctx, request) =>
  request.page.isProven ? seeOther(ctx, nextOf(ctx, request)) : show(ctx, request)

export const provePasskey: Handler<SignedInRequest> = async (ctx, request) => {
  const { deps, session, fields, page } = request
  if (await deps.passkeys.prove(session, fields.get(ANSWER) ?? '')) return seeOther(ctx, nextOf(ctx, request))
  await show(ctx, request, [{ field: 'passkey', message: secondFactorMessages(page.locale).refused }])
}

export const proveByRecoveryCode: Handler<SignedInRequest> = async (ctx, request) => {
  const { deps, session, fields, page } = request
  const outcome = await deps.passkeys.proveByCode(session, fields.get('code') ?? '')
  if (outcome === 'proven') return seeOther(ctx, nextOf(ctx, request))
  const { codeLocked, codeWrong } = secondFactorMessages(page.locale)
  await show(ctx, request, [{ field: 'code', message: outcome === 'locked' ? codeLocked : codeWrong }])
}

/** Requests a code for the session. A mailbox with a passkey, and a session of an issuer, prove themselves by these alone. */
export const sendCode: Handler<SignedInRequest> = async (ctx, request) => {
  const { deps, session, now, page } = request
  const next = nextOf(ctx, request)
  if (!(await mayUseCode(request))) return seeOther(ctx, withNext(to.prove, next))
  rememberBrowser(ctx, request)
  const isResend = request.fields.has('challenge')
  const asked = { typed: session.mailbox, isResend }
  const result = await deps.codes.request(asked, purposeOf(request), visitorOf(ctx, request))
  if ('challengeId' in result) return seeOther(ctx, withNext(to.proveChallenge(result.challengeId), next))
  const tryAgainAt = 'isBusy' in result ? new Date(now.getTime() + BUSY_RETRY_SECONDS * 1_000) : result.tryAgainAt
  setRetryAfter(ctx, tryAgainAt, now)
  const props = { page: { ...page, path: withNext(to.prove, next) }, next, tryAgainAt: nextMinute(tryAgainAt) }
  sendPage(ctx, 'isBusy' in result ? 503 : 429, <ProveWaitPage {...props} />)
}

export const codePage: Handler<SignedInRequest> = async (ctx, request) => {
  const { deps, parameters } = request
  const visitor = visitorOf(ctx, request)
  const challenge = await deps.codes.find(parameters['challenge'] ?? '', purposeOf(request), visitor)
  if (!challenge) return seeOther(ctx, withNext(to.prove, nextOf(ctx, request)))
  showCode(ctx, request, { challenge, state: stateOfChallenge(challenge, await deps.isMailDelayed()) })
}

export const checkCode: Handler<SignedInRequest> = async (ctx, request) => {
  const { deps, parameters, fields } = request
  const typed = fields.get('code') ?? ''
  const next = nextOf(ctx, request)
  if (!(await mayUseCode(request))) return seeOther(ctx, withNext(to.prove, next))
  const visitor = visitorOf(ctx, request)
  const outcome = await deps.codes.verify(parameters['challenge'] ?? '', typed, purposeOf(request), visitor)
  if (outcome?.kind === 'verified') return seeOther(ctx, next)
  if (!outcome) return seeOther(ctx, withNext(to.prove, next))
  const state = stateOfOutcome(outcome, typed, undefined)
  showCode(ctx, request, { challenge: outcome.challenge, state, typed: keepsInput(state) ? typed : undefined })
}

const purposeOf = ({ session }: SignedInRequest): CodePurpose => ({ kind: 'prove', sessionId: session.id })

/**
 * Whether a code to the mailbox proves the person of this session. It is worth less than a passkey, so it does not take its place. In the
 * place of an owners' issuer it stands where it could have signed in: some issuers do not say when they asked the person.
 */
async function mayUseCode({ deps, session: { issuer, mailbox } }: SignedInRequest): Promise<boolean> {
  if (issuer === 'operators' || (issuer && !deps.issuers.offers.codes)) return false
  return !(await deps.passkeys.holders([mailbox])).has(mailbox)
}

async function show(ctx: Context, request: SignedInRequest, errors: FieldError[] = []): Promise<void> {
  const next = nextOf(ctx, request)
  const page = { ...request.page, path: withNext(to.prove, next) }
  const props = { page, next, errors, by: await howToProve(request, next) }
  sendPage(ctx, errors.length > 0 ? 422 : 200, <ProvePage {...props} />)
}

async function howToProve(request: SignedInRequest, next: string): Promise<ProofBy> {
  const { deps, session } = request
  const mailbox = (await mayUseCode(request)) ? session.mailbox : undefined
  if (session.issuer !== null) return { kind: 'issuer', href: withNext(to.proveAtIssuer, next), mailbox }
  if (mailbox !== undefined) return { kind: 'code', mailbox }
  return { kind: 'passkey', asked: await deps.passkeys.challenge(session, 'get') }
}

function showCode(ctx: Context, request: SignedInRequest, shown: ShownCode): void {
  const next = nextOf(ctx, request)
  const page = { ...request.page, path: withNext(to.proveChallenge(shown.challenge.id), next) }
  sendCodePage(ctx, request, shown, (code) => <ProveCodePage {...{ page, next, ...code }} />)
}
