import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { ROOT } from '../../config.js'
import { GOOD, GOOD_MAIL, inDays, judged, login, seal, wrong } from '../../../test/facts-fixture.js'
import type { Facts, MailFacts } from '../facts.js'
import { PAGES } from '../finding.js'
import { formatPage } from '../page.js'

const settings = (change: Partial<Facts['settings'][number]>) => ({ settings: [{ ...GOOD.settings[0]!, ...change }] })
const mail = (change: Partial<MailFacts>) => ({ mail: { ...GOOD_MAIL, ...change } })

it('a healthy installation has one line for each check, and each is ok', () => {
  const findings = judged({})
  expect(findings.map(({ level, subject }) => `${level} ${subject}`)).toEqual([
    'ok settings contract',
    'ok database contract',
    'ok kafka',
    'ok services',
    'ok mail server',
    'ok mail domain',
    'ok object store',
    'ok seal certificate',
    'ok clocks',
  ])
  expect(formatPage(findings, 1_234)).toMatch(
    /^ {2}ok {2}settings contract {2}[^]*\n0 broken, 0 to look at, 9 ok, in 1\.2 s\.$/,
  )
})

it.each<[string, Partial<Facts>, string]>([
  [
    'a missing setting',
    settings({ errors: ['SMTP_URL: Invalid input: expected string, received undefined'] }),
    'broken settings contract: SMTP_URL is missing',
  ],
  [
    'a malformed setting',
    settings({ errors: ['PAGE_SECRET: must be one or two secrets'] }),
    'broken settings contract: PAGE_SECRET: must be one or two secrets',
  ],
  ['a placeholder', settings({ samples: ['CODE_KEYS'] }), 'broken settings contract: CODE_KEYS is a placeholder'],
  [
    'a key that does not fit',
    settings({ strangers: ['signing'] }),
    'broken settings contract: CALLER_PUBLIC_KEYS has no key that fits the private key of signing',
  ],
  [
    'a weak password',
    settings({ weakPasswords: ['DATABASE_URL'] }),
    'look settings contract: the password in DATABASE_URL is short or well known',
  ],
  [
    'a file of another machine',
    settings({ unread: ['SMTP_URL'] }),
    'look settings contract: SMTP_URL names a file that is not on this machine',
  ],
  [
    'an absent mail server',
    mail({ result: { ...GOOD_MAIL.result, failure: { step: 'connect', reason: 'ESOCKET', detail: 'ECONNREFUSED' } } }),
    'broken mail server: does not answer (ESOCKET, ECONNREFUSED)',
  ],
  [
    'a refused login at the mail server',
    mail({ result: { ...GOOD_MAIL.result, failure: { step: 'login', reason: 'smtp 535', detail: undefined } } }),
    'broken mail server: refuses the login (smtp 535)',
  ],
  [
    'a mail server without login',
    mail({ result: { ...GOOD_MAIL.result, offersLogin: false } }),
    'broken mail server: refuses the login (no AUTH)',
  ],
  ['a mail server without TLS', mail({ isEncrypted: false }), 'look mail server: takes mail without TLS'],
  ['a domain without SPF', mail({ spf: 'absent' }), 'look mail domain: has no SPF record'],
  ['a domain with two SPF records', mail({ spf: 'several' }), 'look mail domain: has several SPF records'],
  ['a domain without DKIM', mail({ dkim: 'absent' }), 'look mail domain: has no DKIM key'],
  ['no DNS', mail({ spf: 'unanswered', dkim: 'unanswered' }), 'look mail domain: DNS does not answer here'],
  [
    'a domain of examples',
    mail({ spf: 'reserved', dkim: 'reserved' }),
    'broken mail domain: is a reserved name of examples',
  ],
  [
    'an object store that refuses the key',
    { objectStore: { failure: 'list: SignatureDoesNotMatch' } },
    'broken object store: cannot be used (list: SignatureDoesNotMatch)',
  ],
  [
    'an object store that cannot be reached from here',
    { objectStore: { failure: 'list: no answer in time' } },
    'look object store: does not answer here (list: no answer in time)',
  ],
  [
    'brokers that do not answer',
    { brokers: [{ ...GOOD.brokers[0]!, result: { failure: 'No broker answers.' } }] },
    'broken kafka contract: no answer from the brokers',
  ],
  [
    'a missing topic',
    { brokers: [{ ...GOOD.brokers[0]!, result: { topics: [], lacking: [] } }] },
    'broken kafka contract: contract.events.v1 is missing',
  ],
  [
    'copies that are late',
    {
      brokers: [
        {
          ...GOOD.brokers[0]!,
          result: { topics: [{ topic: 'contract.events.v1', partitions: 8, copies: 3, inSync: 1 }], lacking: [] },
        },
      ],
    },
    'look kafka contract: contract.events.v1 has 1 of 3 copies in sync',
  ],
  [
    'a service that refuses',
    { services: [{ service: 'signing', result: { failure: 'ECONNREFUSED' } }] },
    'broken service signing: does not answer (ECONNREFUSED)',
  ],
  [
    'a service that cannot be reached from here',
    { services: [{ service: 'signing', result: { failure: 'timeout' } }] },
    'look service signing: does not answer (timeout)',
  ],
  [
    'a public address whose certificate ended',
    { services: [{ service: 'gateway', result: { failure: 'CERT_HAS_EXPIRED' } }] },
    'broken service gateway: has a certificate that is not trusted here (CERT_HAS_EXPIRED)',
  ],
  ['a missing service', { absent: ['signing'] }, 'broken settings signing: the installation has no such service'],
  [
    'a certificate near its end',
    { certificates: [seal({ endsAt: inDays(20.5) })] },
    'look seal certificate: ends on 2026-12-18, in 20 days',
  ],
  [
    'a certificate at its end',
    { certificates: [seal({ endsAt: inDays(1.5) })] },
    'broken seal certificate: ends on 2026-11-29, in 1 day',
  ],
  [
    'a certificate past its end',
    { certificates: [seal({ endsAt: inDays(-1) })] },
    'broken seal certificate: ended on 2026-11-26',
  ],
  [
    'a certificate of the future',
    { certificates: [seal({ beganAt: inDays(1) })] },
    'broken seal certificate: is valid only from 2026-11-28',
  ],
  [
    'an old seal',
    { certificates: [seal({ beganAt: inDays(-1_200) })] },
    'look seal certificate: was made 1200 days ago',
  ],
  ['a self-signed seal', { certificates: [seal({ isSelfSigned: true })] }, 'look seal certificate: is self-signed'],
])('%s is found', (_, facts, line) => {
  const found = wrong(facts)
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(line)
})

