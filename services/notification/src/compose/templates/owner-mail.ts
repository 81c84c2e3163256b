// What owners hear of their account: the decision, keys, the question whether they would own it, too. Pure. [D24]
// Every one ends where it can be dealt with, the console; none holds a secret or a link that opens anything by itself.
import { createDictionary } from '@paraph/web/dictionary'
import type { OwnerMail } from '@paraph/protocol/owner-mail'
import type { Locale } from '@paraph/web/locale'
import { inEach, inLocale, localesOf, reportLines, reportLinks, type MailParts } from './languages.js'
import {
  address,
  button,
  frame,
  heading,
  html,
  inLanguage,
  link,
  paragraph,
  quotation,
  rule,
  small,
  subheading,
  type Markup,
} from './markup.js'
import { fillMarkup, fillText, type Names } from './places.js'
import { sections, textName, wrap } from './plain-text.js'

/** Names from outside stand in braces until they are set; none ends a sentence, for companies end in a full stop. */
const words = createDictionary({
  approvedSubject: { en: 'Your application is approved', fr: 'Votre demande est approuvée' },
  approved: {
    en: '{account} is approved. The console shows you the next step on the way to your first key.',
    fr: 'Le compte {account} est approuvé. La console vous montre la prochaine étape vers votre première clé.',
  },
  refusedSubject: { en: 'About your application', fr: 'Au sujet de votre demande' },
  refused: {
    en: 'We could not approve the application of {account} for this reason:',
    fr: 'Nous n’avons pas pu approuver la demande de {account} pour la raison suivante\u00A0:',
  },
  /** Where the reason stands above already, in whatever language the operator wrote it. */
  refusedAbove: {
    en: 'We could not approve the application of {account} for the reason above.',
    fr: 'Nous n’avons pas pu approuver la demande de {account} pour la raison donnée ci-dessus.',
  },
  refusedAgain: {
    en: 'You may change what you told us and apply again.',
    fr: 'Vous pouvez modifier vos réponses et présenter une nouvelle demande.',
  },
  createdSubject: { en: 'A key was created', fr: 'Une clé a été créée' },
  created: {
    en: 'For {account}, {by} created the key “{key}” ({hint}).',
    fr: 'Pour {account}, {by} a créé la clé «\u00A0{key}\u00A0» ({hint}).',
  },
  createdByOperator: {
    en: 'For {account}, the operator created the key “{key}” ({hint}).',
    fr: 'Pour {account}, l’exploitant a créé la clé «\u00A0{key}\u00A0» ({hint}).',
  },
  revokedSubject: { en: 'A key was revoked', fr: 'Une clé a été révoquée' },
  revoked: {
    en: 'For {account}, {by} revoked the key “{key}” ({hint}). It works no more.',
    fr: 'Pour {account}, {by} a révoqué la clé «\u00A0{key}\u00A0» ({hint}). Elle ne fonctionne plus.',
  },
  revokedByOperator: {
    en: 'For {account}, the operator revoked the key “{key}” ({hint}). It works no more.',
    fr: 'Pour {account}, l’exploitant a révoqué la clé «\u00A0{key}\u00A0» ({hint}). Elle ne fonctionne plus.',
  },
  notYou: {
    en: 'None of you did this? Sign in, revoke every key that you do not know, and write to the operator.',
    fr: 'Aucun de vous n’a fait cela? Connectez-vous, révoquez toute clé que vous ne connaissez pas et écrivez à l’exploitant.',
  },
  notExpected: {
    en: 'You did not expect this? Write to the operator.',
    fr: 'Vous ne vous y attendiez pas? Écrivez à l’exploitant.',
  },
  invitedSubject: { en: 'You are asked to own an account', fr: 'On vous propose de gérer un compte' },
  invited: {
    en: '{by} asks you to own the account of {account} together with them. Sign in with this address and say yes or no.',
    fr: '{by} vous propose de gérer le compte de {account} à plusieurs. Connectez-vous avec cette adresse et répondez par oui ou non.',
  },
  invitedNothing: {
    en: 'You do not know this address? Do nothing, or report it: until you say yes, nothing has changed.',
    fr: 'Vous ne connaissez pas cette adresse? Ne faites rien, ou signalez-le\u00A0: tant que vous ne dites pas oui, rien n’a changé.',
  },
  open: { en: 'Open the console', fr: 'Ouvrir la console' },
})

