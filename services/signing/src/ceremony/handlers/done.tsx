// The handlers after a signature: the done page, the downloads, and "Finish and leave". [ceremony 7, 8, 9, D33, D37]
import { CEREMONY_BROWSER, clearCookie } from '@paraph/web/cookies'
import type { Context } from 'koa'
import { readForm, wholeNumberOf } from '@paraph/web/form-body'
import { addCookie, type Ceremony, type Handler, instantOrNull, partyLinesOf, summaryOf } from '../page-request.js'
import { type ContractView, hasSigned, type MailboxParty, partiesOf, readSignedText } from '../../clients/contract.js'
import { readLines, readDisclosures } from '../../chain/chain-store.js'
import { readChain } from '../../chain/chain-reader.js'
import { disclosuresOf, writeDisclosures } from '../../chain/disclosures.js'
import { readText } from '@paraph/web/contract-text/read-text'
import { DonePage } from '../pages/done/done-page.js'
import { SignedTextPage } from '../pages/review/signed-text-page.js'
import { links } from '../pages/frame/links.js'
import { SuspendedPage } from '../pages/outcome/suspended-page.js'
import { seeOther, sendPage } from '@paraph/web/page-answer'
import { isSealed, readCopies } from '../../sealing/queue.js'
import { endSession, type MailboxSession } from '@paraph/codes/mailbox-session'

export function createDoneHandlers(ceremony: Ceremony) {
  const { database, contract, documents, signing, formTokens, cookies, mailsCopies } = ceremony

  /** Pages 7 and 8. A bookmark works until the session ends. */
  const done: Handler = async (ctx, { view, token, page, session, suspended }) => {
    if (!session) return seeOther(ctx, links(token).open)
    const own = partiesOf(view, session.mailbox)
    const party = signedPartyOf(ctx, own)
    if (!party) return seeOther(ctx, links(token).review())
    const next = own.find((each) => !hasSigned(each))
    sendPage(
      ctx,
      200,
      <DonePage
        {...page}
        {...{ token, contract: summaryOf(view), contentSha256: view.contentSha256, suspended }}
        formToken={formTokens.issueForSession(session.id)}
        parties={partyLinesOf(view, party.index)}
        own={{
          role: party.role,
          typedName: (await signing.typedNameOf(view.contractId, party.index)) ?? party.legalName,
          signedAt: new Date(party.signedAt),
          partyIndex: own.length > 1 ? party.index : undefined,
        }}
        completedAt={instantOrNull(view.completedAt)}
        contentBytes={view.contentBytes}
        copies={await readCopies(database, view.contractId)}
        mailsCopies={mailsCopies}
        nextRole={suspended ? undefined : next}
      />,
    )
  }

  /** The text as this party signed it, to read or print. */
  const signedText: Handler = async (ctx, { view, token, page, session }) => {
    if (!session) return seeOther(ctx, links(token).open)
    const own = partiesOf(view, session.mailbox)
    const party = signedPartyOf(ctx, own)
    if (!party) return seeOther(ctx, links(token).review())
    const { role, legalName, signedAt, index } = party
    const partyIndex = own.length > 1 ? index : undefined
    sendPage(
      ctx,
      200,
      <SignedTextPage
        {...page}
        {...{ token, contract: summaryOf(view), contentSha256: view.contentSha256 }}
        parties={partyLinesOf(view, index)}
        text={readText((await readSignedText(contract, view)) ?? '')}
        own={{ role, legalName, signedAt: new Date(signedAt), partyIndex }}
      />,
    )
  }

  /** The exact bytes that the parties sign. */
  const text: Handler = async (ctx, { view, token, page, session, suspended }) => {
    if (!session) return seeOther(ctx, links(token).open)
    if (suspended && !partiesOf(view, session.mailbox).some(hasSigned))
      return sendPage(ctx, 403, <SuspendedPage {...page} />)
    sendFile(ctx, 'contract.txt', 'text/plain; charset=utf-8', (await readSignedText(contract, view)) ?? '')
  }

  /** A download for a mailbox that has signed. For others, or if `read` finds no file, redirects to the done page. */
  const sealedFile =
    (type: string, nameOf: (view: ContractView) => string, read: ReadFile): Handler =>
    async (ctx, { view, token, session }) => {
      if (!session) return seeOther(ctx, links(token).open)
      const body = partiesOf(view, session.mailbox).some(hasSigned) ? await read(view, session) : undefined
      if (body === undefined) return seeOther(ctx, links(token).done())
      sendFile(ctx, nameOf(view), type, body)
    }

  const copy = sealedFile(
    'application/pdf',
    ({ contractNumber }) => `${contractNumber}.pdf`,
    ({ contractId }) => documents.readPdf(contractId),
  )

  /** The signed evidence chain, which contains no names. */
  const evidence = sealedFile(
    'application/jose',
    () => 'evidence.jws',
    async ({ contractId }) => {
      const jws = await documents.readJws(contractId)
      return jws && `${jws}\n`
    },
  )

  /** The names of all parties, and the other disclosures of this mailbox's entries only. [D30] */
  const disclosures = sealedFile(
    'text/plain; charset=utf-8',
    () => 'openings.txt',
    async (view, { mailbox }) => {
      const { contractId } = view
      if (!(await isSealed(database, contractId))) return undefined
      const chain = readChain(await readLines(database, contractId))
      if ('fault' in chain) throw new Error('the evidence chain of the contract is broken')
      const own = { mailbox, partyIndexes: partiesOf(view, mailbox).map(({ index }) => index) }
      return writeDisclosures(disclosuresOf(await readDisclosures(database, contractId), chain.entries, own))
    },
  )

  /** The form "Finish and leave". */
  const leave: Handler = async (ctx, { view, token, session }) => {
    const fields = await readForm(ctx)
    if (session && ceremony.isOwnForm(ctx) && formTokens.verifyForSession(fields.get('formToken'), session.id)) {
      await endSession(database, session.id)
      const forgotten = [cookies.clear(view.contractId), clearCookie(CEREMONY_BROWSER.name, ceremony)]
      addCookie(ctx, ...forgotten, ceremony.keptNames.forget())
    }
    seeOther(ctx, `${links(token).open}?left=1`)
  }

  return { done, signedText, text, copy, evidence, disclosures, leave }
}

/** The signed party of the mailbox that the address names, or the first. */
function signedPartyOf(ctx: Context, own: readonly MailboxParty[]) {
  const signed = own.filter(hasSigned)
  const wanted = 'party' in ctx.query ? wholeNumberOf(ctx.query['party']) : signed[0]?.index
  return signed.find(({ index }) => index === wanted)
}

type ReadFile = (view: ContractView, session: MailboxSession) => Promise<string | Buffer | undefined>

function sendFile(ctx: Context, name: string, type: string, body: string | Buffer): void {
  ctx.set('Content-Disposition', `attachment; filename="${name}"`)
  ctx.type = type
  ctx.body = body
}
