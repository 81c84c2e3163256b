// The signing mail: who asks, for what, by when, one link. Pure. [Events, D15, D23, D25, D34, D36]
import type { Locale } from '@paraph/web/locale'
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { formatInstant } from '@paraph/web/dates'
import { createDictionary } from '@paraph/web/dictionary'
import { isSingular } from '@paraph/web/plural'
import type { MailFacts } from '../mail-facts.js'
import { inEach, localesOf, TEST_PREFIX, testBar, wrap, type MailParts } from './languages.js'
import {
  button,
  facts,
  frame,
  heading,
  html,
  inLanguage,
  link,
  name,
  paragraph,
  rule,
  small,
  subheading,
  textName,
  type Markup,
} from './markup.js'

const words = createDictionary<{
  subject: string
  asks: string
  yourRole: string
  contract: string
  number: string
  signBy: string
  account: string
  approved: string
  readAndSign: string
  whatHappens: string
  signAs: string
  byLatest: string
  sameLink: string
  unexpected: string
  orReport: string
  report: string
}>({
  subject: { en: 'Contract to sign', fr: 'Contrat à signer' },
  asks: { en: 'has asked you to sign a contract', fr: 'vous demande de signer un contrat' },
  yourRole: { en: 'Your role', fr: 'Votre rôle' },
  contract: { en: 'Contract', fr: 'Contrat' },
  number: { en: 'Number', fr: 'Numéro' },
  signBy: { en: 'Sign by', fr: 'À signer avant' },
  account: { en: 'Account', fr: 'Compte' },
  approved: { en: 'approved', fr: 'approuvé' },
  readAndSign: { en: 'Read and sign', fr: 'Lire et signer' },
  whatHappens: {
    en: 'On the page you confirm this e-mail address with a one-time code, read the whole contract, and then decide. Opening the link signs nothing.',
    fr: 'Sur la page, vous confirmez cette adresse avec un code à usage unique, vous lisez tout le contrat, puis vous décidez. Ouvrir le lien ne signe rien.',
  },
  signAs: { en: 'You sign as', fr: 'Vous signez comme' },
  byLatest: { en: 'by', fr: 'au plus tard le' },
  sameLink: { en: 'The link is the same as above.', fr: 'Le lien est le même que ci-dessus.' },
  unexpected: { en: 'You did not expect this? Do nothing.', fr: 'Vous n’attendiez pas ce message? Ne faites rien.' },
  orReport: {
    en: 'You did not expect this? Do nothing, or report it:',
    fr: 'Vous n’attendiez pas ce message? Ne faites rien, ou signalez-le:',
  },
  report: { en: 'Report this request', fr: 'Signaler cette demande' },
})

/** @param shareUrl the party's link, the same for all parties; @param reportUrl where anybody may report the request */
export function writeInvitation(mail: MailFacts, shareUrl: string, reportUrl: string): MailParts {
  const { language } = mail
  const [first, second] = localesOf(language)
  const test = mail.environment === 'sandbox'
  const subject = `${test ? TEST_PREFIX : ''}${inEach(language, (locale) => words(locale).subject, ' / ')}: ${contractTypeNames(first)[mail.contractType]}`
  return {
    subject,
    text: writeText(mail, shareUrl, reportUrl),
    html: writeHtml(mail, subject, first, second, shareUrl, reportUrl),
  }
}

function writeText(mail: MailFacts, shareUrl: string, reportUrl: string): string {
  const { language, party } = mail
  const [first, second] = localesOf(language)
  const w = words(first)
  const rows: [string, string][] = [
    [w.yourRole, `${textName(party.role)}, ${textName(party.legalName)}`],
    [w.contract, describeContract(mail, first)],
    [w.number, mail.contractNumber],
    [w.signBy, signBy(mail, first)],
    [w.account, `${textName(mail.accountName)} (${w.approved})`],
  ]
  const width = Math.max(...rows.map(([label]) => label.length)) + 3
  const sections = [
    ...(mail.environment === 'sandbox' ? [inEach(language, testBar, '\n')] : []),
    wrap(`${textName(mail.senderName)} ${w.asks}.`),
    rows.map(([label, value]) => `  ${label.padEnd(width)}${value}`).join('\n'),
    `${w.readAndSign}:\n${shareUrl}`,
    wrap(w.whatHappens),
  ]
  if (second) {
    const s = words(second)
    const you = `${textName(party.role)}, ${textName(party.legalName)}`
    sections.push(
      '* * *',
      wrap(`${textName(mail.senderName)} ${s.asks}.`),
      wrap(`${s.signAs} ${you}, ${s.byLatest} ${signBy(mail, second)}. ${s.whatHappens} ${s.sameLink}`),
    )
  }
  sections.push('* * *', `${inEach(language, (locale) => words(locale).orReport, '\n')}\n${reportUrl}`)
  return `${sections.join('\n\n')}\n`
}

function writeHtml(
  mail: MailFacts,
  title: string,
  first: Locale,
  second: Locale | undefined,
  shareUrl: string,
  reportUrl: string,
): string {
  const { language, party } = mail
  const w = words(first)
  const you = html`<strong>${name(party.role)}, ${name(party.legalName)}</strong>`
  const content: Markup[] = [
    heading(html`${name(mail.senderName)} ${w.asks}`),
    facts([
      [w.yourRole, you],
      [w.contract, html`${describeContract(mail, first)}`],
      [w.number, html`${mail.contractNumber}`],
      [w.signBy, html`${signBy(mail, first)}`],
      [w.account, html`${name(mail.accountName)} (${w.approved})`],
    ]),
    button(shareUrl, w.readAndSign),
    paragraph(html`${w.whatHappens}`),
  ]
  if (second) {
    const s = words(second)
    content.push(
      rule,
      inLanguage(second, [
        subheading(html`${name(mail.senderName)} ${s.asks}`),
        paragraph(html`${s.signAs} ${you}, ${s.byLatest} ${signBy(mail, second)}. ${s.whatHappens}`),
        paragraph(link(shareUrl, s.readAndSign)),
      ]),
    )
  }
  const reports = localesOf(language).map(
    (locale, index) => html`${index > 0 ? ' · ' : ''}${link(reportUrl, words(locale ?? first).report)}`,
  )
  content.push(
    rule,
    small(html`${inEach(language, (locale) => words(locale).unexpected, ' / ')}<br />${reports}`),
    small(html`${shareUrl.replace(/^https:\/\//, '')}`),
  )
  const bar = mail.environment === 'sandbox' ? inEach(language, testBar, ' / ') : undefined
  return frame({ lang: first, title, bar, content })
}

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

const signBy = (mail: MailFacts, locale: Locale): string =>
  formatInstant(new Date(mail.expiresAt), locale, { timeZone: mail.timeZone })
