// The order of the languages of a mail, and the texts that all mails share. Pure. [D15, D25]
import type { MailLanguage } from '@paraph/protocol/principal'
import type { Environment } from '@paraph/protocol/environment'
import type { ContractType } from '@paraph/protocol/contract'
import { contractTypeNames } from '@paraph/web/contract-type-names'
import type { Locale } from '@paraph/web/locale'
import { createDictionary } from '@paraph/web/dictionary'
import type { Look } from '../mail-data.js'
import { foot } from './brand.js'
import { frame } from './frame.js'
import { html, inLanguage, link, machineLine, rule, type Markup } from './markup.js'
import { sections } from './plain-text.js'

/** The parts of a mail to any recipient. */
export interface MailParts {
  subject: string
  text: string
  html: string
}

/** The content of a mail in one language, in plain text and in HTML. */
export interface Blocks {
  text: string[]
  markup: Markup[]
}

/**
 * Lays out a mail: `first` in the first language, `second` in the second language, if the mail has two, and `end` below both.
 * `forDevices` is the last line also of a mail with a foot, because a device looks for it there.
 */
export function layOut(
  mail: Parameters<typeof sandboxMarks>[0] & { look?: Look | undefined },
  subject: string,
  blocks: {
    first: (locale: Locale) => Blocks
    second: (locale: Locale) => Blocks
    end: Blocks & { forDevices?: string }
  },
): MailParts {
  const [locale, other] = localesOf(mail.language)
  const { lines, bar } = sandboxMarks(mail)
  const first = blocks.first(locale)
  const second = other ? blocks.second(other) : { text: [], markup: [] }
  const again = other ? [rule, inLanguage(other, second.markup)] : []
  const { look } = mail
  const { text, markup, forDevices } = blocks.end
  const { text: footText, markup: footMarkup } = foot(look)
  const forDevicesOnly = forDevices === undefined ? [] : [forDevices]
  const content = [...first.markup, ...again, ...markup, ...footMarkup, ...forDevicesOnly.map(machineLine)]
  return {
    subject,
    text: sections([...lines, ...first.text, ...second.text, ...text, ...footText, ...forDevicesOnly]),
    html: frame({ lang: locale, title: subject, bar, content, look }),
  }
}

/** The first language has the full text, the second language a shorter text with the same content. */
export const localesOf = (language: MailLanguage): [Locale, Locale?] =>
  language === 'en+fr' ? ['en', 'fr'] : [language]

/** The separator if each language has a line of its own. */
export const NEW_LINE = html`<br />`

/** A text in each language of the mail. */
export function inEach(language: MailLanguage, textOf: (locale: Locale) => string, separator = ' / '): string {
  const [first, second] = localesOf(language)
  return second ? `${textOf(first)}${separator}${textOf(second)}` : textOf(first)
}

/** Like `inEach`, for markup, with a `lang` attribute on the second language. */
export function markInEach(language: MailLanguage, markupOf: (locale: Locale) => Markup, separator: string | Markup) {
  const [first, second] = localesOf(language)
  return second
    ? html`${markupOf(first)}${separator}<span lang="${second}">${markupOf(second)}</span>`
    : markupOf(first)
}

const messages = createDictionary({
  test: { en: 'Test contract - not legally binding', fr: 'Contrat d’essai - sans valeur juridique' },
  report: { en: 'Report this request', fr: 'Signaler cette demande' },
  colon: { en: ':', fr: '\u00A0:' },
})

/** The sandbox marks before the subject, above the text and above the HTML; empty for other contracts and for none. [D15] */
export function sandboxMarks(mail: { environment?: Environment; language: MailLanguage }) {
  if (mail.environment !== 'sandbox') return { prefix: '', lines: [], bar: undefined }
  return {
    prefix: '[TEST] ',
    lines: [inEach(mail.language, (locale) => messages(locale).test, '\n')],
    bar: markInEach(mail.language, (locale) => html`${messages(locale).test}`, NEW_LINE),
  }
}

/** `Contract to sign: Non-disclosure agreement / Contrat à signer`; the type is in the first language only. */
export function subjectOf(
  mail: { environment: Environment; language: MailLanguage; contractType: ContractType },
  about: (locale: Locale) => string,
): string {
  const [first] = localesOf(mail.language)
  const type = contractTypeNames(first)[mail.contractType]
  const withType = (locale: Locale): string =>
    locale === first ? `${about(first)}${messages(first).colon} ${type}` : about(locale)
  return `${sandboxMarks(mail).prefix}${inEach(mail.language, withType)}`
}

/** `url` with `lang=` for the second language of a mail, so that the page opens in that language. */
export function inLocale(url: string, language: MailLanguage, locale: Locale): string {
  if (locale === localesOf(language)[0]) return url
  const localised = new URL(url)
  localised.searchParams.set('lang', locale)
  return localised.href
}

/** The URL of the form to report a request that a stranger may have caused. */
export const reportUrlOf = (shareBaseUrl: string): string => `${shareBaseUrl}/help#report`

/** Links to the report form, in each language of the mail. [ceremony: mails] */
export const reportLinks = (language: MailLanguage, reportUrl: string): Markup =>
  markInEach(language, (locale) => link(inLocale(reportUrl, language, locale), messages(locale).report), ' · ')

/** Like `reportLinks`, for plain text. */
export const reportLines = (language: MailLanguage, reportUrl: string): string =>
  linkLines(language, (locale) => messages(locale).report, reportUrl)

/** A link in plain text: its label in each language of the mail, then its URL on a line of its own. */
export function linkLines(language: MailLanguage, labelOf: (locale: Locale) => string, url: string): string {
  const [first, last = first] = localesOf(language)
  return `${inEach(language, labelOf)}${messages(last).colon}\n${url}`
}
