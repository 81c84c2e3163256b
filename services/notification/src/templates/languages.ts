// Which languages a mail speaks, in which order, and what stands in both. Pure. [D15, D25]
import type { MailLanguage } from '@paraph/protocol/caller'
import type { Locale } from '@paraph/web/locale'
import { createDictionary } from '@paraph/web/dictionary'
import { html, link, type Markup } from './markup.js'

/** What a mail is made of, whoever it goes to. */
export interface MailParts {
  subject: string
  text: string
  html: string
}

/** The first language is told in full, the second shortly but whole. */
export const localesOf = (language: MailLanguage): [Locale, Locale?] =>
  language === 'en+fr' ? ['en', 'fr'] : [language]

/** The same words in each language of the mail. */
export function inEach(language: MailLanguage, words: (locale: Locale) => string, separator = ' / '): string {
  const [first, second] = localesOf(language)
  return second ? `${words(first)}${separator}${words(second)}` : words(first)
}

/** The same for markup: what is not in the document's language says so. */
export function markInEach(language: MailLanguage, words: (locale: Locale) => Markup, separator: string): Markup {
  const [first, second] = localesOf(language)
  return second ? html`${words(first)}${separator}<span lang="${second}">${words(second)}</span>` : words(first)
}

const words = createDictionary({
  test: { en: 'Test contract - not legally binding', fr: 'Contrat d’essai - sans valeur juridique' },
  report: { en: 'Report this request', fr: 'Signaler cette demande' },
})

/** The sandbox's words: in front of a subject, above the text, above the HTML; all empty for a real contract. [D15] */
export function sandboxMarks(mail: { environment: 'production' | 'sandbox'; language: MailLanguage }) {
  if (mail.environment === 'production') return { prefix: '', lines: [], bar: undefined }
  return {
    prefix: '[TEST] ',
    lines: [inEach(mail.language, (locale) => words(locale).test, '\n')],
    bar: markInEach(mail.language, (locale) => html`${words(locale).test}`, ' / '),
  }
}

/** An address whose page opens in the language of its link, where the mail speaks both. */
export function inLocale(url: string, language: MailLanguage, locale: Locale): string {
  if (locale === localesOf(language)[0]) return url
  const localised = new URL(url)
  localised.searchParams.set('lang', locale)
  return localised.href
}

/** The way for anybody to report a request; stands in every mail. [E-mail, rule 1] */
export const reportLinks = (language: MailLanguage, reportUrl: string): Markup =>
  markInEach(language, (locale) => link(inLocale(reportUrl, language, locale), words(locale).report), ' · ')

/** The same for plain text. */
export const reportLines = (language: MailLanguage, reportUrl: string): string =>
  `${inEach(language, (locale) => words(locale).report)}:\n${reportUrl}`