it('a trial may be plain, self-signed and without DNS', () => {
  const trial: Partial<Facts> = {
    isTrial: true,
    ...mail({ isEncrypted: false, spf: 'reserved', dkim: 'reserved' }),
    ...settings({ weakPasswords: ['DATABASE_URL'] }),
    certificates: [seal({ isSelfSigned: true })],
  }
  expect(wrong(trial)).toEqual([])
})

it.each<[string, number, number, string[]]>([
  ['within the error of the reading', 2_400, 510, []],
  ['seconds apart', 5_000, 510, ['look clocks: service contract is 5 s ahead of the database']],
  ['minutes apart', -90_000, 510, ['broken clocks: service contract is 90 s behind the database']],
])('clocks %s', (_, offsetMs, errorMs, lines) => {
  expect(wrong({ services: [{ service: 'contract', result: { clock: { offsetMs, errorMs } } }] })).toEqual(lines)
})

it('if this machine alone is wrong, only its clock is named [D20]', () => {
  const behind = { offsetMs: 30_000, errorMs: 1 }
  const facts = {
    logins: [login({}, { clock: behind })],
    services: [{ service: 'contract' as const, result: { clock: { offsetMs: 30_100, errorMs: 510 } } }],
  }
  expect(wrong(facts)).toEqual(['look clocks: this machine is 30 s behind the database'])
})

it('every page that a finding names exists, with its heading', () => {
  for (const page of Object.values(PAGES)) {
    const [path = '', anchor] = page.split('#')
    expect(`${path} ${existsSync(join(ROOT, path))}`).toBe(`${path} true`)
    const headings = readFileSync(join(ROOT, path), 'utf8').matchAll(/^#+ (.+)$/gm)
    const anchors = [...headings].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    )
    if (anchor !== undefined) expect(anchors).toContain(anchor)
  }
})

it('each finding that is not ok says what to do in one sentence, and names a page', () => {
  const all = judged({ logins: [login({ result: { failure: '28P01' } })], certificates: [seal({ endsAt: inDays(2) })] })
  for (const { level, remedy, page } of all) {
    expect(remedy === undefined).toBe(level === 'ok')
    expect(page === undefined).toBe(level === 'ok')
    if (remedy !== undefined) expect(remedy).toMatch(/^[A-Z].*\.$/)
  }
  expect(formatPage(all, 0)).toMatch(
    /broken +database contract +refuses the login.*\n {10}Correct user and password .*\n {10}docs\/how-to\/operators\/secrets\.md#/,
  )
})
