// The mail that informs a party that had signed of a cancellation or an expiry, without the reason. Pure. [D24, D39]
import { createDictionary } from '@paraph/web/dictionary'
import type { Locale } from '@paraph/web/locale'
import type { MailData } from '../mail-data.js'
import { contractRows, instant, markParty, textParty } from './contract-rows.js'
import { layOut, reportLines, reportLinks, reportUrlOf, subjectOf } from './languages.js'
import { rowTable, heading, html, name, paragraph, paragraphBelow, rule, small, subheading } from './markup.js'
import { rowLines, textName, wrap } from './plain-text.js'

type Outcome = 'cancelled' | 'expired'

const messages = createDictionary({
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
  hadSigned: { en: 'You had signed as', fr: 'Vous aviez signé en tant que' },
  before: { en: 'before everyone had signed', fr: 'avant que tout le monde ait signé' },
  meaning: {
    en: 'Your signature will not take effect through Paraph. You don’t need to do anything.',
    fr: 'Votre signature est sans effet par l’entremise de Paraph. Vous n’avez rien à faire.',
  },
})

export function writeOutcome(mail: MailData, outcome: Outcome, shareBaseUrl: string) {
  const reportUrl = reportUrlOf(shareBaseUrl)
  const at = outcome === 'cancelled' ? mail.cancelledAt : mail.expiresAt
  const stop = stopAfter(mail.party.legalName)
  const subject = subjectOf(mail, (locale) => messages(locale).subject[outcome])
  return layOut(mail, subject, {
    first: (locale) => {
      const { contractFrom, became, label } = messages(locale)
      const rows = contractRows(mail, locale, { label: label[outcome], at })
      const meaning = meaningText(mail, locale, null)
      return {
        text: [wrap(`${contractFrom} ${textName(mail.senderName)} ${became[outcome]}.`), rowLines(rows), wrap(meaning)],
        markup: [
          heading(html`${contractFrom} ${name(mail.senderName)} ${became[outcome]}`),
          rowTable(rows),
          paragraphBelow(meaning),
        ],
      }
    },
    second: (locale) => {
      const { contractFrom, became, hadSigned } = messages(locale)
      const meaning = meaningText(mail, locale, at)
      return {
        text: [
          '* * *',
          wrap(`${contractFrom} ${textName(mail.senderName)} ${became[outcome]}.`),
          wrap(`${hadSigned} ${textParty(mail)}${stop} ${meaning}`),
        ],
        markup: [
          subheading(html`${contractFrom} ${name(mail.senderName)} ${became[outcome]}`),
          paragraph(html`${hadSigned} ${markParty(mail)}${stop} ${meaning}`),
        ],
      }
    },
    end: {
      text: ['* * *', reportLines(mail.language, reportUrl)],
      markup: [rule, small(reportLinks(mail.language, reportUrl))],
    },
  })
}

/** `It ended on Thursday 26 November 2026, 08:20 UTC, before everyone had signed.` and its meaning; without the date if `at` is null. */
function meaningText(mail: MailData, locale: Locale, at: string | null): string {
  const texts = messages(locale)
  const when = at === null ? '' : ` ${texts.on} ${instant(mail, at, locale)},`
  return `${texts.ended}${when} ${texts.before}. ${texts.meaning}`
}

/** No second full stop after "Ltd.". */
const stopAfter = (name: string): '.' | '' => (name.endsWith('.') ? '' : '.')
