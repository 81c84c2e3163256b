// The webhook endpoints of an account: made, rotated, enabled and removed by its owners. [D65]
// The signing keys are shown once; the table has them encrypted. Does not own: messages to an endpoint (messages.ts, worker.ts).
import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { seal, unseal, type Keyring } from '@paraph/config/keyring'
import { DomainError } from '@paraph/protocol/errors'
import type { Principal } from '@paraph/protocol/principal'
import { isIP } from 'node:net'
import type { Failure } from './post.js'
import { isLoopback } from './public-address.js'
import { newSigningKeys, type SigningKeys } from './signature.js'

/** Endpoints of an account in one environment. */
export const ENDPOINTS_MAX = 5
const URL_LENGTH_MAX = 500
/** How long the keys before a rotation sign too. */
const OVERLAP_HOURS = 24
const MESSAGES_SHOWN = 50

type Owner = Pick<Principal, 'accountId' | 'environment'>

interface EndpointRow {
  id: string
  url: string
  publicKey: string
  createdAt: Date
  failingSince: Date | null
  disabledAt: Date | null
  previousUntil: Date | null
}

interface MessageRow {
  id: string
  type: string
  contractId: string | null
  state: 'due' | 'delivered' | 'given_up'
  attempts: number
  status: number | null
  failure: Failure | null
  answer: string | null
  createdAt: Date
  dueAt: Date
  finishedAt: Date | null
}

export interface EndpointsDeps {
  database: Kysely<unknown>
  keys: Keyring
  allowsLoopback: boolean
  /** Called after a message was added or made due. */
  triggerWorker: () => void
}

const COLUMNS = sql.raw(`id, url, public_key as "publicKey", created_at as "createdAt", failing_since as "failingSince",
  disabled_at as "disabledAt", case when previous_until > clock_timestamp() then previous_until end as "previousUntil"`)

export function createWebhookEndpoints({ database, keys, allowsLoopback, triggerWorker }: EndpointsDeps) {
  const sealKeys = (id: string, signing: SigningKeys) => seal(keys, JSON.stringify(signing), contextOf(id))

  /** @throws DomainError `not_found`, also for an endpoint of another account or environment */
  async function find({ accountId, environment }: Owner, id: string): Promise<EndpointRow> {
    const { rows } = await sql<EndpointRow>`
      select ${COLUMNS} from webhook_endpoint
       where id = ${id} and account_id = ${accountId} and environment = ${environment}`.execute(database)
    if (!rows[0]) throw new DomainError('not_found', 'There is no such endpoint in this account and environment.')
    return rows[0]
  }

  return {
    /** The endpoints of an account, oldest first. */
    async list({ accountId, environment }: Owner) {
      const { rows } = await sql<EndpointRow>`
        select ${COLUMNS} from webhook_endpoint where account_id = ${accountId} and environment = ${environment}
         order by created_at`.execute(database)
      return rows.map(viewOf)
    },

    /** One endpoint with its newest messages. @throws DomainError `not_found` */
    async read(owner: Owner, id: string) {
      const endpoint = await find(owner, id)
      const { rows } = await sql<MessageRow>`
        select id, type, contract_id as "contractId", state, attempts, status, failure, answer, created_at as "createdAt",
               due_at as "dueAt", finished_at as "finishedAt"
          from webhook_message where endpoint_id = ${id} order by sequence desc limit ${MESSAGES_SHOWN}`.execute(
        database,
      )
      return { ...viewOf(endpoint), messages: rows.map(messageViewOf) }
    },

    /**
     * Makes an endpoint. @returns its id and keys, which cannot be read again
     * @throws DomainError `invalid_request` for a URL that no message may go to, and beyond ENDPOINTS_MAX
     */
    async create({ accountId, environment }: Owner, url: string) {
      const wrong = urlError(url, allowsLoopback)
      if (wrong !== undefined) throw new DomainError('invalid_request', wrong)
      const id = `hook_${randomUUID()}`
      const signing = newSigningKeys()
      const { bytes, keyId } = sealKeys(id, signing)
      await database.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${accountId} ${environment}`}, 0))`.execute(
          trx,
        )
        const { rows } = await sql<{ count: number }>`
          select count(*)::int as count from webhook_endpoint
           where account_id = ${accountId} and environment = ${environment}`.execute(trx)
        if ((rows[0]?.count ?? 0) >= ENDPOINTS_MAX)
          throw new DomainError('invalid_request', `The account has ${ENDPOINTS_MAX} endpoints, which is the most.`)
        await sql`
          insert into webhook_endpoint (id, account_id, environment, url, public_key, sealed, sealed_key_id)
          values (${id}, ${accountId}, ${environment}, ${url}, ${signing.publicKey}, ${bytes}::bytea, ${keyId})`.execute(
          trx,
        )
      })
      return { id, secret: signing.secret, publicKey: signing.publicKey }
    },

    /** Makes new keys. Those before it sign too for 24 hours. @throws DomainError `not_found` */
    async rotate(owner: Owner, id: string) {
      await find(owner, id)
      const signing = newSigningKeys()
      const { bytes, keyId } = sealKeys(id, signing)
      await sql`
        update webhook_endpoint
           set previous_sealed = sealed, previous_sealed_key_id = sealed_key_id,
               previous_until = clock_timestamp() + make_interval(hours => ${OVERLAP_HOURS}),
               sealed = ${bytes}::bytea, sealed_key_id = ${keyId}, public_key = ${signing.publicKey}
         where id = ${id}`.execute(database)
      return { id, secret: signing.secret, publicKey: signing.publicKey }
    },

    /** Lets a disabled endpoint hear of events again, from now on and of what is still due. @throws DomainError `not_found` */
    async enable(owner: Owner, id: string): Promise<void> {
      await find(owner, id)
      await sql`update webhook_endpoint set disabled_at = null, failing_since = null, is_reported = false where id = ${id}`.execute(
        database,
      )
      triggerWorker()
    },

    /** Removes an endpoint with its messages. @throws DomainError `not_found` */
    async remove(owner: Owner, id: string): Promise<void> {
      await find(owner, id)
      await sql`delete from webhook_endpoint where id = ${id}`.execute(database)
    },

    /** Adds a message that is about no contract. @throws DomainError `not_found` */
    async sendTest(owner: Owner, id: string): Promise<void> {
      await find(owner, id)
      await sql`
        insert into webhook_message (id, endpoint_id, type, happened_at)
        values (${`msg_${randomUUID()}`}, ${id}, 'test', clock_timestamp())`.execute(database)
      triggerWorker()
    },

    /** Makes a message due now, whatever became of it. @throws DomainError `not_found` */
    async sendAgain(owner: Owner, id: string, messageId: string): Promise<void> {
      await find(owner, id)
      const { numAffectedRows } = await sql`
        update webhook_message set state = 'due', due_at = clock_timestamp(), attempts = 0, finished_at = null
         where id = ${messageId} and endpoint_id = ${id}`.execute(database)
      if (!numAffectedRows) throw new DomainError('not_found', 'There is no such message to this endpoint.')
      triggerWorker()
    },

    /** Decrypts the keys that sign now, the current ones first. */
    openKeys({ id, sealed, previous }: SealedKeys): Pick<SigningKeys, 'secret' | 'privateKey'>[] {
      return [sealed, ...(previous ? [previous] : [])].map(
        (each) => JSON.parse(unseal(keys, each, contextOf(id))) as SigningKeys,
      )
    },
  }
}

