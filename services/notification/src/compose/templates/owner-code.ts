// The one-time code of the console: to sign in, or to confirm where answers go. Pure. The code is not in the subject. [D16, D24]
// The account's name stands behind words of ours: what begins a line beside a code must not be what a stranger wrote.
import { createDictionary } from '@paraph/web/dictionary'
import type { OwnerLetter } from '../owner-letter.js'
import { inEach, localesOf, reportLines, reportLinks, type MailParts } from './languages.js'
import { code, frame, heading, html, inLanguage, machineLine, paragraph, rule, small, type Markup } from './markup.js'
import { fillMarkup, fillText } from './places.js'
import { sections, wrap } from './plain-text.js'

type CodeLetter = Extract<OwnerLetter, { kind: 'code' }>

/** Names from outside stand in braces until they are set. */
const words = createDictionary({
  signInSubject: { en: 'Your one-time code', fr: 'Votre code à usage unique' },
  replySubject: { en: 'Confirm this mailbox', fr: 'Confirmez cette boîte' },
  signIn: {
    en: 'It signs you in to the console of Paraph.',
    fr: 'Il vous connecte à la console de Paraph.',
  },
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
 * @param host of the console; the last line lets some devices offer the code there and nowhere else
 * @param reportUrl where anybody may report the request; nobody asked for a sign-in but who typed the address
 */
export function writeOwnerCode(
  letter: CodeLetter,
  { host, reportUrl }: { host: string; reportUrl: string },
): MailParts {
  const { language, code: digits } = letter
  const isReply = letter.purpose === 'reply_address'
  const [heads, about] = isReply ? (['replySubject', 'reply'] as const) : (['signInSubject', 'signIn'] as const)
  const names = isReply ? { account: letter.accountName } : {}
  const [first, second] = localesOf(language)
  const say = words(first)
  const also = second && words(second)
  const subject = inEach(language, (locale) => words(locale)[heads])
  const forDevices = `@${host} #${digits}`
  const text = sections([
    wrap(`${digits} ${say.isYourCode} ${fillText(say[about], names)}`),
    wrap(`${say.howLong} ${say.nobodyAsks}`),
    wrap(say.notYou),
    ...(also
      ? [
          wrap(`${digits} ${also.isYourCode} ${fillText(also[about], names)} ${also.howLong} ${also.nobodyAsks}`),
          wrap(also.notYou),
        ]
      : []),
    ...(isReply ? [reportLines(language, reportUrl)] : []),
    forDevices,
  ])
  const content: Markup[] = [
    heading(html`${say[heads]}`),
    paragraph(fillMarkup(say[about], names)),
    code(digits),
    paragraph(html`${say.howLong} ${say.nobodyAsks}`),
    small(html`${say.notYou}`),
  ]
  if (also && second)
    content.push(
      rule,
      inLanguage(second, [
        paragraph(
          html`<strong>${also[heads]}.</strong> ${fillMarkup(also[about], names)} ${also.howLong} ${also.nobodyAsks}`,
        ),
        small(html`${also.notYou}`),
      ]),
    )
  if (isReply) content.push(small(reportLinks(language, reportUrl)))
  content.push(machineLine(forDevices))
  return { subject, text, html: frame({ lang: first, title: subject, bar: undefined, content }) }
}
