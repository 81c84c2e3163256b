import { describe, expect, it } from '@jest/globals'
import { chooseLocale, counted, pathInLocale } from './locale.js'

describe('the language of a page [D25]', () => {
  it.each([
    ['?lang before everything', { query: 'en', cookie: 'fr', acceptLanguage: 'fr', account: 'fr' }, 'en'],
    ['the cookie before the browser', { cookie: 'fr', acceptLanguage: 'en', account: 'en' }, 'fr'],
    ['the browser before the account', { acceptLanguage: 'fr-CA,fr;q=0.9,en;q=0.8', account: 'en' }, 'fr'],
    ['the account last', { acceptLanguage: 'de', account: 'fr' }, 'fr'],
    ['English for an account with both', { account: 'en+fr' }, 'en'],
    ['English for nothing at all', {}, 'en'],
  ] as const)('is chosen in the right order: %s', (_, request, locale) => {
    expect(chooseLocale(request)).toBe(locale)
  })

  it('ignores a value that is not one of our languages', () => {
    expect(chooseLocale({ query: 'de', cookie: 'constructor', acceptLanguage: '*', account: 'fr' })).toBe('fr')
  })

  it('follows the q values of Accept-Language: the first of equal ones wins, and q=0 is excluded', () => {
    expect(chooseLocale({ acceptLanguage: 'en;q=0.4, fr-CA;q=0.8' })).toBe('fr')
    expect(chooseLocale({ acceptLanguage: 'fr,en' })).toBe('fr')
    expect(chooseLocale({ acceptLanguage: 'fr;q=0, en;q=0.1' })).toBe('en')
    expect(chooseLocale({ acceptLanguage: 'fr;q=lots', account: 'en' })).toBe('en')
  })

  it('is changed by a link to the same page, which keeps the rest of the query', () => {
    expect(pathInLocale('/contract/x/review?party=2', 'fr')).toBe('/contract/x/review?party=2&lang=fr')
    expect(pathInLocale('/help?lang=fr', 'en')).toBe('/help?lang=en')
  })
})

it("a count follows the language's rule for the singular, and groups its digits [ceremony: i18n]", () => {
  const inEnglish = (count: number) => counted(count, 'en', ['line', 'lines'])
  const inFrench = (count: number) => counted(count, 'fr', ['ligne', 'lignes'])
  expect([0, 1, 2, 1204].map(inEnglish)).toEqual(['0 lines', '1 line', '2 lines', '1,204 lines'])
  expect([0, 1, 2, 1204].map(inFrench)).toEqual(['0 ligne', '1 ligne', '2 lignes', '1\u00A0204 lignes'])
})
