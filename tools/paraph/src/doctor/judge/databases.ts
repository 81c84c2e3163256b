// Judges the databases: reachable, a version that is supported, roles with their rights and no more, and the newest schema. Pure.
import type { LoginInspection } from '@paraph/database/inspect-login'
import type { LoginFacts } from '../facts.js'
import { broken, look, ok, type Finding, type Page } from '../finding.js'

/** databases.sql and the unlogged windows need features of Postgres 16. */
const VERSION_MIN = 16

/** One line for each database if all of its logins are well, else a line for each error. */
export function judgeDatabases(logins: readonly LoginFacts[]): Finding[] {
  const byDatabase = Map.groupBy(logins, ({ database }) => database)
  return [...byDatabase].flatMap(([database, ofDatabase]) => {
    const findings = distinct(ofDatabase.flatMap(judgeLogin))
    const seen = ofDatabase.flatMap(({ result }) => ('failure' in result ? [] : [result]))
    return findings.length > 0 ? findings : [ok(`database ${database}`, describe(seen, ofDatabase))]
  })
}

function describe(seen: readonly LoginInspection[], logins: readonly LoginFacts[]): string {
  const migrations = seen.find((each) => each.migrations !== undefined && each.migrations.length > 0)?.migrations
  const parts = [`Postgres ${majorOf(seen[0])}`, `${logins.length === 1 ? '1 login' : `${logins.length} logins`}`]
  return [...parts, migrations === undefined ? 'migrated' : `schema ${migrations.at(-1)}`].join(', ')
}

const majorOf = (inspection: LoginInspection | undefined): number => Math.floor((inspection?.version ?? 0) / 10_000)

function judgeLogin(login: LoginFacts): Finding[] {
  if ('failure' in login.result) return [judgeFailure(login, login.result.failure)]
  const { result } = login
  return [judgeServer(login, result), ...judgeRights(login, result), judgeSchema(login, result)].filter(
    (finding) => finding !== undefined,
  )
}

/** What a code that prevented the login means. */
const FAILURES: readonly [codes: RegExp, found: string, remedy: (where: string) => string, page: Page][] = [
  [
    /^28/,
    'refuses the login',
    (where) => `Correct user and password in ${where}, or set the role's password with deploy/databases.sql.`,
    'logins',
  ],
  [
    /^(3D000|42501)$/,
    'does not exist, or this role may not connect to it',
    () => 'Run deploy/databases.sql as an administrator of the server; it can be run again.',
    'databases',
  ],
  [
    /^ENOENT$/,
    'cannot be tried, because a file that its URL names is not on this machine',
    () => 'Run this command in a pod or container that has the file.',
    'doctor',
  ],
  [
    /^53300$/,
    'has no connection left',
    () => 'Raise max_connections of the server, or run fewer replicas.',
    'connections',
  ],
  [
    /^(no_tls|ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH)/,
    'cannot be reached by TLS',
    (where) =>
      `Check that the server offers TLS, and that sslrootcert in ${where} names the authority of its certificate.`,
    'transport',
  ],
]

function judgeFailure({ database, holder, setting }: LoginFacts, code: string): Finding {
  const where = `${setting} of ${holder}`
  const known = FAILURES.find(([codes]) => codes.test(code))
  if (known) {
    const [, found, remedy, page] = known
    return broken(`database ${database}`, `${found} (${where}, ${code})`, { remedy: remedy(where), page })
  }
  return broken(`database ${database}`, `does not answer (${where}, ${code})`, {
    remedy: `Check that Postgres runs and that host and port in ${where} are right; a name of a cluster resolves only in its pods.`,
    page: 'unreachable',
  })
}

function judgeServer({ database, role, holder, setting }: LoginFacts, result: LoginInspection): Finding | undefined {
  const subject = `database ${database}`
  if (majorOf(result) < VERSION_MIN)
    return broken(subject, `runs on Postgres ${majorOf(result)}`, {
      remedy: `Move the data to Postgres ${VERSION_MIN} or newer.`,
      page: 'databases',
    })
  if (result.isStandby && role !== 'verify')
    return broken(subject, `is a standby, which accepts no write (${setting} of ${holder})`, {
      remedy: `Point ${setting} of ${holder} to the primary.`,
      page: 'unreachable',
    })
  return undefined
}

function judgeRights({ database, role, holder, setting }: LoginFacts, result: LoginInspection): Finding[] {
  const subject = `database ${database}`
  const { tables, isSuperuser, mayCreate, mayUseBus } = result
  const at = `(${setting} of ${holder})`
  const again = {
    remedy: 'Run deploy/databases.sql, then the migrations as the owner role: they give the roles their rights.',
    page: 'databases',
  } as const
  if (isSuperuser || mayCreate)
    return [
      (role === 'runtime' ? broken : look)(subject, `has a login with the rights of an administrator ${at}`, {
        remedy: `Use the ${role} role of deploy/databases.sql in ${setting} of ${holder}: rows that nobody may change are protected from it.`,
        page: 'databases',
      }),
    ]
  const findings: Finding[] = []
  if (role === 'runtime' && tables.owned > 0)
    findings.push(
      broken(subject, `belongs to the login of a service, which could change rows that are final ${at}`, again),
    )
  // The tables of the bus are reached through functions, of the schema `bus`.
  if (role === 'runtime' && database !== 'bus' && tables.unreadable > 0)
    findings.push(broken(subject, `has ${tables.unreadable} tables that the service may not read ${at}`, again))
  if (role === 'runtime' && database === 'bus' && mayUseBus === false)
    findings.push(broken(subject, `refuses the service its functions ${at}`, again))
  if (role === 'owner' && tables.owned < tables.all)
    findings.push(
      broken(subject, `has ${tables.all - tables.owned} tables that the migrations may not change ${at}`, again),
    )
  return findings
}

/** @returns undefined if the schema is the newest, or this role cannot see it */
function judgeSchema(login: LoginFacts, { migrations, mayUseBus }: LoginInspection): Finding | undefined {
  const { database, role, migrations: wanted } = login
  const subject = `database ${database}`
  // Services see the bus only through its schema.
  const applied = database === 'bus' && role === 'runtime' ? (mayUseBus === undefined ? [] : undefined) : migrations
  if (applied === undefined || role === 'verify') return undefined
  const lacking = wanted.filter((name) => !applied.includes(name))
  if (lacking.length > 0)
    return broken(subject, applied.length === 0 ? 'is not migrated' : `lacks ${nameSome(lacking)}`, {
      remedy: `Run the migration of ${database} of this version as its owner role, and read the log of its Job if it failed.`,
      page: 'upgrade',
    })
  const unknown = applied.filter((name) => !wanted.includes(name))
  if (unknown.length === 0) return undefined
  return look(subject, `has ${nameSome(unknown)}, which this version does not know`, {
    remedy: 'Run the doctor of the version that is installed, or finish the upgrade.',
    page: 'upgrade',
  })
}

const nameSome = (names: readonly string[]): string =>
  names.length === 1 ? `the migration ${names[0]}` : `${names.length} migrations`

/** Several logins often show the same error. */
const distinct = (findings: readonly Finding[]): Finding[] => [
  ...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values(),
]
