import { expect, it } from '@jest/globals'
import { LOCALES, type Locale } from '@paraph/web/locale'
import { renderPage } from '@paraph/web/page-answer'
import { ACTS, type Act, type AuditEntry } from '../../accounts/audit.js'
import { actDetails, ActSentence } from './act-text.js'

/** Every fact that any act has. */
const FACTS = {
  tier: 'growth',
  status: 'active',
  periodEnd: '2027-01-31T23:59:59.999Z',
  name: 'Order system',
  environment: 'production',
  owner: 'jane@example.test',
  role: 'developer',
  address: 'answers@example.test',
  reason: 'Agreed',
  senderName: 'Nordic Foods',
  language: 'en+fr',
  timeZone: 'America/Toronto',
  replacedBy: 'key_2',
  endsAt: '2026-12-01T00:00:00.000Z',
  network: '192.0.2.0/24',
  newBrowser: true,
  browser: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
}

const entryOf = (act: Act, facts: AuditEntry['facts'], subject: string | null = null): AuditEntry => ({
  id: 1,
  at: new Date(0),
  actor: 'owner',
  actorName: null,
  mailbox: null,
  accountId: 'acc_1',
  act,
  subject,
  facts,
})

const textOf = (entry: AuditEntry, locale: Locale = 'en'): string[] =>
  [<ActSentence {...{ entry, locale }} />, ...actDetails({ entry, locale }).map((line) => <p>{line}</p>)].map((part) =>
    renderPage(part)
      .replace('<!doctype html>', '')
      .replace(/<[^>]+>/g, ''),
  )

it.each(ACTS)('the act %s is in words, without names of fields and with every fact of its sentence', (act) => {
  for (const locale of LOCALES)
    for (const line of textOf(entryOf(act, FACTS), locale))
      expect(line).not.toMatch(/undefined|Mozilla|growth|production |en\+fr|periodEnd|newBrowser|^$|“”/)
})

it.each([
  [
    entryOf('key.created', { name: 'Order system', environment: 'production' }, 'key_1'),
    ['Created key “Order system” (Production)'],
  ],
  [
    entryOf('session.opened', { browser: FACTS.browser, network: '192.0.2.0/24', newBrowser: false }, 'session-1'),
    ['Signed in', 'Firefox 144 on Linux', 'Network 192.0.2.0/24'],
  ],
  [entryOf('session.ended', { reason: 'signed_out' }), ['Ended a session']],
  [entryOf('account.changed', { language: 'fr' }), ['Changed settings', 'Language of emails: French']],
  [entryOf('contract.cancelled', {}, 'contract-1-a'), ['Cancelled a contract', 'contract-1-a']],
  [entryOf('owner.invited', { owner: 'jane@example.test', role: 'viewer' }), ['Invited jane@example.test (Viewer)']],
  [entryOf('operator.read', {}, 'reports'), ['Viewed data', 'Reports']],
  [entryOf('operator.read', {}, 'acc_1'), ['Viewed data']],
])('an entry is a sentence with a line for each further fact', (entry, lines) => {
  expect(textOf(entry)).toEqual(lines)
})
