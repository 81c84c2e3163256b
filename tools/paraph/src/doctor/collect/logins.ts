// Tries every login of every database.
import { inspectLogin } from '@paraph/database/inspect-login'
import { migrations as contractMigrations } from '@paraph/contract/migrations'
import { migrations as gatewayMigrations } from '@paraph/gateway/migrations'
import { busMigrations } from '@paraph/messaging/postgres/bus-migrations'
import { migrations as notificationMigrations } from '@paraph/notification/migrations'
import type { ServiceName } from '@paraph/protocol/services'
import { migrations as signingMigrations } from '@paraph/signing/migrations'
import { DATABASES, type DatabaseName } from '../../installation/secrets.js'
import type { LoginFacts } from '../facts.js'
import type { Installation, Settings } from '../source/installation.js'

const MIGRATIONS: Readonly<Record<DatabaseName, readonly string[]>> = {
  gateway: Object.keys(gatewayMigrations).toSorted(),
  contract: Object.keys(contractMigrations).toSorted(),
  signing: Object.keys(signingMigrations).toSorted(),
  notification: Object.keys(notificationMigrations).toSorted(),
  bus: Object.keys(busMigrations).toSorted(),
}

interface Login extends Omit<LoginFacts, 'result' | 'migrations'> {
  url: string
}

export async function collectLogins(
  known: readonly { service: ServiceName; settings: Settings }[],
  { owners, verifiers }: Installation,
): Promise<LoginFacts[]> {
  const isOnKafka = known.some(({ settings }) => settings['EVENT_BUS'] === 'kafka')
  const databases = DATABASES.filter((database) => database !== 'bus' || !isOnKafka)
  const logins = [
    ...known.flatMap(({ service, settings }) => loginsOf(service, settings)),
    ...databases.flatMap((database) => [
      ...loginOf(owners[database], {
        database,
        holder: 'owners',
        setting: `${database.toUpperCase()}_OWNER_URL`,
        role: 'owner',
      }),
      ...loginOf(verifiers[database], {
        database,
        holder: 'verify',
        setting: `PARAPH_VERIFY_${database.toUpperCase()}_DATABASE_URL`,
        role: 'verify',
      }),
    ]),
  ]
  return Promise.all(
    logins.map(async ({ url, ...login }) => ({
      ...login,
      migrations: MIGRATIONS[login.database],
      result: await inspectLogin(url),
    })),
  )
}

function loginsOf(service: ServiceName, settings: Settings): Login[] {
  const { DATABASE_URL, DATABASE_DIRECT_URL, WINDOW_DATABASE_URL, BUS_DATABASE_URL, EVENT_BUS } = settings
  const runtime = (setting: string, url: string | undefined, database: DatabaseName = service) =>
    loginOf(url, { database, holder: service, setting, role: 'runtime' })
  return [
    ...runtime('DATABASE_URL', DATABASE_URL),
    // Without a pooler they are the same.
    ...(DATABASE_DIRECT_URL === DATABASE_URL ? [] : runtime('DATABASE_DIRECT_URL', DATABASE_DIRECT_URL)),
    ...runtime('WINDOW_DATABASE_URL', WINDOW_DATABASE_URL),
    ...(EVENT_BUS === 'kafka' ? [] : runtime('BUS_DATABASE_URL', BUS_DATABASE_URL, 'bus')),
  ]
}

const loginOf = (url: string | undefined, login: Omit<Login, 'url'>): Login[] =>
  url === undefined ? [] : [{ ...login, url }]
