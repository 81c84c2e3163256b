// Judges settings and secrets: present, in their format, no placeholders, and the keys of the services accept each other. Pure.
import type { Facts, SettingsFacts } from '../facts.js'
import { broken, look, ok, type Finding } from '../finding.js'

export const judgeSettings = ({ settings, absent, isTrial }: Pick<Facts, 'settings' | 'absent' | 'isTrial'>) => [
  ...settings.flatMap((each) => judgeOne(each, isTrial)),
  ...absent.map((service) =>
    broken(`settings ${service}`, 'the installation has no such service', {
      remedy: `Install ${service}, or give this command its settings too.`,
      page: 'doctor',
    }),
  ),
]

function judgeOne(facts: SettingsFacts, isTrial: boolean): Finding[] {
  const subject = `settings ${facts.service}`
  const findings = [
    ...facts.errors.map((error) =>
      broken(subject, `${withoutTypes(error)}`, {
        remedy: `Correct this setting of ${facts.service}; without it the service does not start.`,
        page: 'settings',
      }),
    ),
    ...facts.unread.map((name) =>
      look(subject, `${name} names a file that is not on this machine`, {
        remedy: `Run this command in a pod or container of ${facts.service}, which has the file.`,
        page: 'doctor',
      }),
    ),
    ...facts.samples.map((name) =>
      broken(subject, `${name} is a placeholder, not a random secret`, {
        remedy: `Replace ${name} of ${facts.service} by a random one: whoever guesses it can read or forge what it protects.`,
        page: 'rotation',
      }),
    ),
    ...facts.strangers.map((caller) =>
      broken(subject, `CALLER_PUBLIC_KEYS has no key that fits the private key of ${caller}`, {
        remedy: `Add the public half of CALLER_PRIVATE_KEY of ${caller} to CALLER_PUBLIC_KEYS of ${facts.service}; until then its calls are refused.`,
        page: 'rotation',
      }),
    ),
    // On one machine, nobody else reaches the servers that these passwords protect.
    ...(isTrial ? [] : facts.weakPasswords).map((name) =>
      look(subject, `the password in ${name} is short or well known`, {
        remedy: `Give the role in ${name} of ${facts.service} a long random password.`,
        page: 'logins',
      }),
    ),
  ]
  return findings.length > 0 ? findings : [ok(subject, 'complete, and the secrets are random')]
}

/** Zod names types where a person wants to know that the setting is missing. */
const withoutTypes = (error: string): string =>
  /received undefined$/.test(error) ? `${error.slice(0, error.indexOf(':'))} is missing` : error
