// The mail with a one-time code. Pure. The code is not in the subject, because mail servers log subjects. [Events, D16, D23]
// Holds no text of the sender, which could ask the reader to pass the code on.
import { createDictionary } from '@paraph/web/dictionary'
import type { Locale } from '@paraph/web/locale'
import type { MailData } from '../mail-data.js'
import { markAccount, textAccount } from './contract-rows.js'
import { inEach, localesOf, reportLines, reportLinks, sandboxMarks, type MailParts } from './languages.js'
import { code, frame, heading, html, inLanguage, machineLine, paragraph, rule, small, type Markup } from './markup.js'
import { sections, wrap } from './plain-text.js'

const messages = createDictionary({
  subject: { en: 'Your one-time code', fr: 'Votre code à usage unique' },
  isYourCode: { en: 'is your one-time code for', fr: 'est votre code à usage unique pour' },
  contract: { en: 'contract', fr: 'le contrat' },
  thisContract: { en: 'this contract', fr: 'ce contrat' },
  confirms: { en: 'It confirms this e-mail address for contract', fr: 'Il confirme cette adresse pour le contrat' },
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
 * @param host of the signing page; the last line restricts a device's autofill to this host
 */
export function writeCode(mail: MailData, digits: string, host: string, reportUrl: string): MailParts {
  const subject = `${sandboxMarks(mail).prefix}${inEach(mail.language, (locale) => messages(locale).subject)}`
  const forDevices = `@${host} #${digits}`
  return {
    subject,
    text: writeText(mail, digits, forDevices, reportUrl),
    html: writeHtml(mail, digits, subject, forDevices, reportUrl),
  }
}

function writeText(mail: MailData, digits: string, forDevices: string, reportUrl: string): string {
  const [first, second] = localesOf(mail.language)
  const texts = messages(first)
  const secondTexts = second && messages(second)
  const aboutContract = (locale: Locale): string =>
    wrap(`${messages(locale).number} ${mail.contractNumber}, ${messages(locale).account} ${textAccount(mail, locale)}.`)
  return sections([
    ...sandboxMarks(mail).lines,
    wrap(`${digits} ${texts.isYourCode} ${texts.contract} ${mail.contractNumber}.`),
    ...(secondTexts ? [wrap(`${digits} ${secondTexts.isYourCode} ${secondTexts.thisContract}.`)] : []),
    `${wrap(texts.howLong)}\n${wrap(texts.nobodyAsks)}`,
    ...(secondTexts ? [wrap(`${secondTexts.howLong} ${secondTexts.nobodyAsks}`)] : []),
    wrap(texts.notYou),
    ...(secondTexts ? [wrap(secondTexts.notYou)] : []),
    inEach(mail.language, aboutContract, '\n'),
    reportLines(mail.language, reportUrl),
    forDevices,
  ])
}

function writeHtml(mail: MailData, digits: string, title: string, forDevices: string, reportUrl: string): string {
  const { language } = mail
  const [first, second] = localesOf(language)
  const texts = messages(first)
  const footer = (locale: Locale): Markup =>
    small(
      html`${messages(locale).number} ${mail.contractNumber}, ${messages(locale).account} ${markAccount(mail, locale)}.
      ${messages(locale).notYou}`,
    )
  const content: Markup[] = [
    heading(html`${texts.subject}`),
    paragraph(html`${texts.confirms} ${mail.contractNumber}.`),
    code(digits),
    paragraph(html`${texts.howLong} ${texts.nobodyAsks}`),
  ]
  if (second) {
    const secondTexts = messages(second)
    content.push(
      rule,
      inLanguage(second, [
        paragraph(html`<strong>${secondTexts.subject}.</strong> ${secondTexts.howLong} ${secondTexts.nobodyAsks}`),
      ]),
    )
  }
  content.push(rule, footer(first))
  if (second) content.push(inLanguage(second, [footer(second)]))
  content.push(small(reportLinks(language, reportUrl)), machineLine(forDevices))
  return frame({ lang: first, title, bar: sandboxMarks(mail).bar, content })
}
