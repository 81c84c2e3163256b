// The one-time code's mail. Pure. The code is not in the subject: mail servers log subjects. [Events, D16, D23]
// No word in it is the sender's: what comes from us beside a code must not say whom to give it to.
import { createDictionary } from '@paraph/web/dictionary'
import type { Locale } from '@paraph/web/locale'
import type { MailFacts } from '../mail-facts.js'
import { markAccount, textAccount } from './contract-facts.js'
import { inEach, localesOf, reportLines, reportLinks, sandboxMarks, type MailParts } from './languages.js'
import { code, frame, heading, html, inLanguage, machineLine, paragraph, rule, small, type Markup } from './markup.js'
import { sections, wrap } from './plain-text.js'

const words = createDictionary({
  subject: { en: 'Your one-time code', fr: 'Votre code à usage unique' },
  isYourCode: { en: 'is your one-time code for', fr: 'est votre code à usage unique pour' },
  contract: { en: 'contract', fr: 'le contrat' },
  thisContract: { en: 'this contract', fr: 'ce contrat' },
  confirms: {
    en: 'It confirms this e-mail address for contract',
    fr: 'Il confirme cette adresse pour le contrat',
  },
  howLong: {
    en: 'Type it on the page you have open. It works for 10 minutes, once.',
    fr: 'Entrez ce code sur la page ouverte. Il est valable 10 minutes, une seule fois.',
  },
  nobodyAsks: {
    en: 'Nobody will ever ask you for it, neither Paraph nor the sender.',
    fr: 'Personne ne vous le demandera jamais, ni Paraph ni l’expéditeur.',
  },
  number: { en: 'Contract', fr: 'Contrat' },
  account: { en: 'account', fr: 'compte' },
  notYou: {
    en: 'You did not ask for a code? Then somebody else typed your address, perhaps by mistake. Without the code they see nothing.',
    fr: 'Vous n’avez pas demandé de code? Quelqu’un d’autre a tapé votre adresse, peut-être par erreur. Sans le code, on ne voit rien.',
  },
})

/**
 * @param digits the code
 * @param host of the signing page; the last line lets some devices offer the code there and nowhere else
 */
export function writeCode(mail: MailFacts, digits: string, host: string, reportUrl: string): MailParts {
  const subject = `${sandboxMarks(mail).prefix}${inEach(mail.language, (locale) => words(locale).subject)}`
  const forDevices = `@${host} #${digits}`
  return {
    subject,
    text: writeText(mail, digits, forDevices, reportUrl),
    html: writeHtml(mail, digits, subject, forDevices, reportUrl),
  }
}

function writeText(mail: MailFacts, digits: string, forDevices: string, reportUrl: string): string {
  const [first, second] = localesOf(mail.language)
  const say = words(first)
  const also = second && words(second)
  const aboutContract = (locale: Locale): string =>
    wrap(`${words(locale).number} ${mail.contractNumber}, ${words(locale).account} ${textAccount(mail, locale)}.`)
  return sections([
    ...sandboxMarks(mail).lines,
    wrap(`${digits} ${say.isYourCode} ${say.contract} ${mail.contractNumber}.`),
    ...(also ? [wrap(`${digits} ${also.isYourCode} ${also.thisContract}.`)] : []),
    `${wrap(say.howLong)}\n${wrap(say.nobodyAsks)}`,
    ...(also ? [wrap(`${also.howLong} ${also.nobodyAsks}`)] : []),
    wrap(say.notYou),
    ...(also ? [wrap(also.notYou)] : []),
    inEach(mail.language, aboutContract, '\n'),
    reportLines(mail.language, reportUrl),
    forDevices,
  ])
}

function writeHtml(mail: MailFacts, digits: string, title: string, forDevices: string, reportUrl: string): string {
  const { language } = mail
  const [first, second] = localesOf(language)
  const say = words(first)
  const footer = (locale: Locale): Markup =>
    small(
      html`${words(locale).number} ${mail.contractNumber}, ${words(locale).account} ${markAccount(mail, locale)}.
      ${words(locale).notYou}`,
    )
  const content: Markup[] = [
    heading(html`${say.subject}`),
    paragraph(html`${say.confirms} ${mail.contractNumber}.`),
    code(digits),
    paragraph(html`${say.howLong} ${say.nobodyAsks}`),
  ]
  if (second) {
    const also = words(second)
    content.push(
      rule,
      inLanguage(second, [paragraph(html`<strong>${also.subject}.</strong> ${also.howLong} ${also.nobodyAsks}`)]),
    )
  }
  content.push(rule, footer(first))
  if (second) content.push(inLanguage(second, [footer(second)]))
  content.push(small(reportLinks(language, reportUrl)), machineLine(forDevices))
  return frame({ lang: first, title, bar: sandboxMarks(mail).bar, content })
}
