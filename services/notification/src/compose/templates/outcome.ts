// Tells a party who had signed that the contract will not come about. Pure. The reason stays out. [D24, D39]
import { createDictionary } from '@paraph/web/dictionary'
import type { Locale } from '@paraph/web/locale'
import type { MailFacts } from '../mail-facts.js'
import { contractFacts, instant, markParty, textParty } from './contract-facts.js'
import { localesOf, reportLines, reportLinks, sandboxMarks, subjectOf, type MailParts } from './languages.js'
import {
  factTable,
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
import { factLines, sections, textName, wrap } from './plain-text.js'

type Outcome = 'cancelled' | 'expired'

const words = createDictionary<{
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

/** @param reportUrl where anybody may report the request */
export function writeOutcome(mail: MailFacts, outcome: Outcome, reportUrl: string): MailParts {
  const subject = subjectOf(mail, (locale) => words(locale).subject[outcome])
  return { subject, text: writeText(mail, outcome, reportUrl), html: writeHtml(mail, outcome, subject, reportUrl) }
}

const endedAt = (mail: MailFacts, outcome: Outcome): string | null =>
  outcome === 'cancelled' ? mail.cancelledAt : mail.expiresAt

/** `It ended on 26 November 2026, 08:20 UTC, before everyone had signed.` and what that means; `at` null: without the date. */
function sayMeaning(mail: MailFacts, locale: Locale, at: string | null): string {
  const say = words(locale)
  const when = at === null ? '' : ` ${say.on} ${instant(mail, at, locale)},`
  return `${say.ended}${when} ${say.before}. ${say.meaning}`
}

function writeText(mail: MailFacts, outcome: Outcome, reportUrl: string): string {
  const [first, second] = localesOf(mail.language)
  const sender = textName(mail.senderName)
  const at = endedAt(mail, outcome)
  const say = words(first)
  const parts = [
    ...sandboxMarks(mail).lines,
    wrap(`${say.contractFrom} ${sender} ${say.became[outcome]}.`),
    factLines(contractFacts(mail, first, { label: say.label[outcome], at })),
    wrap(sayMeaning(mail, first, null)),
  ]
  if (second) {
    const also = words(second)
    parts.push(
      '* * *',
      wrap(`${also.contractFrom} ${sender} ${also.became[outcome]}.`),
      wrap(`${also.hadSigned} ${textParty(mail)}${stopAfter(mail.party.legalName)} ${sayMeaning(mail, second, at)}`),
    )
  }
  parts.push('* * *', reportLines(mail.language, reportUrl))
  return sections(parts)
}

function writeHtml(mail: MailFacts, outcome: Outcome, title: string, reportUrl: string): string {
  const [first, second] = localesOf(mail.language)
  const sender = name(mail.senderName)
  const at = endedAt(mail, outcome)
  const say = words(first)
  const content: Markup[] = [
    heading(html`${say.contractFrom} ${sender} ${say.became[outcome]}`),
    factTable(contractFacts(mail, first, { label: say.label[outcome], at })),
    html`<p style="margin:24px 0 16px">${sayMeaning(mail, first, null)}</p>`,
  ]
  if (second) {
    const also = words(second)
    content.push(
      rule,
      inLanguage(second, [
        subheading(html`${also.contractFrom} ${sender} ${also.became[outcome]}`),
        paragraph(
          html`${also.hadSigned} ${markParty(mail)}${stopAfter(mail.party.legalName)} ${sayMeaning(mail, second, at)}`,
        ),
      ]),
    )
  }
  content.push(rule, small(reportLinks(mail.language, reportUrl)))
  return frame({ lang: first, title, bar: sandboxMarks(mail).bar, content })
}

/** "Ltd." brings its own full stop. */
const stopAfter = (name: string): '.' | '' => (name.endsWith('.') ? '' : '.')