type Key = keyof ReturnType<typeof words>

interface Said {
  subject: Key
  /** Sentences; the first is the matter. */
  body: readonly [Key, ...Key[]]
  /** The same in the mail's second language, where it differs. */
  again?: readonly [Key, ...Key[]]
  /** What the operator wrote, below the matter. */
  quoted?: string
  /** It asks something of a stranger, who may report it. */
  isRequest?: true
  names: Names
}

/** @param consoleUrl where the console lives; @param reportUrl where anybody may report a request */
export function writeOwnerMail(
  letter: OwnerMail,
  { consoleUrl, reportUrl }: { consoleUrl: string; reportUrl: string },
): MailParts {
  const said = saidOf(letter)
  const { language } = letter
  const subject = inEach(language, (locale) => words(locale)[said.subject])
  return {
    subject,
    text: writeText(said, letter, consoleUrl, reportUrl),
    html: writeHtml(said, letter, subject, consoleUrl, reportUrl),
  }
}

function writeText(said: Said, { language }: OwnerMail, consoleUrl: string, reportUrl: string): string {
  const { body, again = body, quoted, isRequest, names } = said
  const [first, second] = localesOf(language)
  const sentence = (locale: Locale) => (key: Key) => wrap(fillText(words(locale)[key], names))
  const [matter, ...rest] = body.map(sentence(first))
  const quote = quoted === undefined ? [] : [linesOf(quoted).map((line) => `  ${wrap(textName(line), 2)}`)]
  return sections([
    matter!,
    ...quote.map((lines) => lines.join('\n')),
    ...rest,
    ...(second ? again.map(sentence(second)) : []),
    `${inEach(language, (locale) => words(locale).open)}\n${consoleUrl}`,
    ...(isRequest ? [reportLines(language, reportUrl)] : []),
  ])
}

function writeHtml(said: Said, { language }: OwnerMail, title: string, consoleUrl: string, reportUrl: string): string {
  const { subject, body, again = body, quoted, isRequest, names } = said
  const [first, second] = localesOf(language)
  const sentence = (locale: Locale) => (key: Key) => fillMarkup(words(locale)[key], names)
  const [matter, ...rest] = body.map(sentence(first))
  const content: Markup[] = [
    heading(html`${words(first)[subject]}`),
    paragraph(matter!),
    ...(quoted === undefined ? [] : [quotation(linesOf(quoted))]),
    ...rest.map(small),
    button(consoleUrl, words(first).open),
  ]
  if (second) {
    const [matterAgain, ...restAgain] = again.map(sentence(second))
    content.push(
      rule,
      inLanguage(second, [
        subheading(html`${words(second)[subject]}`),
        paragraph(matterAgain!),
        ...restAgain.map(small),
        paragraph(link(inLocale(consoleUrl, language, second), words(second).open)),
      ]),
    )
  }
  if (isRequest) content.push(small(reportLinks(language, reportUrl)))
  content.push(address(consoleUrl))
  return frame({ lang: first, title, bar: undefined, content })
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')

function saidOf(letter: OwnerMail): Said {
  switch (letter.kind) {
    case 'application_approved':
      return { subject: 'approvedSubject', body: ['approved'], names: { account: letter.facts.accountName } }
    case 'application_refused':
      return {
        ...{ subject: 'refusedSubject', body: ['refused', 'refusedAgain'], again: ['refusedAbove', 'refusedAgain'] },
        ...{ quoted: letter.facts.reason, names: { account: letter.facts.accountName } },
      }
    case 'key_created':
    case 'key_revoked': {
      const { accountName: account, keyName: key, keyHint: hint, by } = letter.facts
      const what = letter.kind === 'key_created' ? 'created' : 'revoked'
      return {
        subject: `${what}Subject`,
        body: by === null ? [`${what}ByOperator`, 'notExpected'] : [what, 'notYou'],
        names: { account, key, hint, ...(by === null ? {} : { by }) },
      }
    }
    case 'owner_invited':
      return {
        ...{ subject: 'invitedSubject', body: ['invited', 'invitedNothing'], isRequest: true },
        names: { account: letter.facts.accountName, by: letter.facts.by },
      }
  }
}
