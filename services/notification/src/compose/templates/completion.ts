// Brings the sealed PDF when everyone has signed, to each mailbox once. Pure. [D24]
import { createDictionary } from '@paraph/web/dictionary'
import { LANGUAGE_TAG, type Locale } from '@paraph/web/locale'
import type { MailFacts } from '../mail-facts.js'
import { factsForAll, instant } from './contract-facts.js'
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
import { factTable, frame, heading, html, inLanguage, link, paragraph, rule, small, type Markup } from './markup.js'
import { factLines, sections, wrap } from './plain-text.js'

const words = createDictionary({
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
 * @param checkUrl where it says how evidence is checked
 * @param reportUrl where anybody may report the request
 */
export function writeCompletion(
  mail: MailFacts,
  copy: AttachedCopy,
  { checkUrl, reportUrl }: { checkUrl: string; reportUrl: string },
): MailParts {
  const subject = subjectOf(mail, (locale) => words(locale).subject)
  const text = writeText(mail, copy, checkUrl, reportUrl)
  return { subject, text, html: writeHtml(mail, copy, { title: subject, checkUrl, reportUrl }) }
}

/** `shareUrl` is null once the link is dead. */
const sayAttached = (mail: MailFacts, locale: Locale): string =>
  mail.shareUrl === null ? words(locale).attachedClosed : words(locale).attached(instant(mail, mail.expiresAt, locale))

const saySize = ({ bytes }: AttachedCopy, locale: Locale): string =>
  words(locale).size(Math.max(1, Math.round(bytes / 1000)).toLocaleString(LANGUAGE_TAG[locale]))

function writeText(mail: MailFacts, copy: AttachedCopy, checkUrl: string, reportUrl: string): string {
  const [first, second] = localesOf(mail.language)
  const say = words(first)
  const parts = [
    ...sandboxMarks(mail).lines,
    `${say.subject}.`,
    factLines(factsForAll(mail, first, { label: say.complete, at: mail.completedAt })),
    wrap(sayAttached(mail, first)),
    `${copy.fileName} (${saySize(copy, first)})`,
  ]
  if (second) parts.push('* * *', wrap(`${words(second).subject}. ${sayAttached(mail, second)}`))
  const checks = localesOf(mail.language).flatMap((locale) => (locale ? [words(locale).check] : []))
  parts.push('* * *', `${checks.join(' / ')}:\n${checkUrl}`, reportLines(mail.language, reportUrl))
  return sections(parts)
}

function writeHtml(
  mail: MailFacts,
  copy: AttachedCopy,
  { title, checkUrl, reportUrl }: { title: string; checkUrl: string; reportUrl: string },
): string {
  const { language } = mail
  const [first, second] = localesOf(language)
  const say = words(first)
  const content: Markup[] = [
    heading(html`${say.subject}`),
    factTable(factsForAll(mail, first, { label: say.complete, at: mail.completedAt })),
    html`<p style="margin:24px 0 16px">${sayAttached(mail, first)}</p>`,
    html`<p style="display:inline-block;margin:0 0 8px;padding:12px 20px;border:1px solid #dcdfde;border-radius:6px">
      <strong>${copy.fileName}</strong><br /><span style="color:#4b535a">${saySize(copy, first)}</span>
    </p>`,
  ]
  if (second) {
    const also = words(second)
    content.push(
      rule,
      inLanguage(second, [paragraph(html`<strong>${also.subject}.</strong> ${sayAttached(mail, second)}`)]),
    )
  }
  const checks = markInEach(
    language,
    (locale) => link(inLocale(checkUrl, language, locale), words(locale).check),
    ' · ',
  )
  content.push(rule, small(html`${checks}<br />${reportLinks(language, reportUrl)}`))
  return frame({ lang: first, title, bar: sandboxMarks(mail).bar, content })
}
