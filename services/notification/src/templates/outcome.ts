// Tells a party who had signed that the contract will not come about. Pure. The reason stays out. [D24, D39]
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { createDictionary } from '@paraph/web/dictionary'
import type { Locale } from '@paraph/web/locale'
import type { MailFacts } from '../mail-facts.js'
import { inEach, localesOf, TEST_PREFIX, testBar, wrap, type MailParts } from './languages.js'
import {
  facts,
  frame,
  heading,
  html,
  inLanguage,
  name,
  paragraph,
  rule,
  subheading,
  textName,
  type Markup,
} from './markup.js'

type Outcome = 'cancelled' | 'expired'

const words = createDictionary<{
  subject: Record<Outcome, string>
  happened: Record<Outcome, (sender: string) => string>
  meaning: string
  yourRole: string
  contract: string
  number: string
  account: string
  approved: string
}>({
  subject: {
    en: { cancelled: 'Contract cancelled', expired: 'Contract expired' },
    fr: { cancelled: 'Contrat annulé', expired: 'Contrat expiré' },
  },
  happened: {
    en: {
      cancelled: (sender) => `The contract from ${sender} was cancelled`,
      expired: (sender) => `The contract from ${sender} has expired`,
    },
    fr: {
      cancelled: (sender) => `Le contrat de ${sender} a été annulé`,
      expired: (sender) => `Le contrat de ${sender} a expiré`,
    },
  },
  meaning: {
    en: 'You had signed it, but not every party did. It does not come into force, and you do not need to do anything.',
    fr: 'Vous l’aviez signé, mais pas toutes les parties. Il n’entre pas en vigueur, et vous n’avez rien à faire.',
  },
  yourRole: { en: 'Your role', fr: 'Votre rôle' },
  contract: { en: 'Contract', fr: 'Contrat' },
  number: { en: 'Number', fr: 'Numéro' },
  account: { en: 'Account', fr: 'Compte' },
  approved: { en: 'approved', fr: 'approuvé' },
})

export function writeOutcome(mail: MailFacts, outcome: Outcome): MailParts {
  const { language } = mail
  const [first, second] = localesOf(language)
  const test = mail.environment === 'sandbox'
  const subject = `${test ? TEST_PREFIX : ''}${inEach(language, (locale) => words(locale).subject[outcome], ' / ')}: ${contractTypeNames(first)[mail.contractType]}`
  const sender = textName(mail.senderName)
  const rows = rowsOf(mail, first)
  const width = Math.max(...rows.map(([label]) => label.length)) + 3
  const text = [
    ...(test ? [inEach(language, testBar, '\n')] : []),
    wrap(`${words(first).happened[outcome](sender)}.`),
    rows.map(([label, value]) => `  ${label.padEnd(width)}${value}`).join('\n'),
    wrap(words(first).meaning),
    ...(second ? ['* * *', wrap(`${words(second).happened[outcome](sender)}. ${words(second).meaning}`)] : []),
  ]
  const content: Markup[] = [
    heading(html`${words(first).happened[outcome](sender)}`),
    facts(rows.map(([label, value]) => [label, name(value)])),
    html`<p style="margin:16px 0 0">${words(first).meaning}</p>`,
  ]
  if (second) {
    content.push(
      rule,
      inLanguage(second, [
        subheading(html`${words(second).happened[outcome](sender)}`),
        paragraph(html`${words(second).meaning}`),
      ]),
    )
  }
  const bar = test ? inEach(language, testBar, ' / ') : undefined
  return { subject, text: `${text.join('\n\n')}\n`, html: frame({ lang: first, title: subject, bar, content }) }
}

function rowsOf(mail: MailFacts, locale: Locale): [string, string][] {
  const w = words(locale)
  return [
    [w.yourRole, `${textName(mail.party.role)}, ${textName(mail.party.legalName)}`],
    [w.contract, contractTypeNames(locale)[mail.contractType]],
    [w.number, mail.contractNumber],
    [w.account, `${textName(mail.accountName)} (${w.approved})`],
  ]
}
