// Code that the ceremony's handlers share: their dependencies, the type of a request, the props of every page, the visitor, and the pages
// for a form that had no effect.
import type { Context } from 'koa'
import type { Brand } from '@paraph/protocol/brand'
import { INTERNAL_HEADERS } from '@paraph/protocol/internal-headers'
import { chooseLocale, isLocale } from '@paraph/web/locale'
import { localeCookie, readLocaleCookie } from '@paraph/web/cookies'
import { type ContractClient, type ContractView, partiesOf } from '../clients/contract.js'
import { links, pageOf } from './pages/frame/links.js'
import type { ContractSummary } from './pages/identify/identify-pages.js'
import type { PageProps } from './pages/frame/ceremony-frame.js'
import type { Visitor } from '../chain/entry.js'
import type { PartyLine } from '@paraph/web/signature-line'
import {
  ChangedPage,
  type ChangedPageProps,
  ErrorPage,
  type SignatureKnowledge,
} from './pages/outcome/outcome-pages.js'
import { sendPage } from '@paraph/web/page-answer'
import type { MailboxSession } from '@paraph/codes/mailbox-session'
import type { Kysely } from 'kysely'
import type { Clock } from '@paraph/background/store-clock'
import type { CeremonyCookies } from '@paraph/web/cookies'
import type { FormTokens } from '@paraph/web/form-token'
import type { SigningDatabase } from '../database.js'
import type { KeptNames } from './kept-name.js'
import type { MailHealth, VerificationCodes } from '../codes/verification-code.js'
import type { Documents } from '../documents/documents.js'
import type { Decline } from '../decline/decline.js'
import type { Brands } from '../brand/brands.js'
import type { Reports } from '../reports/report.js'
import type { Signing } from '../signature/sign.js'
import type { Checks } from '../verify/checks.js'

/** The evidence stores at most this many characters of a user agent. */
const USER_AGENT_LENGTH_MAX = 500

/** The props that every page takes. Stores the language of `?lang` in the language cookie. */
export function pagePropsOf(
  ctx: Context,
  assets: Pick<PageProps, 'styleHref' | 'scriptHref'>,
  { https, statusUrl, footName }: Pick<Ceremony, 'https' | 'statusUrl' | 'footName'>,
  link?: { token: string; view: ContractView; brand: Brand | null },
): PageProps {
  const view = link?.view
  const query = typeof ctx.query['lang'] === 'string' ? ctx.query['lang'] : undefined
  const locale = chooseLocale({
    query,
    cookie: readLocaleCookie(ctx.get('cookie'), https),
    acceptLanguage: ctx.get('accept-language'),
    account: view?.language,
  })
  if (isLocale(query)) addCookie(ctx, localeCookie(query, https))
  return {
    locale,
    ...assets,
    path: samePage(ctx),
    sandbox: view && sandboxOf(view),
    reportHref: link && links(link.token).report,
    statusHref: statusUrl,
    footName,
    brand: link?.brand ? { ...link.brand, name: link.view.accountName } : undefined,
  }
}

/** The end of a sandbox contract, without a time if it has ended; undefined for a production contract. */
function sandboxOf({
  environment,
  status,
  linkIsOver,
  erasedAt,
  expiresAt,
  timeZone,
}: ContractView): PageProps['sandbox'] {
  if (environment !== 'sandbox') return undefined
  const hasEnded = linkIsOver || status === 'cancelled' || erasedAt !== null
  return { endsAt: hasEnded ? undefined : new Date(expiresAt), timeZone }
}

/** Query parameters, and their valid values, that the link to the other language keeps. Omits `check`, which is for one request only. */
const PAGE_QUERY = { party: /^\d{1,2}$/, sent: /^1$/, left: /^1$/, notice: /^session-ended$/ }

