// The handlers after a signature: the page, the files to keep, the way out. [ceremony 7, 8, 9, D33, D37]
import { readForm } from '@paraph/web/form-body'
import type { Ceremony, Handler } from '../ceremony-context.js'
import { partiesOf, type ContractView } from '../../clients/contract-view.js'
import { readLines, readDisclosures } from '../../chain/chain-store.js'
import { readChain } from '../../chain/chain-reader.js'
import { instantOrNull, partyLinesOf } from '../in-session.js'
import { disclosuresOf, writeDisclosures } from '../../chain/disclosures.js'
import { DonePage } from '../pages/done/done-page.js'
import { links } from '../pages/frame/links.js'
import { SuspendedPage } from '../pages/outcome/suspended-page.js'
import { seeOther, sendPage } from '@paraph/web/page-answer'
import { addCookie, summaryOf } from '../page-request.js'
import { readCopy, readCopies, readJws } from '../../sealing/queue.js'
import { readSignedText } from '../../chain/signed-text.js'
import { endSession, type MailboxSession } from '@paraph/codes/mailbox-session'

export function createDoneHandlers(ceremony: Ceremony) {
  const { database, contract, signing, formTokens, cookies, mailsCopies } = ceremony

  /** Pages 7 and 8. A bookmark works as long as the session. */
  const done: Handler = async (ctx, { view, token, page, session, suspended }) => {
    if (!session) return seeOther(ctx, links(token).open)
    const own = partiesOf(view, session.mailbox)
    const signed = own.filter((index) => view.parties[index]!.signedAt)
    const partyIndex = Number(ctx.query['party'] ?? signed[0] ?? Number.NaN)
    if (!signed.includes(partyIndex)) return seeOther(ctx, links(token).review())
    const party = view.parties[partyIndex]!
    const next = suspended ? undefined : own.find((index) => !view.parties[index]!.signedAt)
    sendPage(
      ctx,
      200,
      <DonePage
        {...page}
        {...{ token, contract: summaryOf(view), contentSha256: view.contentSha256, suspended }}
        formToken={formTokens.issueForSession(session.id)}
        parties={partyLinesOf(view, partyIndex)}
        own={{
          role: party.role,
          typedName: (await signing.typedNameOf(view.contractId, partyIndex)) ?? party.legalName,
          signedAt: new Date(party.signedAt!),
          partyIndex: own.length > 1 ? partyIndex : undefined,
        }}
        completedAt={instantOrNull(view.completedAt)}
        contentBytes={view.contentBytes}
        copies={await readCopies(database, view.contractId)}
        mailsCopies={mailsCopies}
        nextRole={next === undefined ? undefined : { index: next, role: view.parties[next]!.role }}
      />,
    )
  }

  /** The exact bytes that the parties sign. */
  const text: Handler = async (ctx, { view, token, page, session, suspended }) => {
    if (!session) return seeOther(ctx, links(token).open)
    if (suspended && !hasSigned(view, session)) return sendPage(ctx, 403, <SuspendedPage {...page} />)
    const content = await readSignedText(contract, view)
    ctx.set('Content-Disposition', `attachment; filename="contract.txt"`)
    ctx.type = 'text/plain; charset=utf-8'
    ctx.body = content ?? ''
  }

  /** The sealed PDF, for a party who has signed; before it is ready, redirects to the page that says so. */
  const copy: Handler = async (ctx, { view, token, session }) => {
    if (!session) return seeOther(ctx, links(token).open)
    const pdf = hasSigned(view, session) ? await readCopy(database, view.contractId) : undefined
    if (!pdf) return seeOther(ctx, links(token).done())
    ctx.set('Content-Disposition', `attachment; filename="${view.contractNumber}.pdf"`)
    ctx.type = 'application/pdf'
    ctx.body = pdf
  }

  /** The signed evidence chain; it names nobody. */
  const evidence: Handler = async (ctx, { view, token, session }) => {
    if (!session) return seeOther(ctx, links(token).open)
    const jws = hasSigned(view, session) ? await readJws(database, view.contractId) : undefined
    if (jws === undefined) return seeOther(ctx, links(token).done())
    ctx.set('Content-Disposition', 'attachment; filename="evidence.jws"')
    ctx.type = 'application/jose'
    ctx.body = `${jws}\n`
  }

  /** The disclosures of the entries about this mailbox only, with the names. [D30] */
  const disclosures: Handler = async (ctx, { view, token, session }) => {
    if (!session) return seeOther(ctx, links(token).open)
    const isSealed = hasSigned(view, session) && (await readJws(database, view.contractId)) !== undefined
    if (!isSealed) return seeOther(ctx, links(token).done())
    const chain = readChain(await readLines(database, view.contractId))
    if ('fault' in chain) throw new Error('the evidence chain of the contract is broken')
    const own = { mailbox: session.mailbox, partyIndexes: partiesOf(view, session.mailbox) }
    ctx.set('Content-Disposition', 'attachment; filename="openings.txt"')
    ctx.type = 'text/plain; charset=utf-8'
    ctx.body = writeDisclosures(disclosuresOf(await readDisclosures(database, view.contractId), chain.entries, own))
  }

  /** The form "Finish and leave". */
  const leave: Handler = async (ctx, { view, token, session }) => {
    const fields = await readForm(ctx)
    if (session && ceremony.isOwnForm(ctx) && formTokens.verifyForSession(fields.get('formToken'), session.id)) {
      await endSession(database, session.id)
      addCookie(ctx, cookies.clear(view.contractId), ceremony.keptNames.forget())
    }
    seeOther(ctx, `${links(token).open}?left=1`)
  }

  return { done, text, copy, evidence, disclosures, leave }
}

const hasSigned = (view: ContractView, { mailbox }: MailboxSession): boolean =>
  partiesOf(view, mailbox).some((index) => view.parties[index]!.signedAt)
