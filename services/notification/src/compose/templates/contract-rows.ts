// The list of a contract's details in a mail: role, contract, number, a date, account. Pure. [D34, D36]
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { calendarDays, formatDeadline } from '@paraph/web/dates'
import { createDictionary } from '@paraph/web/dictionary'
import { isSingular, type Locale } from '@paraph/web/locale'
import type { MailData } from '../mail-data.js'
import { html, muted, name, type Markup } from './markup.js'
import { textName } from './plain-text.js'

/** One row of the list, for both parts of a mail. */
interface Row {
  label: string
  text: string
  markup: Markup
}

const messages = createDictionary({
  yourRole: { en: 'Your role', fr: 'Votre rôle' },
  contract: { en: 'Contract', fr: 'Contrat' },
  number: { en: 'Number', fr: 'Numéro' },
  account: { en: 'Account', fr: 'Compte' },
  parties: { en: 'Parties', fr: 'Parties' },
  further: { en: 'Other roles', fr: 'Autres rôles' },
  more: (count: number) => ({ en: `and ${count} more`, fr: count === 1 ? 'et 1 autre' : `et ${count} autres` }),
  approved: { en: 'approved', fr: 'approuvé' },
  withOther: (count: number) => ({ en: `with ${count} other party`, fr: `avec ${count} autre partie` }),
  withOthers: (count: number) => ({ en: `with ${count} other parties`, fr: `avec ${count} autres parties` }),
  dayAfter: { en: '1 day after this email', fr: '1 jour après ce courriel' },
  daysAfter: (count: number) => ({ en: `${count} days after this email`, fr: `${count} jours après ce courriel` }),
})

/** A date row; omitted when `at` is null. `sentAt`: also shows the days from the mail to the date. */
interface DateRow {
  label: string
  at: string | null
  sentAt?: Date
}

/** The most further roles that a mail names one by one. */
const NAMED_MAX = 5

/** The rows for one party. @param further other parties of the same mailbox */
export function contractRows(mail: MailData, locale: Locale, date: DateRow, further: MailData['parties'] = []): Row[] {
  const texts = messages(locale)
  return [
    row(
      texts.yourRole,
      textParty(mail),
      html`<strong>${name(mail.party.role)}<br />${name(mail.party.legalName)}</strong>`,
    ),
    ...further.slice(0, NAMED_MAX).map((party, index) => roleRow(index === 0 ? texts.further : '', party)),
    ...(further.length > NAMED_MAX ? [row('', texts.more(further.length - NAMED_MAX))] : []),
    row(texts.contract, describeContract(mail, locale)),
    ...numberAndDate(mail, locale, date),
    row(texts.account, textAccount(mail, locale), markAccount(mail, locale)),
  ]
}

/** The rows that are the same for all parties, with each party by name. */
export function sharedRows(mail: MailData, locale: Locale, date: DateRow): Row[] {
  const texts = messages(locale)
  return [
    row(texts.contract, contractTypeNames(locale)[mail.contractType]),
    ...numberAndDate(mail, locale, date),
    ...mail.parties.map((party, index) => partyRow(index === 0 ? texts.parties : '', party)),
    row(texts.account, textAccount(mail, locale), markAccount(mail, locale)),
  ]
}

/** The rows of a mail that names no party. */
export const senderRows = (mail: MailData, locale: Locale): Row[] => [
  row(messages(locale).number, mail.contractNumber),
  row(messages(locale).account, textAccount(mail, locale), markAccount(mail, locale)),
]

function numberAndDate(mail: MailData, locale: Locale, { label, at, sentAt }: DateRow): Row[] {
  const number = row(messages(locale).number, mail.contractNumber)
  if (at === null) return [number]
  return [number, row(label, sentAt ? deadline(mail, at, sentAt, locale) : instant(mail, at, locale))]
}

const roleRow = (label: string, { role, legalName }: MailData['parties'][number]): Row =>
  row(label, `${textName(role)}, ${textName(legalName)}`, onTwoLines(role, legalName))

const partyRow = (label: string, { role, legalName }: MailData['parties'][number]): Row =>
  row(label, `${textName(legalName)}, ${textName(role)}`, onTwoLines(legalName, role))

/** Role and name, each on its own line, because a line break inside a right-to-left name would tear both apart. */
const onTwoLines = (first: string, second: string): Markup => html`${name(first)}<br />${muted(name(second))}`

const row = (label: string, text: string, markup: Markup = html`${text}`): Row => ({ label, text, markup })

/** `Recipient, Jane Roe`. */
export const textParty = ({ party }: MailData): string => `${textName(party.role)}, ${textName(party.legalName)}`
export const markParty = ({ party }: MailData): Markup =>
  html`<strong>${name(party.role)}, ${name(party.legalName)}</strong>`

/** `Nordic Foods Ltd. (approved)`. [D36] */
export const textAccount = (mail: MailData, locale: Locale): string =>
  `${textName(mail.accountName)} (${messages(locale).approved})`
export const markAccount = (mail: MailData, locale: Locale): Markup =>
  html`${name(mail.accountName)} (${messages(locale).approved})`

/** An instant in the account's time zone and in UTC. [D34] */
export const instant = (mail: MailData, at: string, locale: Locale): string =>
  formatDeadline(new Date(at), locale, mail.timeZone)

/** Like `instant`, with the days from the mail, unless it is the same day. They stay true however late the mail is read. */
export function deadline(mail: MailData, at: string, sentAt: Date, locale: Locale): string {
  const days = calendarDays(sentAt, new Date(at), mail.timeZone)
  if (days < 1) return instant(mail, at, locale)
  const { dayAfter, daysAfter } = messages(locale)
  return `${instant(mail, at, locale)}, ${days === 1 ? dayAfter : daysAfter(days)}`
}

/** `Non-disclosure agreement, with 2 other parties`. */
function describeContract(mail: MailData, locale: Locale): string {
  const others = mail.partyCount - 1
  const { withOther, withOthers } = messages(locale)
  const counted = isSingular(others, locale) ? withOther(others) : withOthers(others)
  return `${contractTypeNames(locale)[mail.contractType]}, ${counted}`
}
