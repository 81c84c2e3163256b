// The handler of "Sign the contract": validates the form, signs, and sends the page for each outcome.
// [ceremony 6e, 6c, 14, 16, D26, D41]
import type { Context } from 'koa'
import { readForm, type FormFields } from '@paraph/web/form-body'
import { isLocale } from '@paraph/web/locale'
import type { Ceremony, CeremonyRequest, Handler } from '../ceremony-context.js'
import { partiesOf } from '../../clients/contract-view.js'
import { doneOf, refuseForm, roleOf, sendChanged, sendErrorPage, type InSession } from '../in-session.js'
import { CONSENT } from '../../signature/consent-text.js'
import { links } from '../pages/frame/links.js'
import { seeOther } from '@paraph/web/page-answer'
import { addCookie, visitorOf } from '../page-request.js'
import type { ReviewHandler } from './review.js'
import type { SignOutcome } from '../../signature/sign.js'
import { isNameOf } from '../typed-name.js'

/** @param showReview sends the form again, with its errors */
export function createSignHandler(ceremony: Ceremony, showReview: ReviewHandler['showReview']) {
  const { signing, formTokens, keptNames } = ceremony

  const sign: Handler = async (ctx, original) => {
    const fields = await readForm(ctx)
    const { session } = original
    if (!session) return endedMidWay(ctx, original, fields)
    // The language in which the consent was read, even if another tab has changed it since. [D30]
    const shownIn = fields.get('language')
    const page = isLocale(shownIn) ? { ...original.page, locale: shownIn } : original.page
    const request: InSession = { ...original, page, session }
    const { view, token, suspended } = request
    if (!ceremony.isOwnForm(ctx) || !formTokens.verifyForSession(fields.get('formToken'), session.id)) {
      return refuseForm(ctx, request)
    }
    const partyIndex = Number(fields.get('partyIndex') ?? Number.NaN)
    const party = view.parties[partyIndex]
    if (!party || !partiesOf(view, session.mailbox).includes(partyIndex)) return seeOther(ctx, links(token).review())
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
      return showReview(ctx, request, partyIndex, 422, { typedName, hasConsented, errors })
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
      // The attempt was given up after a response was lost: nothing was signed, and the review page creates a new attempt.
      case 'given_up':
        return sendErrorPage(ctx, page, { kind: 'nothing_signed', asRole: roleOf(request, partyIndex) })
      case 'unknown_party':
      case 'unknown_contract':
      case 'not_due':
      case 'not_final':
        throw new Error(`the contract service refused a signature: ${outcome.reason}`)
    }
  }

  function toDone(ctx: Context, request: InSession, partyIndex: number): void {
    addCookie(ctx, keptNames.forget())
    seeOther(ctx, doneOf(request, partyIndex))
  }

  /** The session ended while the form was open. The typed name returns after the new code; the tick does not. [ceremony 14] */
  function endedMidWay(ctx: Context, { view, token, now }: CeremonyRequest, fields: FormFields): void {
    const typedName = (fields.get('typedName') ?? '').trim()
    const partyIndex = Number(fields.get('partyIndex') ?? Number.NaN)
    const cookie = ceremony.isOwnForm(ctx) ? keptNames.keep(view.contractId, { partyIndex, typedName }, now) : undefined
    if (cookie !== undefined) addCookie(ctx, cookie)
    seeOther(ctx, `${links(token).open}?notice=session-ended`)
  }

  return sign
}
