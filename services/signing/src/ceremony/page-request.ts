// Reads from a request what every page of the ceremony needs: language, address, client.
import type { Context } from 'koa'
import { INTERNAL_HEADERS } from '@paraph/protocol/internal-headers'
import { chooseLocale, isLocale } from '@paraph/web/locale'
import { localeCookie, readLocaleCookie } from '@paraph/web/cookies'
import type { ContractView } from '../clients/contract-view.js'
import { links, pageOf } from './pages/frame/links.js'
import type { ContractSummary } from './pages/review/contract-rows.js'
import type { PageProps } from './pages/frame/ceremony-frame.js'
import type { Visitor } from '../chain/entry.js'

/** The evidence holds no more of a user agent. */
const USER_AGENT_LENGTH_MAX = 500

/** The props that every page takes. Stores a language chosen by `?lang` in its cookie. */
export function pagePropsOf(
  ctx: Context,
  styleHref: string,
  { https, statusUrl }: { https: boolean; statusUrl: string | undefined },
  link?: { token: string; view: ContractView },
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
    styleHref,
    path: samePage(ctx),
    sandbox: view?.environment === 'sandbox',
    reportHref: link && links(link.token).report,
    statusHref: statusUrl,
  }
}

/** Query parameters that belong to a page's address in any language. `check` does not: it serves one request only. */
const PAGE_QUERY = { party: /^\d{1,2}$/, sent: /^1$/, left: /^1$/, notice: /^session-ended$/ }

/** The address of this page, for the link to it in the other language. */
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
