// A line of the page that `paraph doctor` prints. Texts contain names of settings and codes; never a value of a setting, an address or a key.

/** `look`: it works, and somebody should look at it. `broken`: something does not work, or will not within days. */
export type Level = 'ok' | 'look' | 'broken'

/** The pages that a finding can name, below the root of the repository. */
export const PAGES = {
  brokers: 'docs/how-to/operators/kafka.md#when-something-is-wrong',
  certificates: 'docs/how-to/operators/secrets.md#the-keys-of-evidence-and-seal',
  clocks: 'docs/how-to/operators/doctor.md#clocks',
  connections: 'docs/reference/ports-and-transport.md#connections-to-postgres',
  databases: 'docs/how-to/operators/install-compose.md#the-databases',
  doctor: 'docs/how-to/operators/doctor.md#where-to-run-it',
  logins: 'docs/how-to/operators/secrets.md#logins-of-the-databases',
  mailDomain: 'docs/how-to/operators/doctor.md#the-domain-of-the-sender',
  mailServer: 'docs/runbooks/ParaphMailRelayDown.md',
  objectStore: 'docs/how-to/operators/object-store.md#prepare-the-bucket',
  rights: 'docs/how-to/operators/kafka.md#rights-of-the-user',
  rotation: 'docs/how-to/operators/secrets.md#change-a-secret-while-clients-call',
  secrets: 'docs/how-to/operators/install-compose.md#the-secrets',
  settings: 'docs/reference/settings.md',
  silent: 'docs/runbooks/ParaphServiceSilent.md',
  topics: 'docs/how-to/operators/kafka.md#settings-of-paraph-topics-apply',
  transport: 'docs/reference/ports-and-transport.md',
  unreachable: 'docs/runbooks/ParaphDatabaseDown.md',
  upgrade: 'docs/how-to/operators/upgrade.md',
} as const
export type Page = keyof typeof PAGES

export interface Finding {
  /** Such as `database gateway`. */
  subject: string
  level: Level
  /** What was found, as the end of a sentence that begins with the subject. */
  found: string
  /** One sentence about what to do, and the page to read; absent if `level` is ok. */
  remedy?: string
  page?: Page
}

export const ok = (subject: string, found: string): Finding => ({ subject, level: 'ok', found })

interface Advice {
  remedy: string
  page: Page
}

export const look = (subject: string, found: string, advice: Advice): Finding => ({
  subject,
  level: 'look',
  found,
  ...advice,
})

export const broken = (subject: string, found: string, advice: Advice): Finding => ({
  subject,
  level: 'broken',
  found,
  ...advice,
})
