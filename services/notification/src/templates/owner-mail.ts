// What owners hear of their account: the decision, keys, the question whether they would own it, too. Pure. [D24]
// Every one ends where it can be dealt with, the console; none holds a secret or a link that opens anything by itself.
import { createDictionary } from '@paraph/web/dictionary'
import type { Locale } from '@paraph/web/locale'
import type { OwnerLetter } from '../owner-letter.js'
import { inEach, localesOf, type MailParts } from './languages.js'
import {
  address,
  button,
  frame,
  heading,
  html,
  inLanguage,
  name,
  paragraph,
  rule,
  small,
  type Markup,
} from './markup.js'
import { sections, wrap } from './plain-text.js'

type Letter = Exclude<OwnerLetter, { kind: 'code' }>

/** Names from outside stand in braces until they are set. */
const words = createDictionary({
  approvedSubject: { en: 'Your application is approved', fr: 'Votre demande est approuvée' },
  approved: {
    en: '{account} is approved. Choose a plan, then create your first key.',
    fr: '{account} est approuvé. Choisissez un forfait, puis créez votre première clé.',
  },
  refusedSubject: { en: 'About your application', fr: 'Au sujet de votre demande' },
  refused: {
    en: 'We could not approve {account}. The reason: {reason}',
    fr: 'Nous n’avons pas pu approuver {account}. La raison\u00A0: {reason}',
  },
  refusedAgain: {
    en: 'You may change what you told us and apply again.',
    fr: 'Vous pouvez modifier vos réponses et présenter une nouvelle demande.',
  },
  createdSubject: { en: 'A key was created', fr: 'Une clé a été créée' },
  created: {
    en: '{by} created the key “{key}” ({hint}) of {account}.',
    fr: '{by} a créé la clé «\u00A0{key}\u00A0» ({hint}) de {account}.',
  },
  revokedSubject: { en: 'A key was revoked', fr: 'Une clé a été révoquée' },
  revoked: {
    en: '{by} revoked the key “{key}” ({hint}) of {account}. It works no more.',
    fr: '{by} a révoqué la clé «\u00A0{key}\u00A0» ({hint}) de {account}. Elle ne fonctionne plus.',
  },
  notYou: {
    en: 'Nobody of you did that? Sign in, revoke what you do not know and write to the operator.',
    fr: 'Personne d’entre vous n’a fait cela? Connectez-vous, révoquez ce que vous ne connaissez pas et écrivez à l’exploitant.',
  },
  invitedSubject: { en: 'You are asked to own an account', fr: 'On vous propose de gérer un compte' },
  invited: {
    en: '{by} asks you to own {account} together with them. Sign in with this address and say yes or no.',
    fr: '{by} vous propose de gérer {account} avec eux. Connectez-vous avec cette adresse et répondez par oui ou non.',
  },
  invitedNothing: {
    en: 'You do not know them? Then do nothing: until you say yes, nothing has changed.',
    fr: 'Vous ne les connaissez pas? Ne faites rien\u00A0: tant que vous ne dites pas oui, rien n’a changé.',
  },
  theOperator: { en: 'The operator', fr: 'L’exploitant' },
  open: { en: 'Open the console', fr: 'Ouvrir la console' },
})

type Words = ReturnType<typeof words>

interface Said {
  subject: keyof Words
  /** Sentences; the first is the matter. */
  body: (keyof Words)[]
  /** Null for the operator. */
  names: Record<string, string | null>
}

/** @param consoleUrl where the console lives */
export function writeOwnerMail(letter: Letter, consoleUrl: string): MailParts {
  const { language } = letter
  const { subject: key, body, names } = saidOf(letter)
  const [first, second] = localesOf(language)
  const subject = inEach(language, (locale) => words(locale)[key])
  const namesIn = (locale: Locale): Record<string, string> =>
    Object.fromEntries(Object.entries(names).map(([place, said]) => [place, said ?? words(locale).theOperator]))
  const inText = (locale: Locale): string[] =>
    body.map((sentence) => wrap(textOf(words(locale)[sentence], namesIn(locale))))
  const inMarkup = (locale: Locale): Markup[] => {
    const [matter, ...rest] = body.map((sentence) => markupOf(words(locale)[sentence], namesIn(locale)))
    return [paragraph(matter ?? html``), ...rest.map(small)]
  }
  const text = sections([
    ...inText(first),
    ...(second ? inText(second) : []),
    `${inEach(language, (locale) => words(locale).open)}\n${consoleUrl}`,
  ])
  const content: Markup[] = [
    heading(html`${words(first)[key]}`),
    ...inMarkup(first),
    button(consoleUrl, words(first).open),
  ]
  if (second)
    content.push(
      rule,
      inLanguage(second, [paragraph(html`<strong>${words(second)[key]}.</strong>`), ...inMarkup(second)]),
    )
  content.push(address(consoleUrl))
  return { subject, text, html: frame({ lang: first, title: subject, bar: undefined, content }) }
}

function saidOf(letter: Letter): Said {
  switch (letter.kind) {
    case 'application_approved':
      return { subject: 'approvedSubject', body: ['approved'], names: { account: letter.facts.accountName } }
    case 'application_refused':
      return {
        ...{ subject: 'refusedSubject', body: ['refused', 'refusedAgain'] },
        names: { account: letter.facts.accountName, reason: letter.facts.reason },
      }
    case 'key_created':
    case 'key_revoked': {
      const { accountName: account, keyName: key, keyHint: hint, by } = letter.facts
      const isCreated = letter.kind === 'key_created'
      return {
        ...{
          subject: isCreated ? 'createdSubject' : 'revokedSubject',
          body: [isCreated ? 'created' : 'revoked', 'notYou'],
        },
        names: { account, key, hint, by },
      }
    }
    case 'owner_invited':
      return {
        ...{ subject: 'invitedSubject', body: ['invited', 'invitedNothing'] },
        names: { account: letter.facts.accountName, by: letter.facts.by },
      }
  }
}

const PLACE = /\{(\w+)\}/

const textOf = (sentence: string, names: Record<string, string>): string =>
  sentence.replace(/\{(\w+)\}/g, (_, place: string) => names[place] ?? '')

/** Every second piece is the name of a place. */
function markupOf(sentence: string, names: Record<string, string>): Markup {
  const pieces = sentence.split(PLACE)
  return html`${pieces.map((piece, index) => (index % 2 ? name(names[piece] ?? '') : html`${piece}`))}`
}
