// Tells a party that had signed that the contract was cancelled or expired, without the reason. Pure. [D24, D39]
import { createDictionary } from '@paraph/web/dictionary'
import type { Locale } from '@paraph/web/locale'
import type { MailData } from '../mail-data.js'
import { contractRows, instant, markParty, textParty } from './contract-rows.js'
import { localesOf, reportLines, reportLinks, sandboxMarks, subjectOf, type MailParts } from './languages.js'
import {
  rowTable,
  frame,
  heading,
  html,
  inLanguage,
  name,
  paragraph,
  rule,
  small,
  subheading,
  type Markup,
} from './markup.js'
import { rowLines, sections, textName, wrap } from './plain-text.js'

type Outcome = 'cancelled' | 'expired'

const messages = createDictionary<{
  subject: Record<Outcome, string>
  contractFrom: string
  became: Record<Outcome, string>
  ended: string
  on: string
  label: Record<Outcome, string>
  hadSigned: string
  before: string
  meaning: string
}>({
  subject: {
    en: { cancelled: 'Contract cancelled', expired: 'Contract expired' },
    fr: { cancelled: 'Contrat annulé', expired: 'Contrat expiré' },
  },
  contractFrom: { en: 'The contract from', fr: 'Le contrat de' },
  became: {
    en: { cancelled: 'was cancelled', expired: 'has expired' },
    fr: { cancelled: 'a été annulé', expired: 'a expiré' },
  },
  ended: { en: 'It ended', fr: 'Il a pris fin' },
  on: { en: 'on', fr: 'le' },
  label: { en: { cancelled: 'Cancelled', expired: 'Expired' }, fr: { cancelled: 'Annulé', expired: 'Expiré' } },
  hadSigned: { en: 'You had signed as', fr: 'Vous aviez signé comme' },
  before: { en: 'before everyone had signed', fr: 'avant que tout le monde ait signé' },
  meaning: {
    en: 'Your signature has no effect through this service. You do not need to do anything.',
    fr: 'Votre signature est sans effet dans ce service. Vous n’avez rien à faire.',
  },
})

/** @param reportUrl the form to report the request */
export function writeOutcome(mail: MailData, outcome: Outcome, reportUrl: string): MailParts {
  const subject = subjectOf(mail, (locale) => messages(locale).subject[outcome])
  return { subject, text: writeText(mail, outcome, reportUrl), html: writeHtml(mail, outcome, subject, reportUrl) }
}

const endedAt = (mail: MailData, outcome: Outcome): string | null =>
  outcome === 'cancelled' ? mail.cancelledAt : mail.expiresAt

/** `It ended on 26 November 2026, 08:20 UTC, before everyone had signed.` and its meaning; without the date if `at` is null. */
function meaningText(mail: MailData, locale: Locale, at: string | null): string {
  const texts = messages(locale)
  const when = at === null ? '' : ` ${texts.on} ${instant(mail, at, locale)},`
  return `${texts.ended}${when} ${texts.before}. ${texts.meaning}`
}

function writeText(mail: MailData, outcome: Outcome, reportUrl: string): string {
  const [first, second] = localesOf(mail.language)
  const sender = textName(mail.senderName)
  const at = endedAt(mail, outcome)
  const texts = messages(first)
  const parts = [
    ...sandboxMarks(mail).lines,
    wrap(`${texts.contractFrom} ${sender} ${texts.became[outcome]}.`),
    rowLines(contractRows(mail, first, { label: texts.label[outcome], at })),
    wrap(meaningText(mail, first, null)),
  ]
  if (second) {
    const secondTexts = messages(second)
    parts.push(
      '* * *',
      wrap(`${secondTexts.contractFrom} ${sender} ${secondTexts.became[outcome]}.`),
      wrap(
        `${secondTexts.hadSigned} ${textParty(mail)}${stopAfter(mail.party.legalName)} ${meaningText(mail, second, at)}`,
      ),
    )
  }
  parts.push('* * *', reportLines(mail.language, reportUrl))
  return sections(parts)
}

function writeHtml(mail: MailData, outcome: Outcome, title: string, reportUrl: string): string {
  const [first, second] = localesOf(mail.language)
  const sender = name(mail.senderName)
  const at = endedAt(mail, outcome)
  const texts = messages(first)
  const content: Markup[] = [
    heading(html`${texts.contractFrom} ${sender} ${texts.became[outcome]}`),
    rowTable(contractRows(mail, first, { label: texts.label[outcome], at })),
    html`<p style="margin:24px 0 16px">${meaningText(mail, first, null)}</p>`,
  ]
  if (second) {
    const secondTexts = messages(second)
    const meaning = meaningText(mail, second, at)
    content.push(
      rule,
      inLanguage(second, [
        subheading(html`${secondTexts.contractFrom} ${sender} ${secondTexts.became[outcome]}`),
        paragraph(html`${secondTexts.hadSigned} ${markParty(mail)}${stopAfter(mail.party.legalName)} ${meaning}`),
      ]),
    )
  }
  content.push(rule, small(reportLinks(mail.language, reportUrl)))
  return frame({ lang: first, title, bar: sandboxMarks(mail).bar, content })
}

/** No second full stop after "Ltd.". */
const stopAfter = (name: string): '.' | '' => (name.endsWith('.') ? '' : '.')
