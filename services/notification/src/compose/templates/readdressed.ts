// The mail to an address that is no longer a party's, because an owner corrected it. Names no party. Pure. [D61]
import { createDictionary } from '@paraph/web/dictionary'
import type { Locale } from '@paraph/web/locale'
import type { MailData } from '../mail-data.js'
import { layOut, reportLines, reportLinks, reportUrlOf, subjectOf } from './languages.js'
import { heading, html, name, paragraph, rule, small, subheading } from './markup.js'
import { textName, wrap } from './plain-text.js'

const messages = createDictionary({
  subject: { en: 'Contract no longer for this address', fr: 'Contrat envoyé à une autre adresse' },
  contractFrom: { en: 'The contract from', fr: 'Le contrat de' },
  became: { en: 'is no longer for this address', fr: 'n’est plus destiné à cette adresse' },
  number: (number: string) => ({
    en: `We sent you contract ${number}. The sender has corrected the address since.`,
    fr: `Nous vous avons envoyé le contrat ${number}. L’expéditeur a corrigé l’adresse depuis.`,
  }),
  meaning: {
    en: 'You can no longer read or sign it, and codes that we sent you no longer work. You don’t need to do anything.',
    fr: 'Vous ne pouvez plus le lire ni le signer, et les codes envoyés ne fonctionnent plus. Vous n’avez rien à faire.',
  },
})

export function writeReaddressed(mail: MailData, shareBaseUrl: string) {
  const reportUrl = reportUrlOf(shareBaseUrl)
  const block = (locale: Locale, title: typeof heading) => {
    const { contractFrom, became, number, meaning } = messages(locale)
    const body = `${number(mail.contractNumber)} ${meaning}`
    return {
      text: [wrap(`${contractFrom} ${textName(mail.senderName)} ${became}.`), wrap(body)],
      markup: [title(html`${contractFrom} ${name(mail.senderName)} ${became}`), paragraph(html`${body}`)],
    }
  }
  return layOut(
    mail,
    subjectOf(mail, (locale) => messages(locale).subject),
    {
      first: (locale) => block(locale, heading),
      second: (locale) => {
        const { text, markup } = block(locale, subheading)
        return { text: ['* * *', ...text], markup }
      },
      end: {
        text: ['* * *', reportLines(mail.language, reportUrl)],
        markup: [rule, small(reportLinks(mail.language, reportUrl))],
      },
    },
  )
}
