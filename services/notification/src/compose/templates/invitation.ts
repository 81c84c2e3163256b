// The invitation to sign: the sender, the contract, the deadline and one link. Pure. [Events, D15, D23, D25, D34, D36]
import { createDictionary } from '@paraph/web/dictionary'
import type { MailData } from '../mail-data.js'
import { contractRows, instant, markParty, textParty } from './contract-rows.js'
import {
  colonOf,
  inEach,
  inLocale,
  localesOf,
  markInEach,
  NEW_LINE,
  reportLinks,
  sandboxMarks,
  subjectOf,
  type MailParts,
} from './languages.js'
import {
  address,
  button,
  rowTable,
  frame,
  heading,
  html,
  inLanguage,
  link,
  name,
  paragraph,
  rule,
  small,
  subheading,
  type Markup,
} from './markup.js'
import { rowLines, sections, textName, wrap } from './plain-text.js'

const messages = createDictionary({
  subject: { en: 'Contract to sign', fr: 'Contrat à signer' },
  asks: { en: 'has asked you to sign a contract', fr: 'vous demande de signer un contrat' },
  signBy: { en: 'Sign by', fr: 'Date limite' },
  readAndSign: { en: 'Read and sign', fr: 'Lire et signer' },
  whatHappens: {
    en: 'On the page you confirm this e-mail address with a one-time code, read the whole contract, and then decide. Opening the link signs nothing.',
    fr: 'Sur la page, vous confirmez cette adresse avec un code à usage unique, vous lisez tout le contrat, puis vous décidez. Ouvrir le lien ne signe rien.',
  },
  signAs: { en: 'You sign as', fr: 'Vous signez comme' },
  byLatest: { en: 'by', fr: 'au plus tard le' },
  sameLink: { en: 'The link is the same as above.', fr: 'Le lien est le même que ci-dessus.' },
  unexpected: {
    en: 'You did not expect this? Do nothing.',
    fr: 'Vous n’attendiez pas ce message? Ne faites\u00A0rien.',
  },
  orReport: {
    en: 'You did not expect this? Do nothing, or report it:',
    fr: 'Vous n’attendiez pas ce message? Ne faites rien, ou signalez-le\u00A0:',
  },
})

/** @param shareUrl the share link; @param reportUrl the form to report the request */
export function writeInvitation(mail: MailData, shareUrl: string, reportUrl: string): MailParts {
  const subject = subjectOf(mail, (locale) => messages(locale).subject)
  return { subject, text: writeText(mail, shareUrl, reportUrl), html: writeHtml(mail, subject, shareUrl, reportUrl) }
}

function writeText(mail: MailData, shareUrl: string, reportUrl: string): string {
  const [first, second] = localesOf(mail.language)
  const sender = textName(mail.senderName)
  const texts = messages(first)
  const parts = [
    ...sandboxMarks(mail).lines,
    wrap(`${sender} ${texts.asks}.`),
    rowLines(contractRows(mail, first, { label: texts.signBy, at: mail.expiresAt })),
    `${texts.readAndSign}${colonOf(first)}\n${shareUrl}`,
    wrap(texts.whatHappens),
  ]
  if (second) {
    const secondTexts = messages(second)
    const who = `${secondTexts.signAs} ${textParty(mail)}, ${secondTexts.byLatest} ${instant(mail, mail.expiresAt, second)}.`
    parts.push(
      '* * *',
      wrap(`${sender} ${secondTexts.asks}.`),
      wrap(`${who} ${secondTexts.whatHappens} ${secondTexts.sameLink}`),
    )
  }
  parts.push('* * *', `${inEach(mail.language, (locale) => messages(locale).orReport, '\n')}\n${reportUrl}`)
  return sections(parts)
}

function writeHtml(mail: MailData, title: string, shareUrl: string, reportUrl: string): string {
  const { language } = mail
  const [first, second] = localesOf(language)
  const sender = name(mail.senderName)
  const texts = messages(first)
  const content: Markup[] = [
    heading(html`${sender} ${texts.asks}`),
    rowTable(contractRows(mail, first, { label: texts.signBy, at: mail.expiresAt })),
    button(shareUrl, texts.readAndSign),
    paragraph(html`${texts.whatHappens}`),
  ]
  if (second) {
    const secondTexts = messages(second)
    const when = html`${secondTexts.byLatest} ${instant(mail, mail.expiresAt, second)}`
    content.push(
      rule,
      inLanguage(second, [
        subheading(html`${sender} ${secondTexts.asks}`),
        paragraph(html`${secondTexts.signAs} ${markParty(mail)}, ${when}. ${secondTexts.whatHappens}`),
        paragraph(link(inLocale(shareUrl, language, second), secondTexts.readAndSign)),
      ]),
    )
  }
  const unexpected = markInEach(language, (locale) => html`${messages(locale).unexpected}`, NEW_LINE)
  content.push(rule, small(html`${unexpected}<br />${reportLinks(language, reportUrl)}`), address(shareUrl))
  return frame({ lang: first, title, bar: sandboxMarks(mail).bar, content })
}
