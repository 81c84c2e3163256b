import { describe, expect, it } from '@jest/globals'
import { accessOf, mayCreateKeys, type AccountRecord } from './access.js'
import { stateAfter, isMailOfWebsite, readApplication, websiteOf, type ApplicationState } from './application.js'
import { subscriptionStatusOf } from './subscription.js'

const NOW = new Date('2026-11-23T12:00:00.000Z')
const inDays = (days: number): Date => new Date(NOW.getTime() + days * 86_400_000)

const record = (more: Partial<AccountRecord> = {}): AccountRecord => ({
  status: 'active',
  approvedAt: NOW,
  wantedTier: null,
  application: null,
  tier: 'growth',
  subscriptionStatus: 'active',
  periodEnd: null,
  ...more,
})
const application = (state: ApplicationState) => ({ state, sentAt: NOW, decidedAt: NOW, reason: 'Why.' })
const NONE = { tier: null, subscriptionStatus: 'none', periodEnd: null } as const

describe('the next onboarding step of an account [Authentication, D37, D38]', () => {
  it.each([
    ['apply', { approvedAt: null, ...NONE }],
    ['apply', { approvedAt: null, ...NONE, application: application('withdrawn') }],
    ['pending', { approvedAt: null, ...NONE, application: application('pending') }],
    ['refused', { approvedAt: null, ...NONE, application: application('refused') }],
    ['choose_plan', { ...NONE, application: application('approved') }],
    ['plan_chosen', { ...NONE, wantedTier: 'startup' }],
    ['trial', { tier: 'startup', subscriptionStatus: 'trial', periodEnd: null }],
    ['active', {}],
    ['past_due', { tier: 'growth', subscriptionStatus: 'active', periodEnd: inDays(-6.9) }],
    ['ended', { tier: 'growth', subscriptionStatus: 'active', periodEnd: inDays(-7) }],
    ['ended', { tier: 'growth', subscriptionStatus: 'ended', periodEnd: null }],
    ['suspended', { status: 'suspended' }],
  ] as [string, Partial<AccountRecord>][])('is %s', (step, more) => {
    expect(accessOf(record(more), NOW).step).toBe(step)
  })

  it('allows keys of both environments with a subscription, and only sandbox keys on trial [D38]', () => {
    const may = (more: Partial<AccountRecord>) =>
      (['sandbox', 'production'] as const).filter((each) => mayCreateKeys(accessOf(record(more), NOW), each))
    expect(may({})).toEqual(['sandbox', 'production'])
    expect(may({ tier: 'startup', subscriptionStatus: 'trial', periodEnd: null })).toEqual(['sandbox'])
    expect(may({ tier: 'growth', subscriptionStatus: 'active', periodEnd: inDays(-1) })).toHaveLength(2)
    for (const more of [
      NONE,
      { ...NONE, wantedTier: 'startup' },
      { approvedAt: null, ...NONE },
      { status: 'suspended' as const },
      { tier: 'growth', subscriptionStatus: 'ended' as const, periodEnd: null },
    ])
      expect(may(more)).toEqual([])
  })

  it('gives a trial no grace period', () => {
    expect(subscriptionStatusOf({ subscriptionStatus: 'trial', periodEnd: inDays(-0.1) }, NOW)).toBe('ended')
  })
})

describe('an application [Authentication, D14]', () => {
  it('can be changed, withdrawn and decided while it is pending, and never afterwards', () => {
    const steps = ['change', 'withdraw', 'approve', 'refuse'] as const
    const table = (['pending', 'approved', 'refused', 'withdrawn'] as const).map((state) =>
      steps.map((step) => stateAfter(state, step) ?? '-').join(' '),
    )
    expect(table).toEqual(['pending withdrawn approved refused', '- - - -', '- - - -', '- - - -'])
  })

  const TYPED = {
    timeZone: 'America/Toronto',
    company: ' Nordic Foods Ltd. ',
    website: 'https://www.Nordicfoods.example/about?x#y',
    volume: '1-50',
    purpose: 'One.\r\nTwo.',
    contractTypes: ['nda'],
    otherParties: 'Suppliers',
  }

  it('is normalised: trimmed names, and the website as its host', () => {
    expect(readApplication(TYPED)).toEqual({
      form: {
        company: 'Nordic Foods Ltd.',
        website: 'nordicfoods.example',
        volume: '1-50',
        purpose: 'One.\nTwo.',
        contractTypes: ['nda'],
        otherParties: 'Suppliers',
        timeZone: 'America/Toronto',
      },
    })
  })

  it('has the zone UTC unless the browser or the applicant chose one [D60]', () => {
    expect(readApplication({ ...TYPED, timeZone: '' })).toHaveProperty('form.timeZone', 'UTC')
  })

  it.each([
    ['company', '', 'missing'],
    ['company', 'x'.repeat(101), 'too_long'],
    ['company', 'billing@paraph.example', 'wrong'],
    ['company', 'Nordic\u202EFoods', 'wrong'],
    ['website', ' ', 'missing'],
    ['website', 'localhost', 'wrong'],
    ['website', 'user:secret@example.com', 'wrong'],
    ['website', 'javascript:alert(1)', 'wrong'],
    ['purpose', '\n', 'missing'],
    ['purpose', 'x'.repeat(2_001), 'too_long'],
    ['otherParties', 'one\u0000two', 'wrong'],
    ['volume', 'lots', 'missing'],
    ['timeZone', 'Mars/Olympus', 'wrong'],
  ] as const)('refuses %s %j as %s', (field, typed, kind) => {
    expect(readApplication({ ...TYPED, [field]: typed })).toEqual({ faults: { [field]: kind } })
  })

  it('accepts only the contract types of the specification [Contract types]', () => {
    expect(readApplication({ ...TYPED, contractTypes: ['lottery'] })).toEqual({ faults: { contractTypes: 'missing' } })
  })

  it('reduces a typed website to its host', () => {
    expect(['example.com', 'HTTP://Example.com:8080/x', 'www.example.com', 'bücher.example'].map(websiteOf)).toEqual([
      'example.com',
      'example.com',
      'example.com',
      'xn--bcher-kva.example',
    ])
  })

  it('reports whether the mailbox belongs to the website: the same domain, a parent or a subdomain', () => {
    expect(isMailOfWebsite('a@nordic.example', 'nordic.example')).toBe(true)
    expect(isMailOfWebsite('a@mail.nordic.example', 'nordic.example')).toBe(true)
    expect(isMailOfWebsite('a@nordic.example', 'shop.nordic.example')).toBe(true)
    expect(isMailOfWebsite('a@gmail.example', 'nordic.example')).toBe(false)
    expect(isMailOfWebsite('a@evilnordic.example', 'nordic.example')).toBe(false)
  })
})
