// Shared by the handlers: the parties as lines, the place of a signature, the pages for a form that was not used.
import type { Context } from 'koa'
import type { PartyLine } from '@paraph/web/signature-line'
import type { CeremonyRequest } from './ceremony-context.js'
import { partiesOf, type ContractView } from '../clients/contract-view.js'
import { ChangedPage, type ChangedPageProps } from './pages/done/changed-page.js'
import type { PageProps } from './pages/frame/ceremony-frame.js'
import { links } from './pages/frame/links.js'
import { ErrorPage, type SignatureKnowledge } from './pages/outcome/trouble-page.js'
import { sendPage } from '@paraph/web/page-answer'
import type { MailboxSession } from '@paraph/codes/mailbox-session'

/** A request whose mailbox is verified. */
export type InSession = CeremonyRequest & { session: MailboxSession }

/** All parties in the order of the contract. */
export const partyLinesOf = (view: ContractView, you: number): PartyLine[] =>
  view.parties.map(({ role, legalName, signedAt }, index) => ({
    role,
    legalName,
    hasSigned: signedAt !== null,
    isYou: index === you,
  }))

/** The page that shows this party's signature; its address names the party only if the mailbox has several. */
export const doneOf = ({ view, token, session }: InSession, partyIndex: number): string =>
  links(token).done(partiesOf(view, session.mailbox).length > 1 ? partyIndex : undefined)

export const instantOrNull = (instant: string | null): Date | null => (instant === null ? null : new Date(instant))

/** Up to this age the page says "a moment ago". */
const MOMENT_MS = 600_000

/** Sends page 6c: nothing was recorded for this party. */
export function sendChanged(
  ctx: Context,
  request: InSession,
  reason: Exclude<ChangedPageProps['reason'], 'form'>,
  partyIndex: number,
): void {
  const { view, token, page, now } = request
  const since = { cancelled: view.cancelledAt, expired: view.expiresAt, suspended: null, text: null }[reason]
  const isLongAgo = since !== null && now.getTime() - Date.parse(since) > MOMENT_MS
  const asRole = roleOf(request, partyIndex)
  sendPage(ctx, 409, <ChangedPage {...page} {...{ token, reason, asRole, isLongAgo }} senderName={view.senderName} />)
}

/** The party's role, for a mailbox with several; undefined for a mailbox with one. */
export const roleOf = ({ view, session }: InSession, partyIndex: number): string | undefined =>
  partiesOf(view, session.mailbox).length > 1 ? view.parties[partyIndex]?.role : undefined

/** Sends page 6c for a form that is too old or not ours; the form had no effect. */
export function refuseForm(
  ctx: Context,
  { view, token, page }: Pick<CeremonyRequest, 'view' | 'token' | 'page'>,
): void {
  sendPage(ctx, 403, <ChangedPage {...page} token={token} senderName={view.senderName} reason="form" />)
}

/** Sends page 16 after the form that signs. */
export function sendErrorPage(ctx: Context, page: PageProps, signature: SignatureKnowledge): void {
  const { requestId } = ctx.state
  ctx.set('Retry-After', '30')
  sendPage(ctx, 503, <ErrorPage {...page} signature={signature} requestId={requestId} />)
}
