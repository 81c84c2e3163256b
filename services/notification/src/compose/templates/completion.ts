// The mail with the signed PDF, when all parties have signed. Pure. [D24]
import { createDictionary } from '@paraph/web/dictionary'
import { LANGUAGE_TAG, type Locale } from '@paraph/web/locale'
import type { MailData } from '../mail-data.js'
import { sharedRows, instant } from './contract-rows.js'
import {
  inLocale,
  layOut,
  linkLines,
  markInEach,
  reportLines,
  reportLinks,
  reportUrlOf,
  subjectOf,
} from './languages.js'
import { attached, rowTable, heading, html, link, paragraph, paragraphBelow, rule, small } from './markup.js'
import { rowLines, wrap } from './plain-text.js'

const messages = createDictionary({
  subject: { en: 'Everyone has signed', fr: 'Tout le monde a signé' },
  complete: { en: 'Completed', fr: 'Terminé' },
  attached: (closes: string) => ({
    en: `The signed PDF is attached. It has the contract, the signatures and evidence that anyone can check. Keep it: the share link closes on ${closes}.`,
    fr: `Le PDF signé est joint. Il contient le contrat, les signatures et la preuve que chacun peut vérifier. Conservez-le\u00A0: le lien de partage se ferme le ${closes}.`,
  }),
  attachedClosed: {
    en: 'The signed PDF is attached. It has the contract, the signatures and evidence that anyone can check. Keep it: the share link has closed.',
    fr: 'Le PDF signé est joint. Il contient le contrat, les signatures et la preuve que chacun peut vérifier. Conservez-le\u00A0: le lien de partage est fermé.',
  },
  size: (kilobytes: string) => ({ en: `${kilobytes}\u00A0KB, attached`, fr: `${kilobytes}\u00A0ko, en pièce jointe` }),
  check: { en: 'Check the PDF', fr: 'Vérifier le PDF' },
})

export function writeCompletion(mail: MailData, copy: { fileName: string; bytes: number }, shareBaseUrl: string) {
  const { language, completedAt, expiresAt, shareUrl } = mail
  const checkUrl = `${shareBaseUrl}/verify`
  const reportUrl = reportUrlOf(shareBaseUrl)
  const checks = markInEach(
    language,
    (locale) => link(inLocale(checkUrl, language, locale), messages(locale).check),
    ' · ',
  )
  /** `shareUrl` is null once the share link has expired. */
  const attachedText = (locale: Locale): string =>
    shareUrl === null ? messages(locale).attachedClosed : messages(locale).attached(instant(mail, expiresAt, locale))

  const subject = subjectOf(mail, (locale) => messages(locale).subject)
  return layOut(mail, subject, {
    first: (locale) => {
      const { subject, complete, size } = messages(locale)
      const rows = sharedRows(mail, locale, { label: complete, at: completedAt })
      const sizeText = size(Math.max(1, Math.round(copy.bytes / 1000)).toLocaleString(LANGUAGE_TAG[locale]))
      return {
        text: [`${subject}.`, rowLines(rows), wrap(attachedText(locale)), `${copy.fileName} (${sizeText})`],
        markup: [
          heading(html`${subject}`),
          rowTable(rows),
          paragraphBelow(attachedText(locale)),
          attached(copy.fileName, sizeText),
        ],
      }
    },
    second: (locale) => {
      const { subject } = messages(locale)
      return {
        text: ['* * *', wrap(`${subject}. ${attachedText(locale)}`)],
        markup: [paragraph(html`<strong>${subject}.</strong> ${attachedText(locale)}`)],
      }
    },
    end: {
      text: [
        '* * *',
        linkLines(language, (locale) => messages(locale).check, checkUrl),
        reportLines(language, reportUrl),
      ],
      markup: [rule, small(html`${checks}<br />${reportLinks(language, reportUrl)}`)],
    },
  })
}
