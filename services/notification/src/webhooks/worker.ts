// Sends the messages to webhook endpoints: at least once, in order for each contract, and retries for three days. [D65]
// A claim of 30 s keeps two workers from one message; a worker that dies after the POST leaves the message to another one.
// An endpoint has a few messages under way, and one while it fails, so that it holds up no other endpoint.
import { sql, type Kysely } from 'kysely'
import { PLANNED_EACH_TIME } from '@paraph/database/prepared-statements'
import { progress } from '@paraph/protocol/contract-views'
import { failPoint } from '@paraph/testing/fail-point'
import { createLoop } from '@paraph/background/loop'
import { pollPauseMs } from '@paraph/background/wake-up'
import { count } from '@paraph/telemetry/metrics'
import type { Logger } from '@paraph/telemetry/logger'
import type { MailData } from '../compose/mail-data.js'
import type { WebhookEndpoints } from './endpoints.js'
import type { Post, PostResult } from './post.js'
import { signatureHeaders } from './signature.js'

/** Messages under way in this process to endpoints that work, and to those that fail: dead ones take no slot of the others. */
const [UNDER_WAY_MAX, FAILING_MAX] = [25, 25]
const OF_ENDPOINT_MAX = 5
/** Longer than an attempt with its reads and writes. */
const CLAIM_SECONDS = 30
/** Pauses before the attempts after the first one. */
const PAUSES_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
/** A pause is up to a fifth longer or shorter, so that the messages of an outage do not come at once. */
const JITTER = 0.2
const DISABLED_AFTER_DAYS = 5

interface ClaimedMessage {
  id: string
  endpointId: string
  type: string
  contractId: string | null
  happenedAt: Date
  body: string | null
  attempts: number
  url: string
  isFailing: boolean
  sealed: Buffer
  sealedKeyId: string
  previousSealed: Buffer | null
  previousSealedKeyId: string | null
}

export interface WebhookWorkerDeps {
  database: Kysely<unknown>
  openKeys: WebhookEndpoints['openKeys']
  post: Post
  /** Reads the contract from the contract service; null if it is unknown. */
  readContract: (contractId: string) => Promise<Pick<MailData, 'contractNumber' | 'status' | 'parties'> | null>
  logger: Logger
}

