// The handlers from a verified mailbox to a signature: choice of a role, text and signature form. The handler of "Sign the contract"
// validates the form, signs, and sends the page for the outcome. [ceremony 4, 5, 6, 14, 15, 16, D26, D41]
import type { Context } from 'koa'
import {
  addCookie,
  type Ceremony,
  type CeremonyRequest,
  doneOf,
  type Handler,
  type InSession,
  instantOrNull,
  partyLinesOf,
  refuseForm,
  roleOf,
  sendChanged,
  sendErrorPage,
  summaryOf,
  visitorOf,
} from '../page-request.js'
import { hasSigned, type MailboxParty, partiesOf, readSignedText } from '../../clients/contract.js'
import { readText } from '@paraph/web/contract-text/read-text'
import { CookiesPage } from '../pages/outcome/outcome-pages.js'
import { SuspendedPage } from '../pages/outcome/suspended-page.js'
import { links } from '../pages/frame/links.js'
import { ReviewPage, type SignatureFormProps } from '../pages/review/review-page.js'
import { SignAsPage } from '../pages/identify/identify-pages.js'
import { seeOther, sendPage } from '@paraph/web/page-answer'
import { type FormFields, readForm, wholeNumberOf } from '@paraph/web/form-body'
import { isLocale } from '@paraph/web/locale'
import { CONSENT } from '../../signature/consent-text.js'
import type { SignOutcome } from '../../signature/sign.js'
import { isNameOf } from '../typed-name.js'

/** The sign handler also uses `showReview`, to send a form with errors again. */
export function createReviewHandler(ceremony: Ceremony) {
  const { contract, signing, formTokens, keptNames } = ceremony

  /** Pages 4, 5 and 6. */
  const review: Handler = async (ctx, request) => {
    const { view, token, page, session, now, suspended } = request
    if (!session) {
      if (ctx.query['check'] === 'cookie')
        return sendPage(ctx, 200, <CookiesPage {...page} host={ceremony.host} token={token} />)
      return seeOther(ctx, links(token).open)
    }
    // The browser sent the cookie. Redirects to remove the flag from the address.
    if (ctx.query['check'] === 'cookie') return seeOther(ctx, links(token).review())
    const own = partiesOf(view, session.mailbox)
    const leave = { token, formToken: formTokens.issueForSession(session.id) }
    if (suspended && !own.some(hasSigned)) {
      // Another person who shares this browser may have signed, so the page offers the form for a copy.
      const form = { token, formToken: formTokens.issue(token, now) }
      return sendPage(ctx, 403, <SuspendedPage {...page} form={form} leave={leave} />)
    }
    if (suspended) return seeOther(ctx, links(token).done())
    const [only] = own.length === 1 ? own : []
    const partyIndex = 'party' in ctx.query ? wholeNumberOf(ctx.query['party']) : (only?.index ?? Number.NaN)
    const party = own.find(({ index }) => index === partyIndex)
    if (!party) {
      const roles = own.map((each) => ({ ...each, signedAt: instantOrNull(each.signedAt) }))
      return sendPage(ctx, 200, <SignAsPage {...page} {...leave} roles={roles} timeZone={view.timeZone} />)
    }
    if (party.signedAt) return seeOther(ctx, links(token).done(own.length > 1 ? partyIndex : undefined))
    // An earlier submission has no outcome yet. The page says so until an outcome is recorded. [D41]
    if (await signing.isPending(view.contractId, partyIndex)) return sendErrorPage(ctx, page, { kind: 'unknown' })
    // Link scanners send HEAD. A response to HEAD shows no text, so the chain must not record that the text was shown. [D31]
    if (ctx.method === 'HEAD') return void (ctx.status = 200)
    const keptName = keptNames.read(ctx.get('cookie'), view.contractId, now)
    const typedName = keptName?.partyIndex === partyIndex ? keptName.typedName : undefined
    await showReview(ctx, { ...request, session }, party, 200, { typedName })
  }

  /** Sends pages 5 and 6, or 6e with the typed values. Records that the text was shown. */
  async function showReview(
    ctx: Context,
    { view, token, page, session }: InSession,
    { index, role, legalName }: MailboxParty,
    status: number,
    typed: Pick<SignatureFormProps, 'typedName' | 'hasConsented' | 'errors'>,
  ): Promise<void> {
    const content = await readSignedText(contract, view)
    const signAttemptId = await signing.prepare(session, view, index, page.locale)
    const form: SignatureFormProps = {
      ...typed,
      token,
      signAttemptId,
      contentSha256: view.contentSha256,
      senderName: view.senderName,
      formToken: formTokens.issueForSession(session.id),
      party: { index, role, legalName },
    }
    const hasOtherRoles = partiesOf(view, session.mailbox).length > 1
    sendPage(
      ctx,
      status,
      <ReviewPage
        {...page}
        {...{ form, hasOtherRoles, text: readText(content ?? ''), contract: summaryOf(view) }}
        parties={partyLinesOf(view, index)}
      />,
    )
  }

  /** Redirects a GET of a form's path, which has no page, to the review page. */
  const backToReview: Handler = async (ctx, { token }) => seeOther(ctx, links(token).review())

  return { review, showReview, backToReview }
}

