// Which languages a mail speaks, in which order, and what stands in both. Pure. [D15, D25]
import type { MailLanguage } from '@paraph/protocol/caller'
import type { ContractType } from '@paraph/protocol/contract'
import { contractTypeNames } from '@paraph/web/contract-type-names'
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

/** Between two languages that take a line each. */
export const NEW_LINE = html`<br />`

/** The same words in each language of the mail. */
export function inEach(language: MailLanguage, words: (locale: Locale) => string, separator = ' / '): string {
  const [first, second] = localesOf(language)
  return second ? `${words(first)}${separator}${words(second)}` : words(first)
}

/** The same for markup: what is not in the document's language says so. */
export function markInEach(
  language: MailLanguage,
  words: (locale: Locale) => Markup,
  separator: string | Markup,
): Markup {
  const [first, second] = localesOf(language)
  return second ? html`${words(first)}${separator}<span lang="${second}">${words(second)}</span>` : words(first)
}

const words = createDictionary({
  test: { en: 'Test contract - not legally binding', fr: 'Contrat d’essai - sans valeur juridique' },
  report: { en: 'Report this request', fr: 'Signaler cette demande' },
  colon: { en: ':', fr: '\u00A0:' },
})

/** The sandbox's words: in front of a subject, above the text, above the HTML; all empty for a real contract. [D15] */
export function sandboxMarks(mail: { environment: 'production' | 'sandbox'; language: MailLanguage }) {
  if (mail.environment === 'production') return { prefix: '', lines: [], bar: undefined }
  return {
    prefix: '[TEST] ',
    lines: [inEach(mail.language, (locale) => words(locale).test, '\n')],
    bar: markInEach(mail.language, (locale) => html`${words(locale).test}`, NEW_LINE),
  }
}

/** `Contract to sign / Contrat à signer: Non-disclosure agreement`; the type in the first language alone. */
export function subjectOf(
  mail: { environment: 'production' | 'sandbox'; language: MailLanguage; contractType: ContractType },
  about: (locale: Locale) => string,
): string {
  const [first] = localesOf(mail.language)
  const type = contractTypeNames(first)[mail.contractType]
  return `${sandboxMarks(mail).prefix}${inEach(mail.language, about)}${colonOf(first)} ${type}`
}

/** A colon as the language sets it: French puts a space before it, which does not break. */
export const colonOf = (locale: Locale): string => words(locale).colon

/** An address whose page opens in the language of its link, where the mail speaks both. */
export function inLocale(url: string, language: MailLanguage, locale: Locale): string {
  if (locale === localesOf(language)[0]) return url
  const localised = new URL(url)
  localised.searchParams.set('lang', locale)
  return localised.href
}

/** The way for anybody to report a request; stands in every mail. [ceremony: mails] */
export const reportLinks = (language: MailLanguage, reportUrl: string): Markup =>
  markInEach(language, (locale) => link(inLocale(reportUrl, language, locale), words(locale).report), ' · ')

/** The same for plain text. */
export function reportLines(language: MailLanguage, reportUrl: string): string {
  const [first, second = first] = localesOf(language)
  return `${inEach(language, (locale) => words(locale).report)}${colonOf(second)}\n${reportUrl}`
}
