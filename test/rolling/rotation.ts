// Rotates every secret of a rig, following docs/how-to/operators/secrets.md: adds the new value beside the old one, then uses the new one, then removes the
// old one. Each step ends with a rollout. [F25, D45]
// Owns: the steps, with these settings and roles. Does not own: their schedule and the checks meanwhile (rotation.e2e.test.ts).
import { createPublicKey, randomBytes, X509Certificate } from 'node:crypto'
import { databaseUrl } from '@paraph/paraph/installation/environment'
import { makeSecrets, type Secrets } from '@paraph/paraph/installation/secrets'
import { CALLERS, SERVICES, type ServiceName } from '@paraph/protocol/services'
import type { Environment } from '@paraph/protocol/environment'
import { thumbprintOf, writeListed } from '@paraph/signing/sealing/key-list'
import type { Rig } from './rig.js'

const RINGS = [
  ...(['shareTokenKeys', 'codePeppers', 'signingCodeKeys', 'notificationCodeKeys'] as const),
  ...(['consoleCodePeppers', 'consoleCodeKeys'] as const),
]
const PAGE_SECRETS = ['pageSecret', 'consolePageSecret'] as const
const LOGINS = { old: 'paraph:old', next: 'paraph:new' }

/** The steps for `rig`, in their order. */
export async function planRotation(rig: Rig) {
  const old = rig.secrets()
  const made = await makeSecrets()
  const next = { ...made, ...mapped(RINGS, (name) => made[name].replace(/^k1:/, 'k2:')) }
  /** Comma-separated lists of secrets, each with the value of the first set before that of the second. */
  const listsOf = (...[first, second]: [Secrets, Secrets]): Partial<Secrets> =>
    mapped([...RINGS, ...PAGE_SECRETS], (name) => `${first[name]},${second[name]}`)
  const passwords = mapped(SERVICES, () => randomBytes(24).toString('hex'))
  const smtpUrl = (login: string) => `smtp://${login}@127.0.0.1:${rig.mailServer.port}`

  const publicKeys = (...sets: Secrets[]): Record<string, string> => ({
    CALLER_PUBLIC_KEYS: JSON.stringify(
      mapped(CALLERS, (caller) =>
        caller === 'operator'
          ? [old.callerKeys.operator.public]
          : sets.map(({ callerKeys }) => callerKeys[caller].public),
      ),
    ),
  })

  /** The second database role of a service, which has the rights of the first role as its member. */
  const secondLogin = (service: ServiceName): string => `${service}_runtime_2`
  function urlsOfSecondLogin(service: ServiceName): Record<string, string> {
    const [own, bus] = [service, 'bus' as const].map((database) => {
      const url = new URL(databaseUrl({ ports: rig.ports, secrets: old }, database, 'runtime', service))
      url.username = secondLogin(service)
      url.password = passwords[service]
      return url.href
    }) as [string, string]
    return { DATABASE_URL: own, DATABASE_DIRECT_URL: own, BUS_DATABASE_URL: bus }
  }

  return {
    /** Gives notification an SMTP login, and makes the SMTP server require it. Preparation, because `npm start` sets no login. */
    async begin(): Promise<void> {
      rig.change({ settings: { notification: { SMTP_URL: smtpUrl(LOGINS.old) } } })
      await rig.roll(['notification'])
      rig.mailServer.askForLogin(LOGINS.old)
    },
    /** 1. All services accept the new values, and none uses them; only new logins, which no service verifies, are used immediately. */
    async addNew(): Promise<void> {
      for (const service of SERVICES)
        await rig.query(
          service,
          `create role ${secondLogin(service)} login password '${passwords[service]}' in role ${service}_runtime`,
        )
      rig.mailServer.askForLogin(LOGINS.old, LOGINS.next)
      rig.change({
        secrets: listsOf(old, next),
        settings: mapped(SERVICES, (service) => ({
          ...publicKeys(old, next),
          ...urlsOfSecondLogin(service),
          ...(service === 'notification' ? { SMTP_URL: smtpUrl(LOGINS.next) } : {}),
        })),
      })
      await rig.roll()
    },
    /** 2. Services use the new values, and still accept the old ones. */
    async useNew(): Promise<void> {
      const { production, sandbox } = old.evidenceKeys
      rig.change({
        secrets: {
          ...listsOf(next, old),
          callerKeys: { ...next.callerKeys, operator: old.callerKeys.operator },
          evidenceKeys: next.evidenceKeys,
        },
        settings: {
          signing: {
            EVIDENCE_RETIRED_KEYS: [
              retiredKey('production', production.evidenceKey),
              retiredKey('sandbox', sandbox.evidenceKey),
            ].join(''),
            SEAL_RETIRED_CERTIFICATES: [
              retiredCertificate('production', production.sealCertificate),
              retiredCertificate('sandbox', sandbox.sealCertificate),
            ].join(''),
          },
        },
      })
      await rig.roll()
    },
    /** 3. Removes the old values, except those in lists, which existing data needs for a day or longer. */
    async dropOld(): Promise<void> {
      const left = await rig.query<{ usename: string }>(
        'gateway',
        'select distinct usename from pg_stat_activity where usename = any($1)',
        [SERVICES.map((service) => `${service}_runtime`)],
      )
      if (left.length > 0)
        throw new Error(`The old logins are still used: ${left.map(({ usename }) => usename).join()}`)
      for (const service of SERVICES) await rig.query(service, `alter role ${service}_runtime nologin`)
      rig.mailServer.askForLogin(LOGINS.next)
      rig.change({ settings: mapped(SERVICES, () => publicKeys(next)) })
      await rig.roll()
    },
  }
}

/** Keys and certificates as the settings list them: below a line with environment and last day. */
const retiredNote = (environment: Environment) => ({ environment, lastDay: new Date().toISOString().slice(0, 10) })
function retiredKey(environment: Environment, privatePem: string): string {
  const key = createPublicKey(privatePem)
  return writeListed(
    thumbprintOf(key),
    retiredNote(environment),
    key.export({ type: 'spki', format: 'pem' }).toString(),
  )
}
function retiredCertificate(environment: Environment, pem: string): string {
  const certificate = new X509Certificate(pem)
  return writeListed(certificate.fingerprint256, retiredNote(environment), certificate.toString())
}

const mapped = <Name extends string, Value>(names: readonly Name[], of: (name: Name) => Value) =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, Value>
