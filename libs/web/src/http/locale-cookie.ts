// The cookie that stores a language chosen by `?lang=`. It holds `en` or `fr` and nothing about the person. [D25]
import { cookieName, parseCookies, serializeCookie } from './cookies.js'
import type { Locale } from '../text/locale.js'

const LOCALE_COOKIE = 'lang'
const YEAR_SECONDS = 31_536_000

/** The cookie's value, for `chooseLocale`; undefined without a cookie. */
export const readLocaleCookie = (header: string | undefined, https: boolean): string | undefined =>
  parseCookies(header).get(cookieName(LOCALE_COOKIE, https))

/** The `Set-Cookie` value that stores `locale` for a year. */
export const localeCookie = (locale: Locale, https: boolean): string =>
  serializeCookie({ name: LOCALE_COOKIE, value: locale, maxAgeSeconds: YEAR_SECONDS }, { https })
