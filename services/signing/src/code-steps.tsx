// From the opened link to a proven mailbox: the address, the code, another code. [ceremony 1 to 3u, D16]
import type { Context } from 'koa'
import { isMailAddress } from '@paraph/protocol/text-rules'
import { readForm } from '@paraph/web/form-body'
import type { Ceremony, CeremonyRequest, Step } from './ceremony.js'
import { refuseForm } from './in-session.js'
import { OpenPage, type OpenPageProps } from './pages/open-page.js'
import { CodePage, type CodeState } from './pages/code-page.js'
import { LeftPage } from './pages/left-page.js'
import { links } from './pages/links.js'
import { OnHoldPage } from './pages/on-hold-page.js'
import { WaitPage } from './pages/wait-page.js'
import { addCookie, sayRetryAfter, seeOther, sendPage, shownFacts, visitorOf } from './page-request.js'
import { endSession, SESSION_TTL_SECONDS, type SigningSession } from './signing-session.js'
import type { Challenge } from './challenge.js'

/** The steps from the link to a session. */
export function createCodeSteps(ceremony: Ceremony) {
  const { codes, mail, formTokens, cookies } = ceremony

  /** Page 1. With a session it leads on; without, it writes nothing. [D31] */
  const open: Step = async (ctx, { facts, token, page, session, now, onHold }) => {
    if (session) return seeOther(ctx, links(token).review())
    if (ctx.query['left'] === '1') return sendPage(ctx, 200, <LeftPage {...page} token={token} />)
    const notice = ctx.query['notice'] === 'session-ended' ? endedNotice(ctx, facts.contractId, now) : undefined
    const form = { token, formToken: formTokens.issue(token, now) }
    if (onHold) return sendPage(ctx, 403, <OnHoldPage {...page} form={form} />)
    sendPage(ctx, 200, <OpenPage {...page} facts={shownFacts(facts)} form={form} notice={notice} />)
  }

  /** "Send me a code". */
  const requestCode: Step = async (ctx, { facts, token, page, now, onHold }) => {
    const fields = await readForm(ctx)
    if (!ceremony.isOwnForm(ctx)) return refuseForm(ctx, { facts, token, page })
    const typed = (fields.get('email') ?? '').trim()
    const isOld = !formTokens.verify(fields.get('formToken'), token, now)
    const error = typed === '' ? 'missing' : !isMailAddress(typed) ? 'format' : isOld ? ('too_old' as const) : undefined
    if (error) {
      const form: OpenPageProps['form'] = { token, formToken: formTokens.issue(token, now), email: typed, error }
      if (onHold) return sendPage(ctx, 422, <OnHoldPage {...page} form={form} />)
      return sendPage(ctx, 422, <OpenPage {...page} facts={shownFacts(facts)} form={form} />)
    }
    const made = await codes.request(facts, { typed, isResend: false }, visitorOf(ctx))
    if ('tryAgainAt' in made) return askLater(ctx, { facts, page, now }, made.tryAgainAt)
    seeOther(ctx, links(token).challenge(made.challengeId))
  }

  /** Page 2: the same for every address. */
  const showChallenge: Step = async (ctx, { facts, token, page, session, now, parameters }) => {
    const challenge = await codes.find(facts.contractId, parameters['challenge'] ?? '')
    if (session && !isForAnother(challenge, session)) return seeOther(ctx, links(token).review())
    if (!challenge) return seeOther(ctx, links(token).open)
    show(ctx, { facts, token, page, now }, challenge, stateOf(challenge, mail.isDelayed()))
  }

  /** The typed code. */
  const checkCode: Step = async (ctx, request) => {
    const { facts, token, page, session, now, parameters } = request
    const fields = await readForm(ctx)
    if (!ceremony.isOwnForm(ctx)) return refuseForm(ctx, request)
    const challengeId = parameters['challenge'] ?? ''
    // A second click, a second tab: the mailbox is proven already. On a shared browser it may be somebody else's.
    if (session && !isForAnother(await codes.find(facts.contractId, challengeId), session))
      return seeOther(ctx, links(token).review())
    const typed = fields.get('code') ?? ''
    if (!formTokens.verify(fields.get('formToken'), token, now))
      return showAgain(ctx, request, await codes.find(facts.contractId, challengeId), typed)
    const outcome = await codes.verify(facts, challengeId, typed, visitorOf(ctx))
    if (!outcome) return seeOther(ctx, links(token).open)
    switch (outcome.kind) {
      case 'verified': {
        if (session) await endSession(ceremony.database, session.id)
        const started = { scope: facts.contractId, value: outcome.session.token, maxAgeSeconds: SESSION_TTL_SECONDS }
        addCookie(ctx, ...cookies.write(ctx.get('cookie'), started, now))
        // The flag tells a browser that dropped the cookie from a person who was never here.
        return seeOther(ctx, `${links(token).review()}?check=cookie`)
      }
      case 'expired': {
        const next = await codes.request(facts, { typed: outcome.challenge.typed, isResend: true }, visitorOf(ctx))
        const challenge = 'challengeId' in next ? await codes.find(facts.contractId, next.challengeId) : undefined
        const state: CodeState = {
          kind: 'expired',
          newCodeSent: challenge !== undefined && !challenge.refusal,
        }
        // A code that works no more is not left in the field, to be sent again.
        return show(ctx, { facts, token, page, now }, challenge ?? outcome.challenge, state)
      }
      case 'wrong_shape': {
        const kind = typed.trim() === '' ? 'missing' : 'wrong_shape'
        return show(ctx, request, outcome.challenge, { kind }, typed)
      }
      case 'wrong':
        return show(ctx, request, outcome.challenge, { kind: 'wrong', triesLeft: outcome.challenge.triesLeft }, typed)
      case 'used':
        return show(ctx, request, outcome.challenge, { kind: 'used' })
      case 'dead':
        return show(ctx, request, outcome.challenge, deadState(outcome.challenge))
    }
  }

  /** A form's own address has no page. */
  const backToStart: Step = async (ctx, { token }) => seeOther(ctx, links(token).open)

  /** "Send a new code": a new challenge with new tries; codes sent before still work in their time. */
  const resend: Step = async (ctx, request) => {
    const { facts, token, page, now } = request
    const fields = await readForm(ctx)
    if (!ceremony.isOwnForm(ctx)) return refuseForm(ctx, request)
    const before = await codes.find(facts.contractId, fields.get('challenge') ?? '')
    if (!before) return seeOther(ctx, links(token).open)
    if (!formTokens.verify(fields.get('formToken'), token, now)) return showAgain(ctx, request, before)
    const made = await codes.request(facts, { typed: before.typed, isResend: true }, visitorOf(ctx))
    if ('tryAgainAt' in made) return askLater(ctx, { facts, page, now }, made.tryAgainAt)
    seeOther(ctx, links(token).challenge(made.challengeId))
  }

  /** A form of more than a day ago: the page again, with what was typed and a form of now. */
  function showAgain(ctx: Context, request: CeremonyRequest, challenge: Challenge | undefined, typed?: string): void {
    if (!challenge) return seeOther(ctx, links(request.token).open)
    const isOver = challenge.isPassed || challenge.triesLeft === 0
    show(ctx, request, challenge, isOver ? stateOf(challenge, mail.isDelayed()) : { kind: 'form_too_old' }, typed)
  }

  function show(
    ctx: Context,
    { facts, token, page, now }: Pick<CeremonyRequest, 'facts' | 'token' | 'page' | 'now'>,
    challenge: Challenge,
    state: CodeState,
    typed?: string,
  ): void {
    const formToken = formTokens.issue(token, now)
    if (state.kind === 'dead' && state.tryAgainAt) sayRetryAfter(ctx, state.tryAgainAt, now)
    sendPage(
      ctx,
      STATUS[state.kind],
      <CodePage
        {...page}
        {...{ token, formToken, state, code: typed, digits: challenge.digits }}
        challenge={challenge.id}
        email={challenge.typed}
        senderName={facts.senderName}
        timeZone={facts.timeZone}
      />,
    )
  }

  function endedNotice(ctx: Context, contractId: string, now: Date): OpenPageProps['notice'] {
    const kept = ceremony.keptNames.read(ctx.get('cookie'), contractId, now)
    return kept ? 'session_ended_typed_name_kept' : 'session_ended'
  }

  function askLater(
    ctx: Context,
    { facts, page, now }: Pick<CeremonyRequest, 'facts' | 'page' | 'now'>,
    tryAgainAt: Date,
  ): void {
    sayRetryAfter(ctx, tryAgainAt, now)
    sendPage(ctx, 429, <WaitPage {...page} tryAgainAt={nextMinute(tryAgainAt)} timeZone={facts.timeZone} />)
  }

  return { open, requestCode, showChallenge, checkCode, resend, backToStart }
}

