// What stands after a signature: the page, the text to keep, the way out. [ceremony 7, 8, 9, D33, D37]
import { readForm } from '@paraph/web/form-body'
import type { Ceremony, Step } from './ceremony.js'
import { partiesOf, type ContractFacts } from './contract-facts.js'
import { readLines, readOpenings } from './evidence-chain.js'
import { readChain } from './evidence-story.js'
import { instantOrNull, linesOf } from './in-session.js'
import { openingsOf, writeOpenings } from './openings.js'
import { DonePage } from './pages/done-page.js'
import { links } from './pages/links.js'
import { OnHoldPage } from './pages/on-hold-page.js'
import { seeOther, sendPage } from '@paraph/web/page-answer'
import { addCookie, shownFacts } from './page-request.js'
import { readCopy, readCopies, readJws } from './seal-queue.js'
import { readSignedText } from './signed-text.js'
import { endSession, type MailboxSession } from '@paraph/codes/mailbox-session'

/** The steps after signing. */
export function createDoneSteps(ceremony: Ceremony) {
  const { database, contract, signing, formTokens, cookies, mailsCopies } = ceremony

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
        copies={await readCopies(database, facts.contractId)}
        mailsCopies={mailsCopies}
        nextRole={next === undefined ? undefined : { index: next, role: facts.parties[next]!.role }}
      />,
    )
  }

  /** The exact bytes that are signed. */
  const text: Step = async (ctx, { facts, token, page, session, onHold }) => {
    if (!session) return seeOther(ctx, links(token).open)
    if (onHold && !hasSigned(facts, session)) return sendPage(ctx, 403, <OnHoldPage {...page} />)
    const content = await readSignedText(contract, facts)
    ctx.set('Content-Disposition', `attachment; filename="contract.txt"`)
    ctx.type = 'text/plain; charset=utf-8'
    ctx.body = content ?? ''
  }

  /** The sealed PDF. Before it is there the page says so; whoever has no signature here sees neither. */
  const copy: Step = async (ctx, { facts, token, session }) => {
    if (!session) return seeOther(ctx, links(token).open)
    const pdf = hasSigned(facts, session) ? await readCopy(database, facts.contractId) : undefined
    if (!pdf) return seeOther(ctx, links(token).done())
    ctx.set('Content-Disposition', `attachment; filename="${facts.contractNumber}.pdf"`)
    ctx.type = 'application/pdf'
    ctx.body = pdf
  }

  /** The signed chain; it names nobody. */
  const evidence: Step = async (ctx, { facts, token, session }) => {
    if (!session) return seeOther(ctx, links(token).open)
    const jws = hasSigned(facts, session) ? await readJws(database, facts.contractId) : undefined
    if (jws === undefined) return seeOther(ctx, links(token).done())
    ctx.set('Content-Disposition', 'attachment; filename="evidence.jws"')
    ctx.type = 'application/jose'
    ctx.body = `${jws}\n`
  }

  /** What opens the entries that are about this mailbox, for nobody else; the names with it. [D30] */
  const openings: Step = async (ctx, { facts, token, session }) => {
    if (!session) return seeOther(ctx, links(token).open)
    const isSealed = hasSigned(facts, session) && (await readJws(database, facts.contractId)) !== undefined
    if (!isSealed) return seeOther(ctx, links(token).done())
    const chain = readChain(await readLines(database, facts.contractId))
    if ('fault' in chain) throw new Error('the chain of the contract is broken')
    const own = { mailbox: session.mailbox, partyIndexes: partiesOf(facts, session.mailbox) }
    ctx.set('Content-Disposition', 'attachment; filename="openings.txt"')
    ctx.type = 'text/plain; charset=utf-8'
    ctx.body = writeOpenings(openingsOf(await readOpenings(database, facts.contractId), chain.entries, own))
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

  return { done, text, copy, evidence, openings, leave }
}

const hasSigned = (facts: ContractFacts, { mailbox }: MailboxSession): boolean =>
  partiesOf(facts, mailbox).some((index) => facts.parties[index]!.signedAt)
