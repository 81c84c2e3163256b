// Which language a page speaks. Owns: the two locales, the order of choice, the cookie that remembers it. [D25]
// Pure: the request's parts come in as strings. Does not own the words (dictionary).

export const LOCALES = ['en', 'fr'] as const
export type Locale = (typeof LOCALES)[number]

/** The cookie that remembers a choice made with `?lang=`. It holds `en` or `fr` and nothing about the person. */
export const LOCALE_COOKIE = 'lang'

/** The full tag for `lang` attributes and Intl: British English, Canadian French. */
export const LANGUAGE_TAG: Record<Locale, string> = { en: 'en-GB', fr: 'fr-CA' }

/** Each language's name in itself. */
export const LANGUAGE_NAME: Record<Locale, string> = { en: 'English', fr: 'Français' }

/** True for `en` and `fr`, nothing else. */
export function isLocale(value: unknown): value is Locale {
  return value === 'en' || value === 'fr'
}

/** The language a page's link offers. */
export function otherLocale(locale: Locale): Locale {
  return locale === 'en' ? 'fr' : 'en'
}

/**
 * First of: `?lang`, the cookie, Accept-Language, the account's language. [D25]
 * `account` is the account's setting; `en+fr` (both, a setting for mail) reads as English on a page.
 * Unknown values count as absent, so a broken link or cookie never breaks a page.
 */
export function chooseLocale(request: {
  query?: string | undefined
  cookie?: string | undefined
  acceptLanguage?: string | undefined
  account?: string | undefined
}): Locale {
  if (isLocale(request.query)) return request.query
  if (isLocale(request.cookie)) return request.cookie
  return localeOfHeader(request.acceptLanguage ?? '') ?? (request.account === 'fr' ? 'fr' : 'en')
}

/** The path of the same page in `locale`: sets or replaces `lang` in the query. `path` is a local path with an optional query. */
export function pathInLocale(path: string, locale: Locale): string {
  const [bare = '', query = ''] = path.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.set('lang', locale)
  return `${bare}?${parameters.toString()}`
}

function localeOfHeader(header: string): Locale | undefined {
  let best: Locale | undefined
  let bestWeight = 0
  for (const range of header.split(',', 20)) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
    const primary = tag.split('-', 1)[0]?.toLowerCase()
    const quality = parameters.find((parameter) => parameter.toLowerCase().startsWith('q='))
    const weight = quality === undefined ? 1 : Number(quality.slice(2))
    // A strict comparison keeps the first of equals, and drops q=0 and anything that is not a number.
    if (isLocale(primary) && weight > bestWeight) [best, bestWeight] = [primary, weight]
  }
  return best
}
