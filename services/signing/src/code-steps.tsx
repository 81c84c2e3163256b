// From the opened link to a proven mailbox: the address, the code, another code. [ceremony 1 to 3u, D16]
import type { Context } from 'koa'
import { faultOfAddress } from '@paraph/codes/address-form'
import {
  CODE_STATUS,
  keepsTyped,
  nextMinute,
  stateOfChallenge,
  stateOfOldForm,
  stateOfOutcome,
  type CodeState,
} from '@paraph/codes/code-state'
import { readForm } from '@paraph/web/form-body'
import type { Ceremony, CeremonyRequest, Step } from './ceremony.js'
import { refuseForm } from './in-session.js'
import { OpenPage, type OpenPageProps } from './pages/open-page.js'
import { CodePage } from './pages/code-page.js'
import { LeftPage } from './pages/left-page.js'
import { links } from './pages/links.js'
import { OnHoldPage } from './pages/on-hold-page.js'
import { WaitPage } from './pages/wait-page.js'
import { sayRetryAfter, seeOther, sendPage } from '@paraph/web/page-answer'
import { addCookie, shownFacts, visitorOf } from './page-request.js'
import { endSession, type MailboxSession } from '@paraph/codes/mailbox-session'
import { SESSION_TTL_SECONDS, type Visitor } from './verification-code.js'
import type { Challenge } from '@paraph/codes/challenge'

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
    const error = faultOfAddress(typed, isOld)
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
    show(ctx, { facts, token, page, now }, challenge, stateOfChallenge(challenge, mail.isDelayed()))
  }

  /** The typed code. */
  const checkCode: Step = async (ctx, request) => {
    const { facts, token, session, now, parameters } = request
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
      default: {
        const next = outcome.kind === 'expired' ? await askAgain(request, outcome.challenge, visitorOf(ctx)) : undefined
        const state = stateOfOutcome(outcome, typed, next)
        return show(ctx, request, next ?? outcome.challenge, state, keepsTyped(state) ? typed : undefined)
      }
    }
  }

  /** Whoever typed a code that has expired wants another. */
  async function askAgain({ facts }: CeremonyRequest, { typed }: Challenge, visitor: Visitor) {
    const made = await codes.request(facts, { typed, isResend: true }, visitor)
    return 'challengeId' in made ? codes.find(facts.contractId, made.challengeId) : undefined
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
    show(ctx, request, challenge, stateOfOldForm(challenge, mail.isDelayed()), typed)
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
      CODE_STATUS[state.kind],
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

/** True where the browser's session is of another mailbox than the code was asked for. */
const isForAnother = (challenge: Challenge | undefined, session: MailboxSession): boolean =>
  challenge !== undefined && challenge.mailbox !== session.mailbox
