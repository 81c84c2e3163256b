// The mail to an address that is no longer a party's, because an owner corrected it. Names no party. Pure. [D61]
import { createDictionary } from '@paraph/web/dictionary'
import type { Locale } from '@paraph/web/locale'
import type { MailData } from '../mail-data.js'
import { senderRows } from './contract-rows.js'
import { layOut, reportLines, reportLinks, reportUrlOf, subjectOf } from './languages.js'
import { heading, html, name, paragraphBelow, rowTable, rule, small, subheading } from './markup.js'
import { rowLines, textName, wrap } from './plain-text.js'

const messages = createDictionary({
  subject: { en: 'Contract no longer for this address', fr: 'Contrat envoyé à une autre adresse' },
  contractFrom: { en: 'The contract from', fr: 'Le contrat de' },
  became: { en: 'is no longer for this address', fr: 'n’est plus destiné à cette adresse' },
  corrected: {
    en: 'We sent you this contract, and the sender has corrected the address since.',
    fr: 'Nous vous avons envoyé ce contrat et l’expéditeur a corrigé l’adresse depuis.',
  },
  meaning: {
    en: 'You can no longer read or sign it, and codes that we sent you no longer work. You don’t need to do anything.',
    fr: 'Vous ne pouvez plus le lire ni le signer, et les codes envoyés ne fonctionnent plus. Vous n’avez rien à faire.',
  },
})

export function writeReaddressed(mail: MailData, shareBaseUrl: string) {
  const reportUrl = reportUrlOf(shareBaseUrl)
  const block = (locale: Locale, title: typeof heading) => {
    const { contractFrom, became, corrected, meaning } = messages(locale)
    const body = `${corrected} ${meaning}`
    const rows = senderRows(mail, locale)
    return {
      text: [wrap(`${contractFrom} ${textName(mail.senderName)} ${became}.`), rowLines(rows), wrap(body)],
      markup: [title(html`${contractFrom} ${name(mail.senderName)} ${became}`), rowTable(rows), paragraphBelow(body)],
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
