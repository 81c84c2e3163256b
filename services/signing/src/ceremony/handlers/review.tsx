// The handlers from a verified mailbox to the text: choice of role, text, signature form. [ceremony 4, 5, 6, 15]
import type { Context } from 'koa'
import type { Ceremony, Handler } from '../ceremony-context.js'
import { partiesOf } from '../../clients/contract-view.js'
import { readText } from '../../contract-text/read-text.js'
import { instantOrNull, partyLinesOf, sendErrorPage, type InSession } from '../in-session.js'
import { CookiesPage } from '../pages/help/cookies-page.js'
import { links } from '../pages/frame/links.js'
import { SuspendedPage } from '../pages/outcome/suspended-page.js'
import { ReviewPage } from '../pages/review/review-page.js'
import { SignAsPage } from '../pages/identify/sign-as-page.js'
import type { SignatureFormProps } from '../pages/review/signature-form.js'
import { seeOther, sendPage } from '@paraph/web/page-answer'
import { summaryOf } from '../page-request.js'
import { readSignedText } from '../../chain/signed-text.js'

/** `showReview` also serves the sign handler, for a form with errors. */
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
    // The browser sent the cookie, so the flag is no longer needed in the address.
    if (ctx.query['check'] === 'cookie') return seeOther(ctx, links(token).review())
    const own = partiesOf(view, session.mailbox)
    const leave = { token, formToken: formTokens.issueForSession(session.id) }
    if (suspended && !own.some((index) => view.parties[index]!.signedAt)) {
      // Another person who shares this browser may have signed, so the form for a copy is shown.
      const form = { token, formToken: formTokens.issue(token, now) }
      return sendPage(ctx, 403, <SuspendedPage {...page} form={form} leave={leave} />)
    }
    if (suspended) return seeOther(ctx, links(token).done())
    const partyIndex = Number(ctx.query['party'] ?? (own.length === 1 ? own[0] : Number.NaN))
    if (!own.includes(partyIndex)) {
      const roles = own.map((index) => ({
        index,
        ...view.parties[index]!,
        signedAt: instantOrNull(view.parties[index]!.signedAt),
      }))
      return sendPage(ctx, 200, <SignAsPage {...page} {...leave} roles={roles} timeZone={view.timeZone} />)
    }
    if (view.parties[partyIndex]!.signedAt)
      return seeOther(ctx, links(token).done(own.length > 1 ? partyIndex : undefined))
    // An earlier signature has no outcome yet; the link says so until the outcome is known. [D41]
    if (await signing.isPending(view.contractId, partyIndex)) return sendErrorPage(ctx, page, { kind: 'unknown' })
    // Link scanners send HEAD. It shows no text, so the chain must not record that the text was shown. [D31]
    if (ctx.method === 'HEAD') return void (ctx.status = 200)
    const keptName = keptNames.read(ctx.get('cookie'), view.contractId, now)
    const typedName = keptName?.partyIndex === partyIndex ? keptName.typedName : undefined
    await showReview(ctx, { ...request, session }, partyIndex, 200, { typedName })
  }

  /** Sends pages 5 and 6, or 6e with the typed values. Records that the text was shown. */
  async function showReview(
    ctx: Context,
    { view, token, page, session }: InSession,
    partyIndex: number,
    status: number,
    typed: Pick<SignatureFormProps, 'typedName' | 'hasConsented' | 'errors'>,
  ): Promise<void> {
    const content = await readSignedText(contract, view)
    const signAttemptId = await signing.prepare(session, view, partyIndex, page.locale)
    const party = view.parties[partyIndex]!
    const form: SignatureFormProps = {
      ...typed,
      token,
      signAttemptId,
      contentSha256: view.contentSha256,
      senderName: view.senderName,
      formToken: formTokens.issueForSession(session.id),
      party: { index: partyIndex, role: party.role, legalName: party.legalName },
    }
    const hasOtherRoles = partiesOf(view, session.mailbox).length > 1
    sendPage(
      ctx,
      status,
      <ReviewPage
        {...page}
        {...{ form, hasOtherRoles, text: readText(content ?? ''), contract: summaryOf(view) }}
        parties={partyLinesOf(view, partyIndex)}
      />,
    )
  }

  /** The path of a form has no page of its own. */
  const backToReview: Handler = async (ctx, { token }) => seeOther(ctx, links(token).review())

  return { review, showReview, backToReview }
}

export type ReviewHandler = ReturnType<typeof createReviewHandler>
