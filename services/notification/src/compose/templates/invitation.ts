// The signing mail: who asks, for what, by when, one link. Pure. [Events, D15, D23, D25, D34, D36]
import { createDictionary } from '@paraph/web/dictionary'
import type { MailFacts } from '../mail-facts.js'
import { contractFacts, instant, markParty, textParty } from './contract-facts.js'
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
  factTable,
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
import { factLines, sections, textName, wrap } from './plain-text.js'

const words = createDictionary({
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

/** @param shareUrl the party's link, the same for all parties; @param reportUrl where anybody may report the request */
export function writeInvitation(mail: MailFacts, shareUrl: string, reportUrl: string): MailParts {
  const subject = subjectOf(mail, (locale) => words(locale).subject)
  return { subject, text: writeText(mail, shareUrl, reportUrl), html: writeHtml(mail, subject, shareUrl, reportUrl) }
}

function writeText(mail: MailFacts, shareUrl: string, reportUrl: string): string {
  const [first, second] = localesOf(mail.language)
  const sender = textName(mail.senderName)
  const say = words(first)
  const parts = [
    ...sandboxMarks(mail).lines,
    wrap(`${sender} ${say.asks}.`),
    factLines(contractFacts(mail, first, { label: say.signBy, at: mail.expiresAt })),
    `${say.readAndSign}${colonOf(first)}\n${shareUrl}`,
    wrap(say.whatHappens),
  ]
  if (second) {
    const also = words(second)
    const who = `${also.signAs} ${textParty(mail)}, ${also.byLatest} ${instant(mail, mail.expiresAt, second)}.`
    parts.push('* * *', wrap(`${sender} ${also.asks}.`), wrap(`${who} ${also.whatHappens} ${also.sameLink}`))
  }
  parts.push('* * *', `${inEach(mail.language, (locale) => words(locale).orReport, '\n')}\n${reportUrl}`)
  return sections(parts)
}

function writeHtml(mail: MailFacts, title: string, shareUrl: string, reportUrl: string): string {
  const { language } = mail
  const [first, second] = localesOf(language)
  const sender = name(mail.senderName)
  const say = words(first)
  const content: Markup[] = [
    heading(html`${sender} ${say.asks}`),
    factTable(contractFacts(mail, first, { label: say.signBy, at: mail.expiresAt })),
    button(shareUrl, say.readAndSign),
    paragraph(html`${say.whatHappens}`),
  ]
  if (second) {
    const also = words(second)
    const when = html`${also.byLatest} ${instant(mail, mail.expiresAt, second)}`
    content.push(
      rule,
      inLanguage(second, [
        subheading(html`${sender} ${also.asks}`),
        paragraph(html`${also.signAs} ${markParty(mail)}, ${when}. ${also.whatHappens}`),
        paragraph(link(inLocale(shareUrl, language, second), also.readAndSign)),
      ]),
    )
  }
  const unexpected = markInEach(language, (locale) => html`${words(locale).unexpected}`, NEW_LINE)
  content.push(rule, small(html`${unexpected}<br />${reportLinks(language, reportUrl)}`), address(shareUrl))
  return frame({ lang: first, title, bar: sandboxMarks(mail).bar, content })
}
