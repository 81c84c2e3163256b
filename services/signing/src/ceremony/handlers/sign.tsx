// "Sign the contract": what is checked before, and what the person reads after. [ceremony 6e, 6c, 14, 16, D26, D41]
import type { Context } from 'koa'
import { readForm, type FormFields } from '@paraph/web/form-body'
import { isLocale } from '@paraph/web/locale'
import type { Ceremony, CeremonyRequest, Step } from './ceremony.js'
import { partiesOf } from './contract-facts.js'
import { doneOf, refuseForm, roleOf, sendChanged, sendTrouble, type InSession } from './in-session.js'
import { CONSENT } from './pages/consent-text.js'
import { links } from './pages/links.js'
import { seeOther } from '@paraph/web/page-answer'
import { addCookie, visitorOf } from './page-request.js'
import type { ReviewStep } from './review-step.js'
import type { SignOutcome } from './sign.js'
import { isNameOf } from './typed-name.js'

/** @param showReview shows the form again, with its errors */
export function createSignStep(ceremony: Ceremony, showReview: ReviewStep['showReview']) {
  const { signing, formTokens, keptNames } = ceremony

  const sign: Step = async (ctx, asked) => {
    const fields = await readForm(ctx)
    const { session } = asked
    if (!session) return endedMidWay(ctx, asked, fields)
    // The language that the consent was read in, whatever another tab has chosen since. [D30]
    const shownIn = fields.get('language')
    const page = isLocale(shownIn) ? { ...asked.page, locale: shownIn } : asked.page
    const request: InSession = { ...asked, page, session }
    const { facts, token, onHold } = request
    if (!ceremony.isOwnForm(ctx) || !formTokens.verifyForSession(fields.get('formToken'), session.id)) {
      return refuseForm(ctx, request)
    }
    const partyIndex = Number(fields.get('partyIndex') ?? Number.NaN)
    const party = facts.parties[partyIndex]
    if (!party || !partiesOf(facts, session.mailbox).includes(partyIndex)) return seeOther(ctx, links(token).review())
    if (party.signedAt) return toDone(ctx, request, partyIndex)
    if (facts.status === 'cancelled' || facts.status === 'expired')
      return sendChanged(ctx, request, facts.status, partyIndex)
    const isOtherText = fields.get('contentSha256') !== facts.contentSha256
    if (onHold || isOtherText) {
      // Whatever these facts say, another tab's signature may have landed since they were asked for.
      if (await signing.mayHaveSigned(facts.contractId, partyIndex)) return sendTrouble(ctx, page, { kind: 'unknown' })
      return sendChanged(ctx, request, onHold ? 'on_hold' : 'text', partyIndex)
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
    answer(ctx, request, partyIndex, await signing.sign(session, facts, form, visitorOf(ctx)))
  }

  function answer(ctx: Context, request: InSession, partyIndex: number, outcome: SignOutcome): void {
    const { facts, page, token } = request
    switch (outcome.kind) {
      case 'accepted':
        return toDone(ctx, request, partyIndex)
      case 'recorded_only':
        addCookie(ctx, keptNames.forget())
        return sendTrouble(ctx, page, { kind: 'recorded', at: outcome.signedAt, timeZone: facts.timeZone })
      case 'unknown':
        return sendTrouble(ctx, page, { kind: 'unknown' })
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
      // The attempt was given up after an answer got lost: nothing was signed, and the review page has a new one.
      case 'given_up':
        return sendTrouble(ctx, page, { kind: 'nothing_signed', asRole: roleOf(request, partyIndex) })
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

  /** The session ended while somebody was reading: what they typed comes back after the new code, the box does not. [ceremony 14] */
  function endedMidWay(ctx: Context, { facts, token, now }: CeremonyRequest, fields: FormFields): void {
    const typedName = (fields.get('typedName') ?? '').trim()
    const partyIndex = Number(fields.get('partyIndex') ?? Number.NaN)
    const cookie = ceremony.isOwnForm(ctx)
      ? keptNames.keep(facts.contractId, { partyIndex, typedName }, now)
      : undefined
    if (cookie !== undefined) addCookie(ctx, cookie)
    seeOther(ctx, `${links(token).open}?notice=session-ended`)
  }

  return sign
}
