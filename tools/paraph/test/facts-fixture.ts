// Facts of a healthy installation for the judgements of `paraph doctor`, each with one thing changed.
import type { CertificateFacts, Facts, LoginFacts, MailFacts } from '../src/doctor/facts.js'
import type { Finding } from '../src/doctor/finding.js'
import { judge } from '../src/doctor/judge/judge.js'

export const NOW = new Date('2026-11-27T12:00:00Z')
export const inDays = (days: number): Date => new Date(NOW.getTime() + days * 86_400_000)
export const MIGRATIONS = ['0001_contract', '0002_verify_views']

export const login = (change: Partial<LoginFacts> = {}, result: object = {}): LoginFacts => ({
  database: 'contract',
  holder: 'contract',
  setting: 'DATABASE_URL',
  role: 'runtime',
  migrations: MIGRATIONS,
  result: {
    version: 180_004,
    isStandby: false,
    isSuperuser: false,
    mayCreate: false,
    tables: { all: 12, owned: 0, unreadable: 0 },
    mayUseBus: undefined,
    migrations: MIGRATIONS,
    clock: { offsetMs: 1, errorMs: 1 },
    ...result,
  },
  ...change,
})
export const seal = (change: Partial<CertificateFacts> = {}): CertificateFacts => ({
  what: 'seal certificate',
  beganAt: inDays(-100),
  endsAt: inDays(300),
  isSelfSigned: false,
  isSeal: true,
  ...change,
})
export const GOOD_MAIL: MailFacts = {
  result: { failure: undefined, certificate: undefined, offersLogin: true },
  isEncrypted: true,
  needsLogin: true,
  spf: 'present',
  dkim: 'present',
}
export const GOOD: Facts = {
  isTrial: false,
  absent: [],
  settings: [{ service: 'contract', errors: [], unread: [], samples: [], weakPasswords: [], strangers: [] }],
  logins: [login(), login({ role: 'owner', holder: 'owners' }, { tables: { all: 12, owned: 12, unreadable: 0 } })],
  brokers: [
    {
      service: 'contract',
      topics: ['contract.events.v1'],
      result: { topics: [{ topic: 'contract.events.v1', partitions: 8, copies: 3, inSync: 3 }], lacking: [] },
    },
  ],
  mail: GOOD_MAIL,
  objectStore: { failure: undefined },
  certificates: [seal()],
  services: [{ service: 'contract', result: { clock: { offsetMs: 200, errorMs: 510 } } }],
}
export const judged = (change: Partial<Facts>): Finding[] => judge({ ...GOOD, ...change }, NOW)
/** The lines that are not ok, as `level subject: text`. */
export const wrong = (change: Partial<Facts>): string[] =>
  judged(change).flatMap(({ level, subject, found }) => (level === 'ok' ? [] : [`${level} ${subject}: ${found}`]))
