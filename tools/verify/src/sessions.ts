// The read-only sessions of a verification, one per database, and their snapshots. [D44]
import { openReadOnlySession, type ReadOnlySession } from '@paraph/database/read-only-session'
import type { ServiceName } from '@paraph/protocol/services'

export type Source = ServiceName | 'bus'

/** A read-only session per database. `bus` is undefined with Kafka, which has no rows. */
export type Sessions = Record<ServiceName, ReadOnlySession> & { bus: ReadOnlySession | undefined }

/** Effects before causes. */
const ORDER: readonly Source[] = ['bus', 'notification', 'signing', 'gateway', 'contract']

/** @throws the error of pg when a database cannot be reached; no session stays open then */
export async function openSessions(urls: Partial<Record<Source, string | undefined>>): Promise<Sessions> {
  const sessions: Partial<Sessions> = {}
  const opened = await Promise.allSettled(
    ORDER.map(async (source) => {
      const url = urls[source]
      if (url !== undefined) sessions[source] = await openReadOnlySession(url, 'paraph verify')
    }),
  )
  const failed = opened.find((each) => each.status === 'rejected')
  if (!failed) return sessions as Sessions
  await closeSessions(sessions)
  throw failed.reason
}

export async function closeSessions(sessions: Partial<Sessions>): Promise<void> {
  await Promise.all(ORDER.map(async (source) => sessions[source]?.close()))
}

/** Runs `work` in a snapshot of each database in `reads`. */
export async function atOneMoment<T>(sessions: Sessions, reads: readonly Source[], work: () => Promise<T>): Promise<T> {
  const used = ORDER.filter((source) => reads.includes(source)).map((source) => sessions[source])
  for (const session of used) await session?.beginSnapshot()
  try {
    return await work()
  } finally {
    await Promise.all(used.map(async (session) => session?.endSnapshot()))
  }
}

/** True when the database has the table: not every service publishes or consumes events. */
export async function hasTable(session: ReadOnlySession, table: string): Promise<boolean> {
  const [row] = await session.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [table])
  return row?.exists ?? false
}
