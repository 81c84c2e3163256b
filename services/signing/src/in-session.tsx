// What the steps inside a session share: whose parties they show, where a signature is shown, what is said when it cannot be.
import type { Context } from 'koa'
import type { PartyLine } from '@paraph/web/signature-line'
import type { CeremonyRequest } from './ceremony.js'
import { partiesOf, type ContractFacts } from './contract-facts.js'
import { ChangedPage, type ChangedPageProps } from './pages/changed-page.js'
import type { PageProps } from './pages/ceremony-frame.js'
import { links } from './pages/links.js'
import { TroublePage, type SignatureKnowledge } from './pages/trouble-page.js'
import { sendPage } from './page-request.js'
import type { SigningSession } from './signing-session.js'

/** A request whose mailbox is proven. */
export type InSession = CeremonyRequest & { session: SigningSession }

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

/** Page 6c: nothing was recorded. */
export function sendChanged(
  ctx: Context,
  { facts, token, page }: CeremonyRequest,
  status: 403 | 409,
  reason: ChangedPageProps['reason'],
): void {
  sendPage(ctx, status, <ChangedPage {...page} token={token} senderName={facts.senderName} reason={reason} />)
}

/** Page 16 after the form that signs. */
export function sendTrouble(ctx: Context, page: PageProps, signature: SignatureKnowledge): void {
  const requestId = ctx.state['requestId'] as string
  ctx.set('Retry-After', '30')
  sendPage(ctx, 503, <TroublePage {...page} signature={signature} requestId={requestId} />)
}
