// From a proven mailbox to the text: which role, what is signed, the form that signs it. [ceremony 4, 5, 6, 15]
import type { Context } from 'koa'
import type { Ceremony, Step } from './ceremony.js'
import { partiesOf } from './contract-facts.js'
import { readText } from './contract-text/read-text.js'
import { instantOrNull, linesOf, sendTrouble, type InSession } from './in-session.js'
import { CookiesPage } from './pages/cookies-page.js'
import { links } from './pages/links.js'
import { OnHoldPage } from './pages/on-hold-page.js'
import { ReviewPage } from './pages/review-page.js'
import { SignAsPage } from './pages/sign-as-page.js'
import type { SignatureFormProps } from './pages/signature-form.js'
import { seeOther, sendPage } from '@paraph/web/page-answer'
import { shownFacts } from './page-request.js'
import { readSignedText } from './signed-text.js'

/** The review step, and its page for the form that comes back with errors. */
export function createReviewStep(ceremony: Ceremony) {
  const { contract, signing, formTokens, keptNames } = ceremony

  /** The text, and the form that signs it. */
  const review: Step = async (ctx, request) => {
    const { facts, token, page, session, now, onHold } = request
    if (!session) {
      if (ctx.query['check'] === 'cookie')
        return sendPage(ctx, 200, <CookiesPage {...page} host={ceremony.host} token={token} />)
      return seeOther(ctx, links(token).open)
    }
    // The cookie came back: the flag has done its work and leaves the address.
    if (ctx.query['check'] === 'cookie') return seeOther(ctx, links(token).review())
    const own = partiesOf(facts, session.mailbox)
    const leave = { token, formToken: formTokens.issueForSession(session.id) }
    if (onHold && !own.some((index) => facts.parties[index]!.signedAt)) {
      // Somebody else who shares this browser may have signed.
      const form = { token, formToken: formTokens.issue(token, now) }
      return sendPage(ctx, 403, <OnHoldPage {...page} form={form} leave={leave} />)
    }
    if (onHold) return seeOther(ctx, links(token).done())
    const asked = Number(ctx.query['party'] ?? (own.length === 1 ? own[0] : Number.NaN))
    if (!own.includes(asked)) {
      const roles = own.map((index) => ({
        index,
        ...facts.parties[index]!,
        signedAt: instantOrNull(facts.parties[index]!.signedAt),
      }))
      return sendPage(ctx, 200, <SignAsPage {...page} {...leave} roles={roles} timeZone={facts.timeZone} />)
    }
    if (facts.parties[asked]!.signedAt) return seeOther(ctx, links(token).done(own.length > 1 ? asked : undefined))
    // Where the answer to a signature did not come: the link says so until it knows. [D41]
    if (await signing.isOnItsWay(facts.contractId, asked)) return sendTrouble(ctx, page, { kind: 'unknown' })
    // A HEAD is a scanner's: it is shown nothing, so nothing was shown. [D31]
    if (ctx.method === 'HEAD') return void (ctx.status = 200)
    const kept = keptNames.read(ctx.get('cookie'), facts.contractId, now)
    const typedName = kept?.partyIndex === asked ? kept.typedName : undefined
    await showReview(ctx, { ...request, session }, asked, 200, { typedName })
  }

  /** Pages 5 and 6, or 6e with what was typed. Notes that the text was shown. */
  async function showReview(
    ctx: Context,
    { facts, token, page, session }: InSession,
    partyIndex: number,
    status: number,
    typed: Pick<SignatureFormProps, 'typedName' | 'hasConsented' | 'errors'>,
  ): Promise<void> {
    const content = await readSignedText(contract, facts)
    const signAttemptId = await signing.prepare(session, facts, partyIndex, page.locale)
    const party = facts.parties[partyIndex]!
    const form: SignatureFormProps = {
      ...typed,
      ...{ token, signAttemptId, contentSha256: facts.contentSha256, senderName: facts.senderName },
      formToken: formTokens.issueForSession(session.id),
      party: { index: partyIndex, role: party.role, legalName: party.legalName },
    }
    const hasOtherRoles = partiesOf(facts, session.mailbox).length > 1
    sendPage(
      ctx,
      status,
      <ReviewPage
        {...page}
        {...{ form, hasOtherRoles, text: readText(content ?? ''), facts: shownFacts(facts) }}
        parties={linesOf(facts, partyIndex)}
      />,
    )
  }

  /** A form's own address has no page. */
  const backToReview: Step = async (ctx, { token }) => seeOther(ctx, links(token).review())

  return { review, showReview, backToReview }
}

export type ReviewStep = ReturnType<typeof createReviewStep>
