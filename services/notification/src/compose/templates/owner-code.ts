// The one-time code of the console: to sign in, or to confirm a reply address. Pure. The code is not in the subject. [D16, D24]
// The account's name stands behind our own words: a stranger's text must not begin a line beside a code.
import { createDictionary } from '@paraph/web/dictionary'
import type { OwnerMailData } from '../mail-data.js'
import { inEach, layOut, reportLines, reportLinks, type MailParts } from './languages.js'
import { code, fillMarkup, heading, html, machineLine, paragraph, small } from './markup.js'
import { fillText, wrap } from './plain-text.js'

type OwnerCodeMail = Extract<OwnerMailData, { kind: 'code' }>

/** Braces mark external names. */
const messages = createDictionary({
  signInSubject: { en: 'Your one-time code', fr: 'Votre code à usage unique' },
  replySubject: { en: 'Confirm this mailbox', fr: 'Confirmez cette boîte' },
  signIn: { en: 'It signs you in to the console of Paraph.', fr: 'Il vous connecte à la console de Paraph.' },
  reply: {
    en: 'It confirms that answers to the contract e-mails of {account} may come to this mailbox.',
    fr: 'Il confirme que les réponses aux courriels de contrat de {account} peuvent arriver dans cette boîte.',
  },
  isYourCode: { en: 'is your one-time code.', fr: 'est votre code à usage unique.' },
  howLong: {
    en: 'Type it on the page you have open. It works for 10 minutes, once.',
    fr: 'Entrez ce code sur la page ouverte. Il est valable 10 minutes, une seule fois.',
  },
  nobodyAsks: {
    en: 'Nobody will ever ask you for it, not even Paraph.',
    fr: 'Personne ne vous le demandera jamais, pas même Paraph.',
  },
  notYou: {
    en: 'You did not ask for a code? Then somebody else typed your address, perhaps by mistake. Without the code nothing happens.',
    fr: 'Vous n’avez pas demandé de code? Quelqu’un d’autre a tapé votre adresse, peut-être par erreur. Sans le code, rien ne se passe.',
  },
})

/**
 * @param host of the console; the last line restricts a device's autofill to this host
 * @param reportUrl the form to report the request: a stranger may have typed the address
 */
export function writeOwnerCode(
  mail: OwnerCodeMail,
  { host, reportUrl }: { host: string; reportUrl: string },
): MailParts {
  const { language, code: digits } = mail
  const isReply = mail.purpose === 'reply_address'
  const [head, about] = isReply ? (['replySubject', 'reply'] as const) : (['signInSubject', 'signIn'] as const)
  const names = isReply ? { account: mail.accountName } : {}
  const forDevices = `@${host} #${digits}`
  const subject = inEach(language, (locale) => messages(locale)[head])
  return layOut({ language }, subject, {
    first: (locale) => {
      const { isYourCode, howLong, nobodyAsks, notYou, ...texts } = messages(locale)
      return {
        text: [
          wrap(`${digits} ${isYourCode} ${fillText(texts[about], names)}`),
          wrap(`${howLong} ${nobodyAsks}`),
          wrap(notYou),
        ],
        markup: [
          heading(html`${texts[head]}`),
          paragraph(fillMarkup(texts[about], names)),
          code(digits),
          paragraph(html`${howLong} ${nobodyAsks}`),
          small(html`${notYou}`),
        ],
      }
    },
    second: (locale) => {
      const { isYourCode, howLong, nobodyAsks, notYou, ...texts } = messages(locale)
      const confirms = fillMarkup(texts[about], names)
      return {
        text: [wrap(`${digits} ${isYourCode} ${fillText(texts[about], names)} ${howLong} ${nobodyAsks}`), wrap(notYou)],
        markup: [
          paragraph(html`<strong>${texts[head]}.</strong> ${confirms} ${howLong} ${nobodyAsks}`),
          small(html`${notYou}`),
        ],
      }
    },
    end: {
      text: [...(isReply ? [reportLines(language, reportUrl)] : []), forDevices],
      markup: [...(isReply ? [small(reportLinks(language, reportUrl))] : []), machineLine(forDevices)],
    },
  })
}
