// The handlers from the opened link to a verified mailbox: address, code, new code. [ceremony 1 to 3u, D16]
import type { Visitor } from '../../chain/entry.js'
import type { Context } from 'koa'
import { addressFormError, type AddressError } from '@paraph/codes/address-form'
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
import { readForm } from '@paraph/web/form-body'
import type { ContractView } from '../../clients/contract.js'
import {
  addCookie,
  type Ceremony,
  type CeremonyRequest,
  type Handler,
  refuseForm,
  summaryOf,
  visitorOf,
} from '../page-request.js'
import { CodePage, OpenPage, type OpenPageProps } from '../pages/identify/identify-pages.js'
import { LeftPage, WaitPage } from '../pages/outcome/outcome-pages.js'
import { SuspendedPage } from '../pages/outcome/suspended-page.js'
import { links } from '../pages/frame/links.js'
import { setRetryAfter, seeOther, sendPage } from '@paraph/web/page-answer'
import { endSession, type MailboxSession } from '@paraph/codes/mailbox-session'
import { SESSION_TTL_SECONDS } from '../../codes/verification-code.js'
import { browserCookie, CEREMONY_BROWSER } from '@paraph/web/cookies'
import type { Challenge } from '@paraph/codes/challenge'

/** Handlers for the opened link and the address form. */
export function createAddressHandlers(ceremony: Ceremony) {
  const { formTokens } = ceremony

  /** Page 1. Redirects a browser that has a session. Writes no rows. [D31] */
  const open: Handler = async (ctx, { view, token, page, session, now, suspended }) => {
    if (session) return seeOther(ctx, links(token).review())
    if (ctx.query['left'] === '1') return sendPage(ctx, 200, <LeftPage {...page} token={token} />)
    const form = { token, formToken: formTokens.issue(token, now) }
    if (suspended) return sendPage(ctx, 403, <SuspendedPage {...page} form={form} />)
    const hasEnded = ctx.query['notice'] === 'session-ended'
    const kept = hasEnded && ceremony.keptNames.read(ctx.get('cookie'), view.contractId, now)
    const notice = kept ? 'session_ended_typed_name_kept' : hasEnded ? 'session_ended' : undefined
    sendPage(ctx, 200, <OpenPage {...page} contract={summaryOf(view)} form={form} notice={notice} />)
  }

  /** The form "Send me a code". */
  const requestCode: Handler = async (ctx, request) => {
    const { view, token, page, now, suspended } = request
    const fields = await readForm(ctx)
    if (!ceremony.isOwnForm(ctx)) return refuseForm(ctx, request)
    const typed = (fields.get('email') ?? '').trim()
    const isOld = !formTokens.verify(fields.get('formToken'), token, now)
    const error = addressFormError(typed, isOld)
    const showAgain = (status: number, error: AddressError): void => {
      const form: OpenPageProps['form'] = { token, formToken: formTokens.issue(token, now), email: typed, error }
      if (suspended) return sendPage(ctx, status, <SuspendedPage {...page} form={form} />)
      sendPage(ctx, status, <OpenPage {...page} contract={summaryOf(view)} form={form} />)
    }
    if (error) return showAgain(422, error)
    return createChallenge(ceremony, ctx, request, { typed, isResend: false, onBusy: () => showAgain(503, 'busy') })
  }

  /** Redirects a GET of a form's path, which has no page, to the opened link. */
  const backToStart: Handler = async (ctx, { token }) => seeOther(ctx, links(token).open)

  return { open, requestCode, backToStart }
}

/** Creates a challenge and redirects to its page. Beyond the client's limit, sends the page with the time to try again. */
async function createChallenge(
  { codes, https }: Ceremony,
  ctx: Context,
  { view, token, page, now }: CeremonyRequest,
  { onBusy, ...asked }: { typed: string; isResend: boolean; onBusy: () => void },
): Promise<void> {
  const { browser, set } = browserCookie(ctx.get('cookie'), CEREMONY_BROWSER, { https })
  addCookie(ctx, set)
  const created = await codes.request(view, { ...asked, browser }, visitorOf(ctx))
  if ('challengeId' in created) return seeOther(ctx, links(token).challenge(created.challengeId))
  if ('isBusy' in created) {
    ctx.set('Retry-After', String(BUSY_RETRY_SECONDS))
    return onBusy()
  }
  const { tryAgainAt } = created
  setRetryAfter(ctx, tryAgainAt, now)
  const { timeZone, contractNumber } = view
  sendPage(ctx, 429, <WaitPage {...page} {...{ timeZone, contractNumber }} tryAgainAt={nextMinute(tryAgainAt)} />)
}

