// The invitation to sign: the sender, the contract, the deadline and one link. Pure. [Events, D15, D23, D25, D34, D36]
import { createDictionary } from '@paraph/web/dictionary'
import type { MailData } from '../mail-data.js'
import { contractRows, instant, markParty, textParty } from './contract-rows.js'
import { colonOf, inEach, inLocale, layOut, markInEach, NEW_LINE, reportLinks, subjectOf } from './languages.js'
import { address, button, rowTable, heading, html, link, name, paragraph, rule, small, subheading } from './markup.js'
import { rowLines, textName, wrap } from './plain-text.js'

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
  standsForAll: {
    en: 'This invitation stands for all the roles above: the link is the same, and we send no other invitation for them.',
    fr: 'Cette invitation vaut pour tous les rôles ci-dessus: le lien est le même, et nous n’envoyons pas d’autre invitation pour eux.',
  },
  alsoAs: (count: number) =>
    count === 1
      ? { en: 'and in 1 further role', fr: 'et dans 1 autre rôle' }
      : { en: `and in ${count} further roles`, fr: `et dans ${count} autres rôles` },
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

/**
 * @param shareUrl the share link
 * @param further other parties of the same mailbox that get no invitation of their own
 */
export function writeInvitation(mail: MailData, shareUrl: string, further: MailData['parties']) {
  const { language, senderName, expiresAt } = mail
  const reportUrl = `${shareUrl}/report`
  const unexpected = markInEach(language, (locale) => html`${messages(locale).unexpected}`, NEW_LINE)
  const subject = subjectOf(mail, (locale) => messages(locale).subject)
  return layOut(mail, subject, {
    first: (locale) => {
      const { asks, signBy, readAndSign, whatHappens, standsForAll } = messages(locale)
      const rows = contractRows(mail, locale, { label: signBy, at: expiresAt }, further)
      const explained = further.length > 0 ? `${standsForAll} ${whatHappens}` : whatHappens
      return {
        text: [
          wrap(`${textName(senderName)} ${asks}.`),
          rowLines(rows),
          `${readAndSign}${colonOf(locale)}\n${shareUrl}`,
          wrap(explained),
        ],
        markup: [
          heading(html`${name(senderName)} ${asks}`),
          rowTable(rows),
          button(shareUrl, readAndSign),
          paragraph(html`${explained}`),
        ],
      }
    },
    second: (locale) => {
      const { asks, signAs, alsoAs, byLatest, readAndSign, whatHappens, sameLink } = messages(locale)
      const by = `${byLatest} ${instant(mail, expiresAt, locale)}`
      const when = further.length > 0 ? `${alsoAs(further.length)}, ${by}` : by
      return {
        text: [
          '* * *',
          wrap(`${textName(senderName)} ${asks}.`),
          wrap(`${signAs} ${textParty(mail)}, ${when}. ${whatHappens} ${sameLink}`),
        ],
        markup: [
          subheading(html`${name(senderName)} ${asks}`),
          paragraph(html`${signAs} ${markParty(mail)}, ${when}. ${whatHappens}`),
          paragraph(link(inLocale(shareUrl, language, locale), readAndSign)),
        ],
      }
    },
    end: {
      text: ['* * *', `${inEach(language, (locale) => messages(locale).orReport, '\n')}\n${reportUrl}`],
      markup: [rule, small(html`${unexpected}<br />${reportLinks(language, reportUrl)}`), address(shareUrl)],
    },
  })
}
