// Reads the request log for the console. [D62]
import { sql, type Kysely } from 'kysely'
import type { Environment } from '@paraph/protocol/environment'
import type { ErrorCode } from '@paraph/protocol/errors'
import type { GatewayDatabase } from '../database.js'

export const PAGE_ROWS = 50

/** The answers that a page may show. */
export const OUTCOMES = ['2xx', '3xx', '4xx', '5xx'] as const
export type Outcome = (typeof OUTCOMES)[number]

export interface RequestFilter {
  accountId: string
  environment: Environment
  outcome?: Outcome | undefined
  keyId?: string | undefined
  /** In lower case. */
  requestId?: string | undefined
  /** Only calls before that with this id. */
  before?: number | undefined
}

export interface LoggedCall {
  id: number
  at: Date
  /** The name of the key. */
  keyName: string
  method: string
  route: string
  status: number
  code: ErrorCode | null
  durationMs: number
  requestId: string
}

/** The newest calls first. @returns `older`: the id for `before` of the next page, or null if there is none */
export async function readRequests(
  database: Kysely<GatewayDatabase>,
  { accountId, environment, outcome, keyId, requestId, before }: RequestFilter,
): Promise<{ calls: LoggedCall[]; older: number | null }> {
  let query = database
    .selectFrom('request_log as call')
    .innerJoin('api_key as key', 'key.id', 'call.key_id')
    .select(['call.id', 'call.at', 'key.name as keyName', 'call.method', 'call.route', 'call.status', 'call.code'])
    .select(['call.duration_ms as durationMs', 'call.request_id as requestId'])
    .where('call.account_id', '=', accountId)
    .where('call.environment', '=', environment)
    .orderBy('call.id', 'desc')
    .limit(PAGE_ROWS + 1)
  if (outcome) query = query.where(sql<boolean>`call.status / 100 = ${Number(outcome[0])}`)
  if (keyId !== undefined) query = query.where('call.key_id', '=', keyId)
  if (requestId !== undefined) query = query.where('call.request_id', '=', requestId)
  if (before !== undefined) query = query.where('call.id', '<', before)
  const rows = await query.execute()
  const calls = rows.slice(0, PAGE_ROWS)
  return { calls, older: rows.length > PAGE_ROWS ? (calls.at(-1)?.id ?? null) : null }
}
