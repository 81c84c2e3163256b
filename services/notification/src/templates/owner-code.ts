// The one-time code of the console: to sign in, or to confirm where answers go. Pure. The code is not in the subject. [D16, D24]
import { createDictionary } from '@paraph/web/dictionary'
import type { OwnerLetter } from '../owner-letter.js'
import { inEach, localesOf, type MailParts } from './languages.js'
import {
  code,
  frame,
  heading,
  html,
  inLanguage,
  machineLine,
  name,
  paragraph,
  rule,
  small,
  type Markup,
} from './markup.js'
import { sections, wrap } from './plain-text.js'

type CodeLetter = Extract<OwnerLetter, { kind: 'code' }>

const words = createDictionary({
  signInSubject: { en: 'Your one-time code', fr: 'Votre code à usage unique' },
  replySubject: { en: 'Confirm this mailbox', fr: 'Confirmez cette boîte' },
  signIn: {
    en: 'It signs you in to the console of Paraph.',
    fr: 'Il vous connecte à la console de Paraph.',
  },
  reply: {
    en: 'wants answers to its contract e-mails to come to this mailbox. The code confirms that you agree.',
    fr: 'souhaite que les réponses à ses courriels de contrat arrivent dans cette boîte. Le code confirme votre accord.',
  },
  isYourCode: { en: 'is your one-time code.', fr: 'est votre code à usage unique.' },
  howLong: {
    en: 'Type it on the page you have open. It works for 10 minutes, once.',
    fr: 'Entrez ce code sur la page ouverte. Il est valable 10 minutes, une seule fois.',
  },
  nobodyAsks: {
    en: 'Nobody will ever ask you for it, not even we.',
    fr: 'Personne ne vous le demandera jamais, pas même nous.',
  },
  notYou: {
    en: 'You did not ask for a code? Then somebody else typed your address, perhaps by mistake. Without the code nothing happens.',
    fr: 'Vous n’avez pas demandé de code? Quelqu’un d’autre a tapé votre adresse, peut-être par erreur. Sans le code, rien ne se passe.',
  },
})

/** @param host of the console; the last line lets some devices offer the code there and nowhere else */
export function writeOwnerCode(letter: CodeLetter, { host }: { consoleUrl: string; host: string }): MailParts {
  const { language, purpose, accountName, code: digits } = letter
  const [first, second] = localesOf(language)
  const say = words(first)
  const also = second && words(second)
  const isSignIn = purpose === 'sign_in'
  const subject = inEach(language, (locale) => words(locale)[isSignIn ? 'signInSubject' : 'replySubject'])
  const forDevices = `@${host} #${digits}`
  const about = (in_: typeof say): string => (isSignIn ? in_.signIn : `${accountName ?? ''} ${in_.reply}`)
  const aboutMarkup = (in_: typeof say): Markup =>
    isSignIn ? html`${in_.signIn}` : html`${name(accountName ?? '')} ${in_.reply}`
  const text = sections([
    wrap(`${digits} ${say.isYourCode} ${about(say)}`),
    wrap(`${say.howLong} ${say.nobodyAsks}`),
    wrap(say.notYou),
    ...(also
      ? [wrap(`${digits} ${also.isYourCode} ${about(also)} ${also.howLong} ${also.nobodyAsks}`), wrap(also.notYou)]
      : []),
    forDevices,
  ])
  const content: Markup[] = [
    heading(html`${isSignIn ? say.signInSubject : say.replySubject}`),
    paragraph(aboutMarkup(say)),
    code(digits),
    paragraph(html`${say.howLong} ${say.nobodyAsks}`),
    small(html`${say.notYou}`),
  ]
  if (also && second)
    content.push(
      rule,
      inLanguage(second, [
        paragraph(html`<strong>${isSignIn ? also.signInSubject : also.replySubject}.</strong> ${aboutMarkup(also)}`),
        paragraph(html`${also.howLong} ${also.nobodyAsks}`),
        small(html`${also.notYou}`),
      ]),
    )
  content.push(machineLine(forDevices))
  return { subject, text, html: frame({ lang: first, title: subject, bar: undefined, content }) }
}
