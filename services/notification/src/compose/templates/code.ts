// The mail with a one-time code. Pure. The code is not in the subject, because mail servers log subjects. [Events, D16, D23]
// Holds no text of the sender, which could ask the reader to pass the code on.
import { createDictionary } from '@paraph/web/dictionary'
import type { Locale } from '@paraph/web/locale'
import type { MailData } from '../mail-data.js'
import { markAccount, textAccount } from './contract-rows.js'
import { inEach, layOut, localesOf, reportLines, reportLinks, sandboxMarks, type MailParts } from './languages.js'
import { code, heading, html, inLanguage, machineLine, paragraph, rule, small, type Markup } from './markup.js'
import { wrap } from './plain-text.js'

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
  const { language, contractNumber } = mail
  const [first, second] = localesOf(language)
  const texts = messages(first)
  const forDevices = `@${host} #${digits}`
  const again = (sectionOf: (secondTexts: typeof texts) => string): string[] =>
    second ? [wrap(sectionOf(messages(second)))] : []
  const aboutContract = (locale: Locale): string =>
    wrap(`${messages(locale).number} ${contractNumber}, ${messages(locale).account} ${textAccount(mail, locale)}.`)
  const footer = (locale: Locale): Markup =>
    small(
      html`${messages(locale).number} ${contractNumber}, ${messages(locale).account} ${markAccount(mail, locale)}.
      ${messages(locale).notYou}`,
    )

  const subject = `${sandboxMarks(mail).prefix}${inEach(language, (locale) => messages(locale).subject)}`
  return layOut(mail, subject, {
    first: () => ({
      text: [
        wrap(`${digits} ${texts.isYourCode} ${texts.contract} ${contractNumber}.`),
        ...again(({ isYourCode, thisContract }) => `${digits} ${isYourCode} ${thisContract}.`),
        `${wrap(texts.howLong)}\n${wrap(texts.nobodyAsks)}`,
        ...again(({ howLong, nobodyAsks }) => `${howLong} ${nobodyAsks}`),
        wrap(texts.notYou),
        ...again(({ notYou }) => notYou),
      ],
      markup: [
        heading(html`${texts.subject}`),
        paragraph(html`${texts.confirms} ${contractNumber}.`),
        code(digits),
        paragraph(html`${texts.howLong} ${texts.nobodyAsks}`),
      ],
    }),
    // Its sentences in plain text stand beside those of the first language.
    second: (locale) => {
      const { subject, howLong, nobodyAsks } = messages(locale)
      return { text: [], markup: [paragraph(html`<strong>${subject}.</strong> ${howLong} ${nobodyAsks}`)] }
    },
    end: {
      text: [inEach(language, aboutContract, '\n'), reportLines(language, reportUrl), forDevices],
      markup: [
        rule,
        footer(first),
        ...(second ? [inLanguage(second, [footer(second)])] : []),
        small(reportLinks(language, reportUrl)),
        machineLine(forDevices),
      ],
    },
  })
}
