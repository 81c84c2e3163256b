// Prepares each repeated statement once per connection, so that Postgres parses and plans it once. [P45]
// Owns: the names, and what a session has forgotten. Does not own: connections (pool.ts).
import { sql } from 'kysely'
import type pg from 'pg'

/** Bounds the plans that a session keeps. Later statements have no name: Postgres plans them each time. */
const NAMES_MAX = 500

const MARK = '/* planned each time */'

/**
 * Ends a statement that gets no name, because its plan must fit the present size of the tables. A plan from the
 * time when a queue was empty may compare each row of a later backlog with each other one, until Postgres analyses the table.
 */
export const PLANNED_EACH_TIME = sql.raw(MARK)

type Send = (config: unknown, values?: unknown, ...rest: unknown[]) => Promise<unknown>

/** Statement → its name; the same in every connection of this process. */
const names = new Map<string, string>()

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= NAMES_MAX || text.endsWith(MARK)) return known
  const name = `paraph_${names.size}`
  names.set(text, name)
  return name
}

/**
 * Gives every statement with parameters a name. Call it once for a new connection, before its first statement. Behind a pooler it changes
 * nothing, because a pooler in transaction mode hands each transaction to another session, which does not know the names.
 * @throws what pg throws when the server does not answer
 */
export async function prepareStatements(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const { processID: pid } = client as { processID?: number }
  // A pooler has told the client a number of its own.
  if (rows[0]?.pid !== pid) return

  const send = client.query.bind(client) as Send
  /** Ends each name. Grows when the session has forgotten its names or refuses one, so that the next statement is prepared again. */
  let generation = 0

  async function sendNamed(name: string, text: string, values: unknown[]): Promise<unknown> {
    const isOwnTransaction = (client as unknown as { getTransactionStatus(): string }).getTransactionStatus() === 'I'
    const sendOnce = () => send({ name: `${name}_${generation}`, text }, values)
    try {
      return await sendOnce()
    } catch (error) {
      if (!isPlanLost(error)) throw error
      generation += 1
      // Postgres has aborted the transaction. Only its caller can repeat it.
      if (!isOwnTransaction) throw error
      return sendOnce()
    }
  }

  client.query = ((config: unknown, values?: unknown, ...rest: unknown[]) => {
    const isRepeatable = typeof config === 'string' && Array.isArray(values) && values.length > 0 && rest.length === 0
    const name = isRepeatable ? nameOf(config) : undefined
    return name === undefined ? send(config, values, ...rest) : sendNamed(name, config as string, values as unknown[])
  }) as typeof client.query
}

/**
 * True if a prepared statement was not executed and the same statement can succeed at once: the session has forgotten it (DISCARD ALL), or a
 * migration has changed the types of its columns.
 */
export function isPlanLost(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: unknown; routine?: unknown }
  return code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery')
}