/** The address of this page, for the link to the other language. */
function samePage(ctx: Context): string {
  const query = new URLSearchParams()
  for (const [name, pattern] of Object.entries(PAGE_QUERY)) {
    const value = ctx.query[name]
    if (typeof value === 'string' && pattern.test(value)) query.set(name, value)
  }
  const path = pageOf(ctx.path)
  return query.size === 0 ? path : `${path}?${query.toString()}`
}

export function visitorOf(ctx: Context): Visitor {
  return {
    clientAddress: ctx.get(INTERNAL_HEADERS.clientAddress) || 'unknown',
    userAgent: ctx.get('user-agent').slice(0, USER_AGENT_LENGTH_MAX),
  }
}

/** The data of a contract that a link holder may see. [D29] */
export const summaryOf = (view: ContractView): ContractSummary => ({
  senderName: view.senderName,
  accountName: view.accountName,
  contractType: view.contractType,
  contractNumber: view.contractNumber,
  expiresAt: new Date(view.expiresAt),
  timeZone: view.timeZone,
})

export function addCookie(ctx: Context, ...cookies: string[]): void {
  ctx.append('Set-Cookie', cookies)
}

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

/** The address of the page that shows this party's signature. Contains the party's index only if the mailbox has several roles. */
export const doneOf = ({ view, token, session }: InSession, partyIndex: number): string =>
  links(token).done(partiesOf(view, session.mailbox).length > 1 ? partyIndex : undefined)

export const instantOrNull = (instant: string | null): Date | null => (instant === null ? null : new Date(instant))

/** Maximum age that the page calls "a moment ago". */
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

/** The party's role, for a mailbox with several roles; undefined for a mailbox with one role. */
export const roleOf = ({ view, session }: InSession, partyIndex: number): string | undefined =>
  partiesOf(view, session.mailbox).length > 1 ? view.parties[partyIndex]?.role : undefined

/** Sends page 6c for a form that is too old or from another site. The form had no effect. */
export function refuseForm(ctx: Context, { view, token, page }: CeremonyRequest): void {
  sendPage(ctx, 403, <ChangedPage {...page} token={token} senderName={view.senderName} reason="form" />)
}

/** Sends page 16, the error page, with what is known about a signature. */
export function sendErrorPage(ctx: Context, page: PageProps, signature: SignatureKnowledge): void {
  const { requestId } = ctx.state
  ctx.set('Retry-After', '30')
  sendPage(ctx, 503, <ErrorPage {...page} signature={signature} requestId={requestId} />)
}

export interface Ceremony {
  database: Kysely<SigningDatabase>
  contract: ContractClient
  documents: Documents
  codes: VerificationCodes
  mail: Pick<MailHealth, 'isDelayed'>
  signing: Signing
  decline: Decline
  formTokens: FormTokens
  cookies: CeremonyCookies
  keptNames: KeptNames
  /** Host of the share links, named on the page about cookies. */
  host: string
  https: boolean
  /** The operator's status page, linked at the foot of every page. */
  statusUrl: string | undefined
  /** The name of the installation in the foot of pages. */
  footName: string
  /** The approved brands of accounts. */
  brands: Brands
  /** The operator's address for mail about misuse and personal data. */
  operatorAddress: string | undefined
  /** Whether the notification service mails the sealed PDF. [D24] */
  mailsCopies: boolean
  reports: Reports
  checks: Checks
  /** The clock of the database. */
  now: Clock
  /** False when the browser names another site as the sender of the form. */
  isOwnForm: (ctx: Context) => boolean
}

export interface CeremonyRequest {
  /** The share token from the path. */
  token: string
  view: ContractView
  page: PageProps
  session: MailboxSession | undefined
  /** The time of the database's clock, read once for the whole request. */
  now: Date
  /** The account is suspended: nothing can be signed, a party who has signed can fetch the copy, and pages name nobody. [D37] */
  suspended: boolean
  /** The parameters of the route's path template. */
  parameters: Readonly<Record<string, string>>
}

/** Answers one method and path of the ceremony. */
export type Handler = (ctx: Context, request: CeremonyRequest) => Promise<void>
