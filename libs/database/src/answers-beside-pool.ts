// Whether a database answers anybody, asked by a process whose own pool has no connection left to ask with. [B.5]
// A full pool and a database that is away look alike to who waits for a connection; an operator has to do different things.
import pg from 'pg'
import { isPoolFull } from './database-failure.js'

const MS_MAX = 5_000

/** @returns what says of a failure that its pool was full, while the database behind `url` answers on a connection beside the pool */
export const answersBesidePool =
  (url: string) =>
  async (error: unknown): Promise<boolean> =>
    isPoolFull(error) && (await answers(url))

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: MS_MAX, query_timeout: MS_MAX })
  // What breaks later than the answer is nobody's concern.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    // Not awaited: a server that is stopped never says goodbye.
    void client.end().catch(() => undefined)
  }
}
