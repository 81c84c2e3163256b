// What stands after a signature: the page, the text to keep, the way out. [ceremony 7, 8, 9, D33, D37]
import { readForm } from '@paraph/web/form-body'
import type { Ceremony, Step } from './ceremony.js'
import { partiesOf } from './contract-facts.js'
import { instantOrNull, linesOf } from './in-session.js'
import { DonePage } from './pages/done-page.js'
import { links } from './pages/links.js'
import { OnHoldPage } from './pages/on-hold-page.js'
import { addCookie, seeOther, sendPage, shownFacts } from './page-request.js'
import { endSession } from './signing-session.js'

/** The steps after signing. */
export function createDoneSteps(ceremony: Ceremony) {
  const { database, contract, signing, formTokens, cookies } = ceremony

  /** Signed and waiting, or all signed. Survives a bookmark as long as the session. */
  const done: Step = async (ctx, { facts, token, page, session, onHold }) => {
    if (!session) return seeOther(ctx, links(token).open)
    const own = partiesOf(facts, session.mailbox)
    const signed = own.filter((index) => facts.parties[index]!.signedAt)
    const asked = Number(ctx.query['party'] ?? signed[0] ?? Number.NaN)
    if (!signed.includes(asked)) return seeOther(ctx, links(token).review())
    const party = facts.parties[asked]!
    const next = onHold ? undefined : own.find((index) => !facts.parties[index]!.signedAt)
    sendPage(
      ctx,
      200,
      <DonePage
        {...page}
        {...{ token, facts: shownFacts(facts), contentSha256: facts.contentSha256, onHold }}
        formToken={formTokens.issueForSession(session.id)}
        parties={linesOf(facts, asked)}
        own={{
          role: party.role,
          typedName: (await signing.typedNameOf(facts.contractId, asked)) ?? party.legalName,
          signedAt: new Date(party.signedAt!),
          partyIndex: own.length > 1 ? asked : undefined,
        }}
        completedAt={instantOrNull(facts.completedAt)}
        contentBytes={facts.contentBytes}
        nextRole={next === undefined ? undefined : { index: next, role: facts.parties[next]!.role }}
      />,
    )
  }

  /** The exact bytes that are signed. */
  const text: Step = async (ctx, { facts, token, page, session, onHold }) => {
    if (!session) return seeOther(ctx, links(token).open)
    if (onHold && !partiesOf(facts, session.mailbox).some((index) => facts.parties[index]!.signedAt))
      return sendPage(ctx, 403, <OnHoldPage {...page} />)
    const { content } = await contract.ceremony.readText.query({ contractId: facts.contractId })
    ctx.set('Content-Disposition', `attachment; filename="${facts.contractNumber}.txt"`)
    ctx.type = 'text/plain; charset=utf-8'
    ctx.body = content ?? ''
  }

  /** "Finish and leave". */
  const leave: Step = async (ctx, { facts, token, session }) => {
    const fields = await readForm(ctx)
    if (session && ceremony.isOwnForm(ctx) && formTokens.verifyForSession(fields.get('formToken'), session.id)) {
      await endSession(database, session.id)
      addCookie(ctx, cookies.clear(facts.contractId), ceremony.keptNames.forget())
    }
    seeOther(ctx, `${links(token).open}?left=1`)
  }

  return { done, text, leave }
}
