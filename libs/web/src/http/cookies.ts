// Cookies of the pages. Owns names, attributes, parsing, the cap on signing sessions and the language cookie. [D25, D33]
// Values are opaque, URL-safe strings.
import { randomBytes } from 'node:crypto'
import type { Locale } from '../text/locale.js'

/** A subset of what RFC 6265 allows in a value; any other character is a bug of the caller. */
const VALUE = /^[\w.~-]*$/

/** Name → value of a `Cookie` header. The first of equal names wins; a malformed piece is skipped. */
export function parseCookies(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const raw of (header ?? '').split(';')) {
    const piece = raw.trim()
    const at = piece.indexOf('=')
    if (at < 1) continue
    const name = piece.slice(0, at).trim()
    if (!cookies.has(name)) cookies.set(name, piece.slice(at + 1).trim())
  }
  return cookies
}

/** `__Host-<name>` on https: a sister domain cannot set such a cookie. Plain http (local) has no such prefix. */
export function cookieName(name: string, https: boolean): string {
  return https ? `__Host-${name}` : name
}

/** A `Set-Cookie` value: HttpOnly, SameSite=Lax, Path=/, and Secure on https. Without `maxAgeSeconds` it ends with the browser. */
export function serializeCookie(
  cookie: { name: string; value: string; maxAgeSeconds?: number },
  config: { https: boolean },
): string {
  if (!VALUE.test(cookie.value)) throw new Error(`Cookie ${cookie.name} has a value that a header cannot carry.`)
  const attributes = [`${cookieName(cookie.name, config.https)}=${cookie.value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax']
  if (cookie.maxAgeSeconds !== undefined) attributes.push(`Max-Age=${cookie.maxAgeSeconds}`)
  if (config.https) attributes.push('Secure')
  return attributes.join('; ')
}

/** A `Set-Cookie` value that deletes the cookie. */
export function clearCookie(name: string, config: { https: boolean }): string {
  return serializeCookie({ name, value: '', maxAgeSeconds: 0 }, config)
}

/**
 * The cookie that recognises a browser: 256 random bits, which prove nothing but that two requests came from the same browser.
 * `set` is the `Set-Cookie` value that stores it, or stores it for longer.
 */
export function browserCookie(
  header: string | undefined,
  { name, maxAgeSeconds }: { name: string; maxAgeSeconds: number },
  config: { https: boolean },
): { browser: string; isSent: boolean; set: string } {
  const sent = parseCookies(header).get(cookieName(name, config.https)) ?? ''
  const isSent = /^[\w-]{43}$/.test(sent)
  const browser = isSent ? sent : randomBytes(32).toString('base64url')
  return { browser, isSent, set: serializeCookie({ name, value: browser, maxAgeSeconds }, config) }
}

/** The cookie of a browser that requests codes of contracts, in the form of `browserCookie`. */
export const CEREMONY_BROWSER = { name: 'sign-browser', maxAgeSeconds: 86_400 }

/** Signing sessions in one browser: every request carries these cookies, and 16 KiB of headers is answered with 431. [D33] */
export const CEREMONY_COOKIES_MAX = 20
const CEREMONY_PREFIX = 'sign-'

/**
 * The cookies of signing sessions, one per contract. `scope` is the contract's part of the cookie name (letters, digits, hyphen).
 * Each value starts with the second in which it was set, so that "oldest" does not depend on the browser's order.
 */
export function createCeremonyCookies(config: { https: boolean }) {
  const prefix = cookieName(CEREMONY_PREFIX, config.https)
  return {
    /** The session value for this contract, or undefined. */
    read(header: string | undefined, scope: string): string | undefined {
      const value = parseCookies(header).get(`${prefix}${scope}`)
      const at = value?.indexOf('.') ?? -1
      return at === -1 ? undefined : value?.slice(at + 1)
    },

    /** `Set-Cookie` values: the new session, then the oldest ones beyond the cap cleared. */
    write(
      header: string | undefined,
      session: { scope: string; value: string; maxAgeSeconds: number },
      now: Date,
    ): string[] {
      const setAt = Math.floor(now.getTime() / 1000).toString(36)
      const name = `${CEREMONY_PREFIX}${session.scope}`
      const kept = new Set([name, CEREMONY_BROWSER.name].map((each) => cookieName(each, config.https)))
      const others = [...parseCookies(header)]
        .filter(([other]) => other.startsWith(prefix) && !kept.has(other))
        .map(([other, value]) => ({ name: other.slice(prefix.length), setAt: secondsOf(value) }))
        .sort((one, two) => two.setAt - one.setAt)
      return [
        serializeCookie({ name, value: `${setAt}.${session.value}`, maxAgeSeconds: session.maxAgeSeconds }, config),
        ...others
          .slice(CEREMONY_COOKIES_MAX - 1)
          .map((other) => clearCookie(`${CEREMONY_PREFIX}${other.name}`, config)),
      ]
    },

    /** The `Set-Cookie` value that ends the session for this contract in this browser. */
    clear: (scope: string): string => clearCookie(`${CEREMONY_PREFIX}${scope}`, config),
  }
}

export type CeremonyCookies = ReturnType<typeof createCeremonyCookies>

function secondsOf(value: string): number {
  const seconds = Number.parseInt(value.split('.', 1)[0] ?? '', 36)
  return Number.isNaN(seconds) ? 0 : seconds
}

const LOCALE_COOKIE = 'lang'
const YEAR_SECONDS = 31_536_000

/** The cookie's value, for `chooseLocale`; undefined without a cookie. */
export const readLocaleCookie = (header: string | undefined, https: boolean): string | undefined =>
  parseCookies(header).get(cookieName(LOCALE_COOKIE, https))

/** The `Set-Cookie` value that stores `locale` for a year. */
export const localeCookie = (locale: Locale, https: boolean): string =>
  serializeCookie({ name: LOCALE_COOKIE, value: locale, maxAgeSeconds: YEAR_SECONDS }, { https })
