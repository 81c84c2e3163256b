// Distinguishes a full pool from an unavailable database: both time out for a caller that waits for a connection, but an operator
// has to act differently.
import pg from 'pg'
import { isPoolFull } from './database-failure.js'

const TIMEOUT_MS = 5_000

/** @returns a check that is true if an error means a full pool while the database at `url` answers on a separate connection */
export const answersOutsidePool =
  (url: string) =>
  async (error: unknown): Promise<boolean> =>
    isPoolFull(error) && (await answers(url))

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  })
  // Errors after the answer do not matter.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    // Not awaited: a frozen server never closes its side.
    void client.end().catch(() => undefined)
  }
}
