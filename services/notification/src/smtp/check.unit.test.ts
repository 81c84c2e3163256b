import { expect, it } from 'vitest'
import type { RelayFindings } from './mailer.js'
import { describeRelay, describeTestMail } from './relay-check.js'
import { readSmtpUrl } from './smtp-url.js'

const GOOD: RelayFindings = {
  failure: undefined,
  certificate: { subject: 'mail.example.test', issuer: 'Test CA', validTo: 'Dec 31 2027' },
  offersLogin: true,
}
const failedAt = (step: NonNullable<RelayFindings['failure']>['step']): RelayFindings => ({
  ...GOOD,
  failure: { step, reason: 'ESOCKET', detail: 'ECONNREFUSED' },
})
const withLogin = readSmtpUrl('smtp://paraph:pass%40word@mail.example.test')

it('says of every step whether it works, in the order of a connection [F6]', () => {
  const steps = describeRelay(withLogin, GOOD)
  expect(steps.map(({ step, result }) => `${step} ${result}`)).toEqual([
    'name works',
    'connect works',
    'greeting works',
    'tls works',
    'login works',
  ])
  expect(describeRelay(readSmtpUrl('smtps://mail.example.test'), GOOD).map(({ step }) => step)).toEqual([
    'name',
    'connect',
    'tls',
    'greeting',
    'login',
  ])
})

it.each(['name', 'connect', 'greeting', 'tls', 'login'] as const)(
  'stops at %s when that fails, and says what to do; never the password [F6]',
  (step) => {
    const steps = describeRelay(withLogin, failedAt(step))
    const failed = steps.filter(({ result }) => result === 'failed')
    expect(failed).toMatchObject([{ step, sentence: expect.stringContaining('ECONNREFUSED') as string }])
    expect(steps.slice(steps.indexOf(failed[0]!) + 1).every(({ result }) => result === 'skipped')).toBe(true)
    expect(JSON.stringify(steps)).not.toMatch(/pass(%40|@)word/)
  },
)

it('tells of a login that is set and that the relay does not offer: mail would go without it [F6]', () => {
  expect(describeRelay(withLogin, { ...GOOD, offersLogin: false }).at(-1)).toMatchObject({
    step: 'login',
    result: 'failed',
  })
})

it('says when mail goes in the clear', () => {
  const steps = describeRelay(readSmtpUrl('smtp://10.0.0.7:25?tls=off'), GOOD)
  expect(steps.find(({ step }) => step === 'tls')).toMatchObject({ result: 'skipped' })
})

it.each(['refused', 'retry', 'silent', 'relay_away'] as const)('fails with a test mail that was %s [F7]', (outcome) => {
  expect(describeTestMail({ outcome, reason: 'smtp 554' }).result).toBe('failed')
  expect(describeTestMail({ outcome: 'accepted' }).result).toBe('works')
})