const STATUS = {
  ...{ sent: 200, resent: 200, resent_too_soon: 200, sends_used_up: 200, not_sent: 200, lapsed: 200 },
  ...{ form_too_old: 422, missing: 422, wrong_shape: 422, wrong: 422, expired: 422, used: 422, dead: 429 },
} as const satisfies Record<CodeState['kind'], number>

/** True where the browser's session is of another mailbox than the code was asked for. */
const isForAnother = (challenge: Challenge | undefined, session: SigningSession): boolean =>
  challenge !== undefined && challenge.mailbox !== session.mailbox

/** What the page says when it is opened, for a party and a stranger alike: only what holds at this moment. */
function stateOf(challenge: Challenge, delayed: boolean): CodeState {
  const { refusal, isLapsed, isPassed, isResend, triesLeft } = challenge
  if (isPassed) return { kind: 'used' }
  if (triesLeft === 0) return deadState(challenge)
  if (refusal?.isOver) return { kind: 'not_sent' }
  if (refusal?.reason === 'too_soon') return { kind: 'resent_too_soon' }
  if (refusal) return { kind: 'sends_used_up', tryAgainAt: nextMinute(refusal.tryAgainAt) }
  if (isLapsed) return { kind: 'lapsed' }
  return isResend && !delayed ? { kind: 'resent' } : { kind: 'sent', delayed }
}

const deadState = ({ refusal }: Challenge): CodeState =>
  refusal?.reason === 'used_up' && !refusal.isOver
    ? { kind: 'dead', tryAgainAt: nextMinute(refusal.tryAgainAt) }
    : { kind: 'dead' }

/** "After 15:40" must be true at 15:40. */
const nextMinute = (at: Date): Date => new Date(Math.ceil(at.getTime() / 60_000) * 60_000)
