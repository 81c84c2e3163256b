// The invitation to sign: the sender, the contract, the deadline and one link. Pure. [Events, D15, D23, D25, D34, D36]
import { createDictionary } from '@paraph/web/dictionary'
import type { Locale } from '@paraph/web/locale'
import type { MailData } from '../mail-data.js'
import { contractRows, deadline, markParty, textParty } from './contract-rows.js'
import { inEach, inLocale, layOut, linkLines, markInEach, NEW_LINE, reportLinks, subjectOf } from './languages.js'
import { address, button, rowTable, heading, html, link, name, paragraph, rule, small, subheading } from './markup.js'
import { rowLines, textName, wrap } from './plain-text.js'

const messages = createDictionary({
  subject: { en: 'Contract to sign', fr: 'Contrat à signer' },
  reminder: { en: 'Reminder: contract to sign', fr: 'Rappel\u00A0: contrat à signer' },
  asks: { en: 'has asked you to sign a contract', fr: 'vous demande de signer un contrat' },
  stillAsks: { en: 'still waits for your signature', fr: 'attend encore votre signature' },
  signBy: { en: 'Sign by', fr: 'Date limite' },
  readAndSign: { en: 'Read and sign', fr: 'Lire et signer' },
  whatHappens: {
    en: 'Confirm your email address with a one-time code, read the whole contract, then decide. Opening the link doesn’t sign anything.',
    fr: 'Confirmez votre adresse courriel avec un code à usage unique, lisez tout le contrat, puis décidez. Vous ne signez rien en ouvrant le lien.',
  },
  signAs: { en: 'You sign as', fr: 'Vous signez en tant que' },
  forAllRoles: {
    en: 'This invitation is for all the roles above. They share one link, and we won’t send other invitations for them.',
    fr: 'Cette invitation vaut pour tous les rôles ci-dessus. Ils partagent le même lien, et nous n’enverrons pas d’autre invitation pour eux.',
  },
  alsoAs: (count: number) =>
    count === 1
      ? { en: 'and in 1 other role', fr: 'et dans 1 autre rôle' }
      : { en: `and in ${count} other roles`, fr: `et dans ${count} autres rôles` },
  byLatest: { en: 'by', fr: 'au plus tard le' },
  sameLink: { en: 'Use the link above.', fr: 'Utilisez le lien ci-dessus.' },
  unexpected: {
    en: 'Not expecting this? You can ignore it.',
    fr: 'Vous n’attendiez pas ce message? Vous pouvez l’ignorer.',
  },
  orReport: {
    en: 'Not expecting this? You can ignore it, or report it:',
    fr: 'Vous n’attendiez pas ce message? Vous pouvez l’ignorer ou le signaler\u00A0:',
  },
})

interface InvitationProps {
  shareUrl: string
  /** Other parties of the same mailbox that get no invitation of their own. */
  further: MailData['parties']
  sentAt: Date
  /** Whether the party was invited before. [D58] */
  isReminder: boolean
}

export function writeInvitation(mail: MailData, { shareUrl, further, sentAt, isReminder }: InvitationProps) {
  const { language, senderName, expiresAt } = mail
  const asksIn = (locale: Locale): string => (isReminder ? messages(locale).stillAsks : messages(locale).asks)
  const reportUrl = `${shareUrl}/report`
  const unexpected = markInEach(language, (locale) => html`${messages(locale).unexpected}`, NEW_LINE)
  const subject = subjectOf(mail, (locale) => (isReminder ? messages(locale).reminder : messages(locale).subject))
  return layOut(mail, subject, {
    first: (locale) => {
      const { signBy, readAndSign, whatHappens, forAllRoles } = messages(locale)
      const asks = asksIn(locale)
      const rows = contractRows(mail, locale, { label: signBy, at: expiresAt, sentAt }, further)
      const explained = further.length > 0 ? `${forAllRoles} ${whatHappens}` : whatHappens
      return {
        text: [
          wrap(`${textName(senderName)} ${asks}.`),
          rowLines(rows),
          linkLines(locale, () => readAndSign, shareUrl),
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
      const { signAs, alsoAs, byLatest, readAndSign, whatHappens, sameLink } = messages(locale)
      const asks = asksIn(locale)
      const by = `${byLatest} ${deadline(mail, expiresAt, sentAt, locale)}`
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