/** Handlers for the code page and its two forms. */
export function createCodeHandlers(ceremony: Ceremony) {
  const { codes, mail, formTokens, cookies } = ceremony

  /** Page 2, the same for parties and strangers. */
  const showChallenge: Handler = async (ctx, request) => {
    const { view, token, session, parameters } = request
    const challenge = await codes.find(view.contractId, parameters['challenge'] ?? '')
    if (session && !isForAnother(challenge, session)) return seeOther(ctx, links(token).review())
    if (!challenge) return seeOther(ctx, links(token).open)
    sendCodePage(ctx, request, challenge, stateOfChallenge(challenge, mail.isDelayed()))
  }

  /** The form with the typed code. */
  const checkCode: Handler = async (ctx, request) => {
    const { view, token, session, now, parameters } = request
    const fields = await readForm(ctx)
    if (!ceremony.isOwnForm(ctx)) return refuseForm(ctx, request)
    const challengeId = parameters['challenge'] ?? ''
    // After a double click or in a second tab, the mailbox is already verified. In a shared browser, the session may be another mailbox's.
    if (session && !isForAnother(await codes.find(view.contractId, challengeId), session))
      return seeOther(ctx, links(token).review())
    const typed = fields.get('code') ?? ''
    if (!formTokens.verify(fields.get('formToken'), token, now))
      return sendStaleForm(ctx, request, await codes.find(view.contractId, challengeId), typed)
    const { browser } = browserCookie(ctx.get('cookie'), CEREMONY_BROWSER, ceremony)
    const outcome = await codes.verify(view, challengeId, typed, visitorOf(ctx), browser)
    if (!outcome) return seeOther(ctx, links(token).open)
    if (outcome.kind === 'verified') {
      if (session) await endSession(ceremony.database, session.id)
      const started = { scope: view.contractId, value: outcome.session.token, maxAgeSeconds: SESSION_TTL_SECONDS }
      addCookie(ctx, ...cookies.write(ctx.get('cookie'), started, now))
      // By the flag, the review page distinguishes a browser that dropped the cookie from a first visit.
      return seeOther(ctx, `${links(token).review()}?check=cookie`)
    }
    const next =
      outcome.kind === 'expired' ? await replaceCode(view, outcome.challenge, browser, visitorOf(ctx)) : undefined
    const state = stateOfOutcome(outcome, typed, next)
    sendCodePage(ctx, request, next ?? outcome.challenge, state, keepsInput(state) ? typed : undefined)
  }

  /** Requests a new code in place of an expired code. @returns its challenge; undefined if the client has reached its limit */
  async function replaceCode(view: ContractView, { typed }: Challenge, browser: string, visitor: Visitor) {
    const created = await codes.request(view, { typed, isResend: true, browser }, visitor)
    return 'challengeId' in created ? codes.find(view.contractId, created.challengeId) : undefined
  }

  /** The form "Send a new code": creates a challenge with five new tries. The three newest codes stay valid until they expire. */
  const resend: Handler = async (ctx, request) => {
    const { view, token, now } = request
    const fields = await readForm(ctx)
    if (!ceremony.isOwnForm(ctx)) return refuseForm(ctx, request)
    const before = await codes.find(view.contractId, fields.get('challenge') ?? '')
    if (!before) return seeOther(ctx, links(token).open)
    if (!formTokens.verify(fields.get('formToken'), token, now)) return sendStaleForm(ctx, request, before)
    const onBusy = () => sendCodePage(ctx, request, before, { kind: 'busy' })
    return createChallenge(ceremony, ctx, request, { typed: before.typed, isResend: true, onBusy })
  }

  /** Answers a form that is more than a day old: sends the code page again, with the typed code and a new form token. */
  function sendStaleForm(
    ctx: Context,
    request: CeremonyRequest,
    challenge: Challenge | undefined,
    typed?: string,
  ): void {
    if (!challenge) return seeOther(ctx, links(request.token).open)
    sendCodePage(ctx, request, challenge, stateOfOldForm(challenge, mail.isDelayed()), typed)
  }

  function sendCodePage(
    ctx: Context,
    { view, token, page, now }: CeremonyRequest,
    challenge: Challenge,
    state: CodeState,
    typed?: string,
  ): void {
    const formToken = formTokens.issue(token, now)
    const retryAt = retryAtOf(state, now)
    if (retryAt) setRetryAfter(ctx, retryAt, now)
    sendPage(
      ctx,
      CODE_STATUS[state.kind],
      <CodePage
        {...page}
        {...{ token, formToken, state, code: typed, digits: challenge.digits }}
        challenge={challenge.id}
        email={challenge.typed}
        senderName={view.senderName}
        timeZone={view.timeZone}
      />,
    )
  }

  return { showChallenge, checkCode, resend }
}

/** True if the browser's session belongs to another mailbox than the challenge. */
const isForAnother = (challenge: Challenge | undefined, session: MailboxSession): boolean =>
  challenge !== undefined && challenge.mailbox !== session.mailbox
