// The mail with the sealed PDF, when all parties have signed. Pure. [D24]
import { createDictionary } from '@paraph/web/dictionary'
import { LANGUAGE_TAG, type Locale } from '@paraph/web/locale'
import type { MailData } from '../mail-data.js'
import { sharedRows, instant } from './contract-rows.js'
import {
  inLocale,
  localesOf,
  markInEach,
  reportLines,
  reportLinks,
  sandboxMarks,
  subjectOf,
  type MailParts,
} from './languages.js'
import { rowTable, frame, heading, html, inLanguage, link, paragraph, rule, small, type Markup } from './markup.js'
import { rowLines, sections, wrap } from './plain-text.js'

const messages = createDictionary({
  subject: { en: 'Everyone has signed', fr: 'Tout le monde a signé' },
  complete: { en: 'Complete', fr: 'Complet' },
  attached: {
    en: (closes: string) =>
      `The sealed PDF is attached. It holds the contract, the signatures, and the evidence that anybody can check. Keep it: the share link closes on ${closes}.`,
    fr: (closes: string) =>
      `Le PDF scellé est joint: le contrat, les signatures et les preuves que chacun peut vérifier. Gardez-le: le lien se ferme le ${closes}.`,
  },
  attachedClosed: {
    en: 'The sealed PDF is attached. It holds the contract, the signatures, and the evidence that anybody can check. Keep it: the share link has closed.',
    fr: 'Le PDF scellé est joint: le contrat, les signatures et les preuves que chacun peut vérifier. Gardez-le: le lien est fermé.',
  },
  size: {
    en: (kilobytes: string) => `${kilobytes}\u00A0KB, attached`,
    fr: (kilobytes: string) => `${kilobytes}\u00A0ko, joint`,
  },
  check: { en: 'How to check the PDF', fr: 'Comment vérifier le PDF' },
})

/** The attached PDF, as the mail names it. */
export interface AttachedCopy {
  fileName: string
  bytes: number
}

/**
 * @param checkUrl the page on how to verify evidence
 * @param reportUrl the form to report the request
 */
export function writeCompletion(
  mail: MailData,
  copy: AttachedCopy,
  { checkUrl, reportUrl }: { checkUrl: string; reportUrl: string },
): MailParts {
  const subject = subjectOf(mail, (locale) => messages(locale).subject)
  const text = writeText(mail, copy, checkUrl, reportUrl)
  return { subject, text, html: writeHtml(mail, copy, { title: subject, checkUrl, reportUrl }) }
}

/** `shareUrl` is null once the link is dead. */
const attachedText = (mail: MailData, locale: Locale): string =>
  mail.shareUrl === null
    ? messages(locale).attachedClosed
    : messages(locale).attached(instant(mail, mail.expiresAt, locale))

const sizeText = ({ bytes }: AttachedCopy, locale: Locale): string =>
  messages(locale).size(Math.max(1, Math.round(bytes / 1000)).toLocaleString(LANGUAGE_TAG[locale]))

function writeText(mail: MailData, copy: AttachedCopy, checkUrl: string, reportUrl: string): string {
  const [first, second] = localesOf(mail.language)
  const texts = messages(first)
  const parts = [
    ...sandboxMarks(mail).lines,
    `${texts.subject}.`,
    rowLines(sharedRows(mail, first, { label: texts.complete, at: mail.completedAt })),
    wrap(attachedText(mail, first)),
    `${copy.fileName} (${sizeText(copy, first)})`,
  ]
  if (second) parts.push('* * *', wrap(`${messages(second).subject}. ${attachedText(mail, second)}`))
  const checks = localesOf(mail.language).flatMap((locale) => (locale ? [messages(locale).check] : []))
  parts.push('* * *', `${checks.join(' / ')}:\n${checkUrl}`, reportLines(mail.language, reportUrl))
  return sections(parts)
}

function writeHtml(
  mail: MailData,
  copy: AttachedCopy,
  { title, checkUrl, reportUrl }: { title: string; checkUrl: string; reportUrl: string },
): string {
  const { language } = mail
  const [first, second] = localesOf(language)
  const texts = messages(first)
  const content: Markup[] = [
    heading(html`${texts.subject}`),
    rowTable(sharedRows(mail, first, { label: texts.complete, at: mail.completedAt })),
    html`<p style="margin:24px 0 16px">${attachedText(mail, first)}</p>`,
    html`<p style="display:inline-block;margin:0 0 8px;padding:12px 20px;border:1px solid #dcdfde;border-radius:6px">
      <strong>${copy.fileName}</strong><br /><span style="color:#4b535a">${sizeText(copy, first)}</span>
    </p>`,
  ]
  if (second) {
    const secondTexts = messages(second)
    content.push(
      rule,
      inLanguage(second, [paragraph(html`<strong>${secondTexts.subject}.</strong> ${attachedText(mail, second)}`)]),
    )
  }
  const checks = markInEach(
    language,
    (locale) => link(inLocale(checkUrl, language, locale), messages(locale).check),
    ' · ',
  )
  content.push(rule, small(html`${checks}<br />${reportLinks(language, reportUrl)}`))
  return frame({ lang: first, title, bar: sandboxMarks(mail).bar, content })
}
