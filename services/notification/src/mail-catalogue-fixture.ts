// Every kind of mail in every language, once, with the pictures' sample data: what is drawn, looked at and measured. For tests.
// Each is named like its picture in docs/screens.
import { composeMail } from './compose-mail.js'
import type { MailKind } from './database.js'
import type { MailFacts } from './mail-facts.js'
import { factsFor, FROM_ADDRESS, MAIL_SETTINGS, mailFacts, mailOf } from './mail-fixture.js'

interface CatalogueMail {
  /** Unique; the file name of its picture. */
  name: string
  /** As a reader shows it: `name <address>`. */
  from: string
  to: string
  subject: string
  text: string
  html: string
}

const CANCELLED = { cancelledAt: '2026-11-26T08:20:00.000Z' }
const LONG = {
  senderName: 'The Procurement Department of the Amalgamated Northern Foods and Fisheries Co-operative, Halifax NS',
  accountName: 'Amalgamated Northern Foods and Fisheries Co-operative of Halifax',
  timeZone: 'America/Toronto',
  party: {
    role: 'The party of the third part, its successors and permitted assigns',
    legalName: 'Donaudampfschifffahrtsgesellschaft'.repeat(6).slice(0, 200),
    email: 'jane.roe@example.com',
    hasSigned: false,
  },
}
const RIGHT_TO_LEFT = {
  senderName: 'شركة الأغذية الشمالية المحدودة',
  accountName: 'יעל כהן (Yael Cohen) 3',
  party: { role: 'מקבל', legalName: 'יעל כהן (Yael Cohen) 3', email: 'yael@example.com', hasSigned: false },
}

function catalogued(name: string, kind: MailKind, facts: Partial<MailFacts> = {}, code = '482913'): CatalogueMail {
  const copy = kind === 'completed' ? Buffer.alloc(131_000) : undefined
  const delivery = { kind, contractId: 'contract-1795183380000-k3j9x0q2w', partyIndex: 1, sendNumber: 1, code, copy }
  const mail = mailOf(composeMail(delivery, factsFor(kind, mailFacts(facts)), MAIL_SETTINGS))
  const { fromName, to, subject, text, html } = mail
  return { name, from: `${fromName} <${FROM_ADDRESS}>`, to: `${to.name} <${to.address}>`, subject, text, html }
}

/** The mail of an account that writes in both languages, then in each. */
const inEveryLanguage = (name: string, kind: MailKind, facts: Partial<MailFacts> = {}): CatalogueMail[] => [
  catalogued(name, kind, facts),
  catalogued(`${name}-english`, kind, { ...facts, language: 'en' }),
  catalogued(`${name}-french`, kind, { ...facts, language: 'fr' }),
]

export const mailCatalogue: CatalogueMail[] = [
  ...inEveryLanguage('mail-01-invitation', 'invitation'),
  catalogued('mail-01s-invitation-sandbox', 'invitation', { environment: 'sandbox' }),
  catalogued('mail-01l-invitation-long-names', 'invitation', LONG),
  catalogued('mail-01r-invitation-right-to-left', 'invitation', RIGHT_TO_LEFT),
  ...inEveryLanguage('mail-02-code', 'code'),
  catalogued('mail-02l-code-12-digits', 'code', {}, '482913057264'),
  catalogued('mail-02s-code-sandbox', 'code', { environment: 'sandbox' }),
  ...inEveryLanguage('mail-03-completion', 'completed'),
  catalogued('mail-03s-completion-sandbox', 'completed', { environment: 'sandbox' }),
  catalogued('mail-03l-completion-long-names', 'completed', { ...LONG, parties: [LONG.party, LONG.party, LONG.party] }),
  ...inEveryLanguage('mail-06-cancelled', 'cancelled', CANCELLED),
  ...inEveryLanguage('mail-07-expired', 'expired'),
]
