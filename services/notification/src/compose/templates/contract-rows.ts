// The facts of a contract as a mail lists them: role, contract, number, a date, account. Pure. [D34, D36]
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { formatInstant } from '@paraph/web/dates'
import { createDictionary } from '@paraph/web/dictionary'
import type { Locale } from '@paraph/web/locale'
import { isSingular } from '@paraph/web/plural'
import type { MailFacts } from '../mail-facts.js'
import { html, name, type Markup } from './markup.js'
import { textName } from './plain-text.js'

/** One line of the list, for both parts of a mail. */
interface Fact {
  label: string
  text: string
  markup: Markup
}

const words = createDictionary({
  yourRole: { en: 'Your role', fr: 'Votre rôle' },
  contract: { en: 'Contract', fr: 'Contrat' },
  number: { en: 'Number', fr: 'Numéro' },
  account: { en: 'Account', fr: 'Compte' },
  parties: { en: 'Parties', fr: 'Parties' },
  approved: { en: 'approved', fr: 'approuvé' },
})

/** An instant in the list; left out where nobody knows it. */
interface DateFact {
  label: string
  at: string | null
}

/** What one party is told. @param date what happens or happened when */
export function contractFacts(mail: MailFacts, locale: Locale, date: DateFact): Fact[] {
  const say = words(locale)
  return [
    { label: say.yourRole, text: textParty(mail), markup: markParty(mail) },
    plain(say.contract, describeContract(mail, locale)),
    ...numberAndDate(mail, locale, date),
    accountFact(mail, locale),
  ]
}

/** What all are told together, each party by name. */
export function factsForAll(mail: MailFacts, locale: Locale, date: DateFact): Fact[] {
  const say = words(locale)
  return [
    plain(say.contract, contractTypeNames(locale)[mail.contractType]),
    ...numberAndDate(mail, locale, date),
    ...mail.parties.map(({ role, legalName }, index) => ({
      label: index === 0 ? say.parties : '',
      text: `${textName(legalName)}, ${textName(role)}`,
      markup: html`${name(legalName)}, ${name(role)}`,
    })),
    accountFact(mail, locale),
  ]
}

const numberAndDate = (mail: MailFacts, locale: Locale, { label, at }: DateFact): Fact[] => [
  plain(words(locale).number, mail.contractNumber),
  ...(at === null ? [] : [plain(label, instant(mail, at, locale))]),
]

const accountFact = (mail: MailFacts, locale: Locale): Fact => ({
  label: words(locale).account,
  text: textAccount(mail, locale),
  markup: markAccount(mail, locale),
})

const plain = (label: string, text: string): Fact => ({ label, text, markup: html`${text}` })

/** `Recipient, Jane Roe`. */
export const textParty = ({ party }: MailFacts): string => `${textName(party.role)}, ${textName(party.legalName)}`
export const markParty = ({ party }: MailFacts): Markup =>
  html`<strong>${name(party.role)}, ${name(party.legalName)}</strong>`

/** `Nordic Foods Ltd. (approved)`. [D36] */
export const textAccount = (mail: MailFacts, locale: Locale): string =>
  `${textName(mail.accountName)} (${words(locale).approved})`
export const markAccount = (mail: MailFacts, locale: Locale): Markup =>
  html`${name(mail.accountName)} (${words(locale).approved})`

/** An instant with its zone, and in the account's beside it. [D34] */
export const instant = (mail: MailFacts, at: string, locale: Locale): string =>
  formatInstant(new Date(at), locale, { timeZone: mail.timeZone })

/** `Non-disclosure agreement, with 2 other parties`. */
function describeContract(mail: MailFacts, locale: Locale): string {
  const others = mail.partyCount - 1
  const singular = isSingular(others, locale)
  const withOthers =
    locale === 'en'
      ? `with ${others} other ${singular ? 'party' : 'parties'}`
      : `avec ${others} ${singular ? 'autre partie' : 'autres parties'}`
  return `${contractTypeNames(locale)[mail.contractType]}, ${withOthers}`
}
