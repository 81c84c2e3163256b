import type { Locale } from './locale.js'

const RULES = { en: new Intl.PluralRules('en'), fr: new Intl.PluralRules('fr') }

/** True for a count that takes the singular: 1 in English; 0, 1 and 1.5 in French. */
export function isSingular(count: number, locale: Locale): boolean {
  return RULES[locale].select(count) === 'one'
}
