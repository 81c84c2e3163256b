// The read-only sessions of a verification, one per database, and their snapshots. [D44]
import { openReadOnlySession, type ReadOnlySession } from '@paraph/database/read-only-session'
import type { ServiceName } from '@paraph/protocol/services'

export type Source = ServiceName | 'bus'

/** A read-only session per database. `bus` is undefined with Kafka, which has no rows. */
export type Sessions = Record<ServiceName, ReadOnlySession> & { bus: ReadOnlySession | undefined }

/** Snapshots begin in this order, effects before causes: a later snapshot contains the cause of every effect in an earlier one. */
const ORDER: readonly Source[] = ['bus', 'notification', 'signing', 'gateway', 'contract']

/** @throws the error of pg when a database cannot be reached; no session stays open then */
export async function openSessions(urls: Partial<Record<Source, string | undefined>>): Promise<Sessions> {
  const sessions: Partial<Sessions> = {}
  try {
    for (const source of ORDER) {
      const url = urls[source]
      if (url !== undefined) sessions[source] = await openReadOnlySession(url, 'paraph verify')
    }
    return sessions as Sessions
  } catch (error) {
    await closeSessions(sessions)
    throw error
  }
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