export function createWebhookWorker({ database, openKeys, post, readContract, logger }: WebhookWorkerDeps) {
  const underWay = new Map<Promise<void>, ClaimedMessage>()

  const loop = createLoop({
    name: 'webhooks',
    async work() {
      for (const message of await claim()) start(message)
      // Each message that ends wakes the loop.
      return false
    },
    pauseMs: pollPauseMs,
    failureMessage: 'could not read the due webhooks; retrying',
    logger,
  })

  function start(message: ClaimedMessage): void {
    const work = send(message)
      .catch((error: unknown) =>
        logger.warn(
          { err: error, messageId: message.id },
          'could not record a webhook; another attempt follows its claim',
        ),
      )
      .finally(() => {
        underWay.delete(work)
        loop.wake()
      })
    underWay.set(work, message)
  }

  /** Claims due messages, those of failing endpoints in slots of their own. */
  async function claim(): Promise<ClaimedMessage[]> {
    const failing = [...underWay.values()].filter(({ isFailing }) => isFailing).length
    const { rows } = await sql<ClaimedMessage>`
      with due as (
        (${dueMessages(false, UNDER_WAY_MAX - (underWay.size - failing))})
        union all
        (${dueMessages(true, FAILING_MAX - failing)})
      ), claimed as (
        update webhook_message m
           set claimed_until = clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS}), attempts = attempts + 1
          from due where m.id = due.id returning m.*
      )
      select c.id, c.endpoint_id as "endpointId", c.type, c.contract_id as "contractId", c.happened_at as "happenedAt", c.body,
             c.attempts, e.url, e.failing_since is not null as "isFailing", e.sealed, e.sealed_key_id as "sealedKeyId",
             case when e.previous_until > clock_timestamp() then e.previous_sealed end as "previousSealed",
             e.previous_sealed_key_id as "previousSealedKeyId"
        from claimed c join webhook_endpoint e on e.id = c.endpoint_id ${PLANNED_EACH_TIME}`.execute(database)
    return rows
  }

  /**
   * Due messages of the endpoints that have none under way here: of each, the first ones of different contracts. Sorts what an endpoint has
   * to send instead of looking for an earlier message of each one: with statistics from a time of few messages, Postgres would read all of
   * them for each. [P45]
   */
  const dueMessages = (isFailing: boolean, count: number) => sql`
    select free.id from (
      select m.id from webhook_endpoint e cross join lateral (
        select first.id from (
          select distinct on (coalesce(contract_id, id)) id, due_at, claimed_until from webhook_message
           where endpoint_id = e.id and state = 'due' order by coalesce(contract_id, id), sequence
        ) first
         where first.due_at <= clock_timestamp() and ${isUnclaimed('first')}
         order by first.due_at limit ${isFailing ? 1 : OF_ENDPOINT_MAX}
      ) next join webhook_message m on m.id = next.id
       where e.disabled_at is null and (e.failing_since is not null) = ${isFailing}
         and not e.id = any(${[...underWay.values()].map(({ endpointId }) => endpointId)}::text[])
         and m.state = 'due' and ${isUnclaimed('m')}
       limit ${count} for update of m skip locked
    ) free`

  const isUnclaimed = (row: string) => sql`coalesce(${sql.ref(`${row}.claimed_until`)} < clock_timestamp(), true)`

  async function send(message: ClaimedMessage): Promise<void> {
    const body = message.body ?? (await writeBody(message))
    const { endpointId: id, sealed, sealedKeyId, previousSealed, previousSealedKeyId } = message
    const keys = openKeys({
      id,
      sealed: { bytes: sealed, keyId: sealedKeyId },
      previous:
        previousSealed && previousSealedKeyId ? { bytes: previousSealed, keyId: previousSealedKeyId } : undefined,
    })
    const timestamp = Math.floor(Date.now() / 1_000)
    const result = await post(message.url, signatureHeaders({ id: message.id, timestamp, body }, keys), body)
    failPoint('webhook.posted')
    await record(message, result)
  }

  /** Composes the body, and stores it: every attempt has the same one. */
  async function writeBody({ id, type, contractId, happenedAt }: ClaimedMessage): Promise<string> {
    const contract = contractId === null ? null : await readContract(contractId)
    const signed = contract?.parties.filter(({ hasSigned }) => hasSigned).length ?? 0
    const total = contract?.parties.length ?? 0
    const data = contract && {
      id: contractId,
      contractNumber: contract.contractNumber,
      status: contract.status,
      signingProgress: progress(signed, total),
    }
    const body = JSON.stringify({ type, timestamp: happenedAt.toISOString(), data: data ?? {} })
    await sql`update webhook_message set body = ${body} where id = ${id}`.execute(database)
    return body
  }

  async function record(message: ClaimedMessage, result: PostResult): Promise<void> {
    const { id, endpointId, attempts } = message
    const { isDelivered, status = null, failure = null, answer } = result
    const pause = PAUSES_SECONDS[attempts - 1]
    const state = isDelivered ? 'delivered' : pause === undefined ? 'given_up' : 'due'
    const waitSeconds = (pause ?? 0) * (1 - JITTER + 2 * JITTER * Math.random())
    await database.transaction().execute(async (trx) => {
      await sql`
        update webhook_message
           set state = ${state}, status = ${status}, failure = ${failure}, answer = ${answer}, claimed_until = null,
               due_at = clock_timestamp() + make_interval(secs => ${waitSeconds}),
               finished_at = case when ${state} = 'due' then null else clock_timestamp() end
         where id = ${id}`.execute(trx)
      await sql`
        update webhook_endpoint
           set failing_since = case when ${isDelivered} then null else coalesce(failing_since, clock_timestamp()) end,
               disabled_at = case when not ${isDelivered} and failing_since < clock_timestamp() - make_interval(days => ${DISABLED_AFTER_DAYS})
                                  then clock_timestamp() else disabled_at end
         where id = ${endpointId} and (not ${isDelivered} or failing_since is not null)`.execute(trx)
    })
    count('paraph.webhook.attempts', { 'paraph.outcome': state })
    logger.info({ messageId: id, endpointId, attempt: attempts, status, state }, 'sent a webhook')
  }

  return {
    start: loop.start,
    trigger: loop.wake,
    tickAgeMs: loop.tickAgeMs,
    async stop(): Promise<void> {
      await loop.stop()
      await Promise.all(underWay.keys())
    },
  }
}
