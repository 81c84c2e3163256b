// Which languages a mail speaks and in which order. Pure. [D25]
import type { MailLanguage } from '@paraph/protocol/caller'
import type { Locale } from '@paraph/web/locale'

/** The first language is told in full, the second shortly. */
export const localesOf = (language: MailLanguage): [Locale, Locale?] =>
  language === 'en+fr' ? ['en', 'fr'] : [language]

/** The same words in each language of the mail. */
export function inEach(language: MailLanguage, words: (locale: Locale) => string, separator: string): string {
  return localesOf(language)
    .map((locale) => words(locale ?? 'en'))
    .join(separator)
}

/** What a mail is made of, whoever it goes to. */
export interface MailParts {
  subject: string
  text: string
  html: string
}

/** The sandbox's words in front of a subject and above a mail. [D15] */
export const TEST_PREFIX = '[TEST] '
export const testBar = (locale: Locale): string =>
  locale === 'en' ? 'Test contract - not legally binding' : 'Contrat d’essai - sans valeur juridique'

/** Breaks paragraphs of plain text at spaces so that no line is longer than 72 characters; a longer word keeps its line. */
export function wrap(text: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > 72) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line].join('\n')
}
