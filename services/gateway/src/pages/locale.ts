// Which language a page of the gateway speaks to whoever asks for it. [D25]
import type { Context } from 'koa'
import { chooseLocale, isLocale, type Locale } from '@paraph/web/locale'
import { localeCookie, readLocaleCookie } from '@paraph/web/locale-cookie'

/** First of: `?lang`, the cookie, Accept-Language; else English. @param https whether people reach the site by https */
export function localeOf(ctx: Context, https: boolean): Locale {
  return chooseLocale({
    query: askedLanguage(ctx),
    cookie: readLocaleCookie(ctx.headers.cookie, https),
    acceptLanguage: ctx.get('accept-language'),
  })
}

/** Remembers a language chosen by `?lang`, for a year. */
export function rememberLocale(ctx: Context, https: boolean): void {
  const asked = askedLanguage(ctx)
  if (isLocale(asked)) ctx.append('Set-Cookie', localeCookie(asked, https))
}

const askedLanguage = (ctx: Context): string | undefined =>
  new URLSearchParams(ctx.querystring).get('lang') ?? undefined
