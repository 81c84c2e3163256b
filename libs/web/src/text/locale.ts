// Chooses the language of a page. Owns the two locales, the order of preference and the plural rule. Pure. [D25]

export const LOCALES = ['en', 'fr'] as const
export type Locale = (typeof LOCALES)[number]

/** The full tag for `lang` attributes and Intl: British English, Canadian French. */
export const LANGUAGE_TAG: Record<Locale, string> = { en: 'en-GB', fr: 'fr-CA' }

/** Each language's own name. */
export const LANGUAGE_NAME: Record<Locale, string> = { en: 'English', fr: 'Français' }

export function isLocale(value: unknown): value is Locale {
  return value === 'en' || value === 'fr'
}

/** The language of the link that a page offers. */
export function otherLocale(locale: Locale): Locale {
  return locale === 'en' ? 'fr' : 'en'
}

/**
 * The first of: `?lang`, the cookie, Accept-Language, the account's language. [D25]
 * For `account`, `en+fr` (a setting for mail) means English on a page. Unknown values count as absent.
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

/** The same page in `locale`: sets or replaces `lang` in the query of a local path. */
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
    // The strict comparison keeps the first of equals, and drops q=0 and NaN.
    if (isLocale(primary) && weight > bestWeight) [best, bestWeight] = [primary, weight]
  }
  return best
}

const RULES = { en: new Intl.PluralRules('en'), fr: new Intl.PluralRules('fr') }

/** True for a count that takes the singular: 1 in English; 0, 1 and 1.5 in French. */
export function isSingular(count: number, locale: Locale): boolean {
  return RULES[locale].select(count) === 'one'
}

/** A count with its noun, such as `1 line` and `1,204 lines`. @param nouns for one, and for more */
export function counted(count: number, locale: Locale, [one, many]: readonly [one: string, many: string]): string {
  return `${count.toLocaleString(LANGUAGE_TAG[locale])} ${isSingular(count, locale) ? one : many}`
}