type ReviewHandler = ReturnType<typeof createReviewHandler>

/** @param showReview sends the form again, with its errors */
export function createSignHandler(ceremony: Ceremony, showReview: ReviewHandler['showReview']) {
  const { signing, formTokens, keptNames } = ceremony

  const sign: Handler = async (ctx, original) => {
    const fields = await readForm(ctx)
    const { session } = original
    if (!session) return endedMidWay(ctx, original, fields)
    // The language in which the person read the consent, even if another tab has changed the language since. [D30]
    const shownIn = fields.get('language')
    const page = isLocale(shownIn) ? { ...original.page, locale: shownIn } : original.page
    const request: InSession = { ...original, page, session }
    const { view, token, suspended } = request
    if (!ceremony.isOwnForm(ctx) || !formTokens.verifyForSession(fields.get('formToken'), session.id)) {
      return refuseForm(ctx, request)
    }
    const partyIndex = wholeNumberOf(fields.get('partyIndex'))
    const party = partiesOf(view, session.mailbox).find(({ index }) => index === partyIndex)
    if (!party) return seeOther(ctx, links(token).review())
    if (party.signedAt) return toDone(ctx, request, partyIndex)
    if (view.status === 'cancelled' || view.status === 'expired')
      return sendChanged(ctx, request, view.status, partyIndex)
    const isOtherText = fields.get('contentSha256') !== view.contentSha256
    if (suspended || isOtherText) {
      // A signature from another tab may have been recorded since the contract was queried.
      if (await signing.mayHaveSigned(view.contractId, partyIndex)) return sendErrorPage(ctx, page, { kind: 'unknown' })
      return sendChanged(ctx, request, suspended ? 'suspended' : 'text', partyIndex)
    }

    const typedName = (fields.get('typedName') ?? '').trim()
    const hasConsented = fields.get('consent') === 'yes'
    const errors = { consent: !hasConsented, typedName: !isNameOf(typedName, party.legalName) }
    if (errors.consent || errors.typedName) {
      return showReview(ctx, request, party, 422, { typedName, hasConsented, errors })
    }
    const consent = { id: CONSENT.id, text: CONSENT.text[page.locale], language: page.locale }
    const attemptId = fields.get('signAttemptId') ?? ''
    const form = { partyIndex, attemptId, typedName, consent }
    sendOutcome(ctx, request, partyIndex, await signing.sign(session, view, form, visitorOf(ctx)))
  }

  function sendOutcome(ctx: Context, request: InSession, partyIndex: number, outcome: SignOutcome): void {
    const { view, page, token } = request
    switch (outcome.kind) {
      case 'accepted':
        return toDone(ctx, request, partyIndex)
      case 'recorded_only':
        addCookie(ctx, keptNames.forget())
        return sendErrorPage(ctx, page, { kind: 'recorded', at: outcome.signedAt, timeZone: view.timeZone })
      case 'unknown':
        return sendErrorPage(ctx, page, { kind: 'unknown' })
      case 'no_such_attempt':
        return seeOther(ctx, links(token).review(partyIndex))
      case 'refused':
        break
    }
    switch (outcome.reason) {
      case 'already_signed':
      case 'signed':
        return toDone(ctx, request, partyIndex)
      case 'expired':
      case 'cancelled':
        return sendChanged(ctx, request, outcome.reason, partyIndex)
      case 'text_differs':
        return sendChanged(ctx, request, 'text', partyIndex)
      // After a lost response, the sweep gave up the attempt: nothing was signed. The review page gets a new attempt.
      case 'given_up':
        return sendErrorPage(ctx, page, { kind: 'nothing_signed', asRole: roleOf(request, partyIndex) })
      // The session is of the mailbox from before the correction, so it has ended. [D61]
      case 'readdressed':
        return seeOther(ctx, `${links(token).open}?notice=session-ended`)
      case 'unknown_party':
      case 'unknown_contract':
      case 'readdressed_too_often':
      case 'not_due':
      case 'not_final':
      case 'held':
        throw new Error(`the contract service refused a signature: ${outcome.reason}`)
    }
  }

  function toDone(ctx: Context, request: InSession, partyIndex: number): void {
    addCookie(ctx, keptNames.forget())
    seeOther(ctx, doneOf(request, partyIndex))
  }

  /** Handles a form whose session has ended. Keeps the typed name for the form after the new code, but not the tick. [ceremony 14] */
  function endedMidWay(ctx: Context, { view, token, now }: CeremonyRequest, fields: FormFields): void {
    const typedName = (fields.get('typedName') ?? '').trim()
    const partyIndex = wholeNumberOf(fields.get('partyIndex'))
    const cookie = ceremony.isOwnForm(ctx) ? keptNames.keep(view.contractId, { partyIndex, typedName }, now) : undefined
    if (cookie !== undefined) addCookie(ctx, cookie)
    seeOther(ctx, `${links(token).open}?notice=session-ended`)
  }

  return sign
}
