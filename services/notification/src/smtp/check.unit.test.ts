import { expect, it } from '@jest/globals'
import type { SmtpFindings } from './mailer.js'
import { describeSmtp, describeTestMail } from './check.js'
import { readSmtpUrl } from './smtp-url.js'

const GOOD: SmtpFindings = {
  failure: undefined,
  certificate: { subject: 'mail.example.test', issuer: 'Test CA', validTo: 'Dec 31 2027' },
  offersLogin: true,
}
const failedAt = (step: NonNullable<SmtpFindings['failure']>['step']): SmtpFindings => ({
  ...GOOD,
  failure: { step, reason: 'ESOCKET', detail: 'ECONNREFUSED' },
})
const withLogin = readSmtpUrl('smtp://paraph:pass%40word@mail.example.test')

it('the check reports every step in the order of a connection [F6]', () => {
  const steps = describeSmtp(withLogin, GOOD)
  expect(steps.map(({ step, result }) => `${step} ${result}`)).toEqual([
    'name works',
    'connect works',
    'greeting works',
    'tls works',
    'login works',
  ])
  expect(describeSmtp(readSmtpUrl('smtps://mail.example.test'), GOOD).map(({ step }) => step)).toEqual([
    'name',
    'connect',
    'tls',
    'greeting',
    'login',
  ])
})

it.each(['name', 'connect', 'greeting', 'tls', 'login'] as const)(
  'the check stops at the step %s if this step fails, and names the remedy without the password [F6]',
  (step) => {
    const steps = describeSmtp(withLogin, failedAt(step))
    const failed = steps.filter(({ result }) => result === 'failed')
    expect(failed).toMatchObject([{ step, sentence: expect.stringContaining('ECONNREFUSED') }])
    expect(steps.slice(steps.indexOf(failed[0]!) + 1).every(({ result }) => result === 'skipped')).toBe(true)
    expect(JSON.stringify(steps)).not.toMatch(/pass(%40|@)word/)
  },
)

it('the check fails if SMTP_URL contains a login and the SMTP server offers no login [F6]', () => {
  expect(describeSmtp(withLogin, { ...GOOD, offersLogin: false }).at(-1)).toMatchObject({
    step: 'login',
    result: 'failed',
  })
})

it('the check reports TLS as skipped for an SMTP server without encryption', () => {
  const steps = describeSmtp(readSmtpUrl('smtp://10.0.0.7:25?tls=off'), GOOD)
  expect(steps.find(({ step }) => step === 'tls')).toMatchObject({ result: 'skipped' })
})

it.each(['refused', 'blocked', 'retry', 'silent', 'unavailable'] as const)(
  'the check fails with a test mail that was %s [F7]',
  (outcome) => {
    expect(describeTestMail({ outcome, reason: 'smtp 554' }).result).toBe('failed')
    expect(describeTestMail({ outcome: 'accepted' }).result).toBe('works')
  },
)