export type WebhookEndpoints = ReturnType<typeof createWebhookEndpoints>

interface SealedKeys {
  /** Of the endpoint. */
  id: string
  sealed: { keyId: string; bytes: Buffer }
  previous: { keyId: string; bytes: Buffer } | undefined
}

/** Why no message may go to `url`; undefined if it may. The address behind its name is checked at each connection. */
export function urlError(url: string, allowsLoopback: boolean): string | undefined {
  if (url.length > URL_LENGTH_MAX) return `The URL may have at most ${URL_LENGTH_MAX} characters.`
  const parsed = URL.parse(url)
  if (!parsed) return 'This is not a URL. It begins with https://.'
  const { protocol, username, password, hostname } = parsed
  if (username !== '' || password !== '')
    return 'The URL may not contain a user or password. Put a token into its path.'
  const host = hostname.replace(/^\[|\]$/g, '')
  const isOwnMachine = allowsLoopback && (host === 'localhost' || (isIP(host) !== 0 && isLoopback(host)))
  if (protocol === 'https:' || (protocol === 'http:' && isOwnMachine)) return undefined
  return 'The URL must begin with https://.'
}

const viewOf = ({ createdAt, failingSince, disabledAt, previousUntil, ...endpoint }: EndpointRow) => ({
  ...endpoint,
  createdAt: createdAt.toISOString(),
  failingSince: failingSince?.toISOString() ?? null,
  disabledAt: disabledAt?.toISOString() ?? null,
  previousUntil: previousUntil?.toISOString() ?? null,
})

const messageViewOf = ({ createdAt, dueAt, finishedAt, ...message }: MessageRow) => ({
  ...message,
  createdAt: createdAt.toISOString(),
  /** When the next attempt begins; null after the last one. */
  dueAt: message.state === 'due' ? dueAt.toISOString() : null,
  finishedAt: finishedAt?.toISOString() ?? null,
})

/** Binds a ciphertext to its row. */
const contextOf = (id: string): string => `webhook:${id}`
