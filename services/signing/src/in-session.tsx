// What the steps share: whose parties they show, where a signature is shown, what is said when a form could not be used.
import type { Context } from 'koa'
import type { PartyLine } from '@paraph/web/signature-line'
import type { CeremonyRequest } from './ceremony.js'
import { partiesOf, type ContractFacts } from './contract-facts.js'
import { ChangedPage, type ChangedPageProps } from './pages/changed-page.js'
import type { PageProps } from './pages/ceremony-frame.js'
import { links } from './pages/links.js'
import { TroublePage, type SignatureKnowledge } from './pages/trouble-page.js'
import { sendPage } from '@paraph/web/page-answer'
import type { MailboxSession } from '@paraph/codes/mailbox-session'

/** A request whose mailbox is proven. */
export type InSession = CeremonyRequest & { session: MailboxSession }

/** All parties in the order of the contract. */
export const linesOf = (facts: ContractFacts, you: number): PartyLine[] =>
  facts.parties.map(({ role, legalName, signedAt }, index) => ({
    role,
    legalName,
    hasSigned: signedAt !== null,
    isYou: index === you,
  }))

/** Where this party's signature is shown; the address names the party only where the mailbox has several. */
export const doneOf = ({ facts, token, session }: InSession, partyIndex: number): string =>
  links(token).done(partiesOf(facts, session.mailbox).length > 1 ? partyIndex : undefined)

export const instantOrNull = (instant: string | null): Date | null => (instant === null ? null : new Date(instant))

/** Whoever reads "a moment ago" was reading when it happened, or came within this. */
const MOMENT_MS = 600_000

/** Page 6c: nothing was recorded for this party. */
export function sendChanged(
  ctx: Context,
  request: InSession,
  reason: Exclude<ChangedPageProps['reason'], 'form'>,
  partyIndex: number,
): void {
  const { facts, token, page, now } = request
  const since = { cancelled: facts.cancelledAt, expired: facts.expiresAt, on_hold: null, text: null }[reason]
  const isLongAgo = since !== null && now.getTime() - Date.parse(since) > MOMENT_MS
  const asRole = roleOf(request, partyIndex)
  sendPage(ctx, 409, <ChangedPage {...page} {...{ token, reason, asRole, isLongAgo }} senderName={facts.senderName} />)
}

/** The role, where the mailbox has several and must be told which. */
export const roleOf = ({ facts, session }: InSession, partyIndex: number): string | undefined =>
  partiesOf(facts, session.mailbox).length > 1 ? facts.parties[partyIndex]?.role : undefined

/** A form too old or not ours: nothing was done with it. */
export function refuseForm(
  ctx: Context,
  { facts, token, page }: Pick<CeremonyRequest, 'facts' | 'token' | 'page'>,
): void {
  sendPage(ctx, 403, <ChangedPage {...page} token={token} senderName={facts.senderName} reason="form" />)
}

/** Page 16 after the form that signs. */
export function sendTrouble(ctx: Context, page: PageProps, signature: SignatureKnowledge): void {
  const requestId = ctx.state['requestId'] as string
  ctx.set('Retry-After', '30')
  sendPage(ctx, 503, <TroublePage {...page} signature={signature} requestId={requestId} />)
}
