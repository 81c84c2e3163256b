// What every page of the ceremony knows of its request: language, look, visitor.
import type { Context } from 'koa'
import { INTERNAL_HEADERS } from '@paraph/protocol/caller'
import { chooseLocale, isLocale } from '@paraph/web/locale'
import { localeCookie, readLocaleCookie } from '@paraph/web/locale-cookie'
import type { ContractFacts } from './contract-facts.js'
import { links, pageOf } from './pages/links.js'
import type { ContractFactsProps } from './pages/contract-facts.js'
import type { PageProps } from './pages/ceremony-frame.js'
import type { Visitor } from './verification-code.js'

/** A user agent is evidence only as far as it is short. */
const USER_AGENT_LENGTH_MAX = 500

/** The props that every page takes; remembers a language chosen by `?lang`. */
export function pagePropsOf(
  ctx: Context,
  styleHref: string,
  { https, statusUrl }: { https: boolean; statusUrl: string | undefined },
  link?: { token: string; facts: ContractFacts },
): PageProps {
  const facts = link?.facts
  const query = typeof ctx.query['lang'] === 'string' ? ctx.query['lang'] : undefined
  const locale = chooseLocale({
    query,
    cookie: readLocaleCookie(ctx.get('cookie'), https),
    acceptLanguage: ctx.get('accept-language'),
    account: facts?.language,
  })
  if (isLocale(query)) addCookie(ctx, localeCookie(query, https))
  return {
    locale,
    styleHref,
    path: samePage(ctx),
    sandbox: facts?.environment === 'sandbox',
    reportHref: link && links(link.token).report,
    statusHref: statusUrl,
  }
}

/** What may stand behind `?` of a page's address: it belongs to the page, in any language. `check` has done its work. */
const KEPT = { party: /^\d{1,2}$/, sent: /^1$/, left: /^1$/, notice: /^session-ended$/ }

/** The address of the page, for the link to it in the other language. */
function samePage(ctx: Context): string {
  const kept = new URLSearchParams()
  for (const [name, pattern] of Object.entries(KEPT)) {
    const value = ctx.query[name]
    if (typeof value === 'string' && pattern.test(value)) kept.set(name, value)
  }
  const path = pageOf(ctx.path)
  return kept.size === 0 ? path : `${path}?${kept.toString()}`
}

/** Who asks, as the gateway saw them. */
export function visitorOf(ctx: Context): Visitor {
  return {
    clientAddress: ctx.get(INTERNAL_HEADERS.clientAddress) || 'unknown',
    userAgent: ctx.get('user-agent').slice(0, USER_AGENT_LENGTH_MAX),
  }
}

/** The facts that whoever holds the link may see. [D29] */
export const shownFacts = (facts: ContractFacts): ContractFactsProps => ({
  senderName: facts.senderName,
  accountName: facts.accountName,
  contractType: facts.contractType,
  contractNumber: facts.contractNumber,
  expiresAt: new Date(facts.expiresAt),
  timeZone: facts.timeZone,
})

/** Adds `Set-Cookie` values to the answer. */
export function addCookie(ctx: Context, ...cookies: string[]): void {
  ctx.append('Set-Cookie', cookies)
}
