// The language of a page of the gateway for a request. [D25]
import type { Context } from 'koa'
import { chooseLocale, isLocale, type Locale } from '@paraph/web/locale'
import { localeCookie, readLocaleCookie } from '@paraph/web/cookies'

/** The first of `?lang`, the cookie and Accept-Language, or English. @param https whether people reach the site by https */
export function localeOf(ctx: Context, https: boolean): Locale {
  return chooseLocale({
    query: queryLanguage(ctx),
    cookie: readLocaleCookie(ctx.headers.cookie, https),
    acceptLanguage: ctx.get('accept-language'),
  })
}

/** Stores the language of `?lang` in a cookie for a year. */
export function setLocaleCookie(ctx: Context, https: boolean): void {
  const language = queryLanguage(ctx)
  if (isLocale(language)) ctx.append('Set-Cookie', localeCookie(language, https))
}

const queryLanguage = (ctx: Context): string | undefined =>
  new URLSearchParams(ctx.querystring).get('lang') ?? undefined
