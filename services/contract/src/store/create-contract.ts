// Creates a contract: contract, parties, words, outbox and idempotency rows in one transaction. [POST /contracts, D17, D20, D21]
// Owns: that transaction, its retries, and the look-up of a contract that an earlier try created.
import { createHash } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import { readClock } from '@paraph/database/clock'
import type { CreateContract } from '@paraph/protocol/contract'
import type { CreatedContract } from '@paraph/protocol/contract-views'
import type { Principal } from '@paraph/protocol/principal'
import { outboxInsert } from '@paraph/messaging/outbox'
import { failPoint } from '@paraph/testing/fail-point'
import { seal, unseal, type Keyring } from '@paraph/config/keyring'
import { progress } from '@paraph/protocol/contract-views'
import { decide, evolve, type ContractCreated } from '../domain/contract.js'
import { outboxRowOf } from '../domain/events.js'
import { recordTransition } from '../metrics.js'
import { createContractId, createContractNumber, createShareToken, hashShareToken } from '../domain/contract-id.js'
import type { ContractDatabase } from '../database.js'
import { readContract } from './contract-record.js'
import { wordInsert, wordsOfContract } from './contract-words.js'
import { claimKey, findReplay, idempotencyInProgress, storeKey } from './idempotency.js'

type Trx = Transaction<ContractDatabase>

/** The parts of a POST that identify it, in addition to its body. */
export interface CreationRequest {
  principal: Principal
  /** Unique; set by the gateway, which sends the same value on its own retry. */
  requestId: string
  /** True for the gateway's retry after a broken connection: the first try may have committed. */
  isRetry: boolean
  idempotencyKey: string | undefined
  bodySha256: Buffer
}

interface CreationDeps {
  database: Kysely<ContractDatabase>
  shareTokenKeys: Keyring
  /** Share links begin with this URL; no slash at the end. */
  shareBaseUrl: string
  /** Called after a commit that added an event. */
  notifyRelay: () => void
}

/** The immutable fields of a contract, from which every 201 for this contract is built. */
type Created = Pick<CreatedContract, 'id' | 'contractNumber' | 'contractType' | 'parties' | 'shareToken'> & {
  event: ContractCreated
}

/** Id suffixes (36^9 a millisecond) and numbers (32^8 a day) rarely collide, so three collisions in a row have another cause. */
const TRIES_MAX = 3

export function createContractCreation({ database, shareTokenKeys, shareBaseUrl, notifyRelay }: CreationDeps) {
  /**
   * Creates the contract, or returns the one that this request or its Idempotency-Key already created.
   * @returns `replayed` is true when an earlier request with the same Idempotency-Key created the contract
   * @throws DomainError `idempotency_in_progress`, `idempotency_key_reused`
   */
  async function create(
    body: CreateContract,
    request: CreationRequest,
  ): Promise<{ contract: CreatedContract; replayed: boolean }> {
    let mayExist = request.isRetry
    for (let tries = 1; ; tries += 1) {
      try {
        const isFirst = request.idempotencyKey === undefined && !mayExist
        const { isNew, replayed, created } = isFirst
          ? { created: await insert(database, body, request, shareTokenKeys), replayed: false, isNew: true }
          : await database.transaction().execute((trx) => createIn(trx, body, request, mayExist))
        failPoint('create.committed')
        const contract = answerOf(created, shareBaseUrl)
        if (isNew) recordTransition(request.principal.environment, 'none', contract.status)
        if (!replayed) notifyRelay()
        return { contract, replayed }
      } catch (error) {
        if (tries >= TRIES_MAX || !isUniqueViolation(error)) throw error
        // The gateway's first try committed while this retry waited for the unique index of `request_id`.
        if (error.constraint === 'contract_request_unique') mayExist = true
      }
    }
  }

  /**
   * Finds the contract that the Idempotency-Key already created. Creates none, because the client's quota is used up. [D4, D17]
   * @throws DomainError `idempotency_in_progress`, `idempotency_key_reused`
   */
  async function replay(request: CreationRequest): Promise<CreatedContract | undefined> {
    if (request.idempotencyKey === undefined) return undefined
    const found = await database.transaction().execute((trx) => findCreated(trx, request, false))
    return found && answerOf(found.created, shareBaseUrl)
  }

  /** Finds the contract that this request, or an earlier request with its Idempotency-Key, created. Locks the key. @throws as `create` */
  async function findCreated(trx: Trx, request: CreationRequest, mayExist: boolean) {
    const { principal, idempotencyKey: key, bodySha256, isRetry } = request
    const isClaimed = key === undefined || (await claimKey(trx, principal, key, { wait: isRetry }))
    const ownId = mayExist ? await findByRequest(trx, request) : undefined
    const id = ownId ?? (key === undefined ? undefined : await findReplay(trx, principal, key, bodySha256))
    if (id !== undefined) return { created: await readCreated(trx, id, shareTokenKeys), replayed: ownId === undefined }
    // Checked last, because concurrent replays do not get the lock although the contract exists.
    if (!isClaimed) throw idempotencyInProgress()
    return undefined
  }

  async function createIn(trx: Trx, body: CreateContract, request: CreationRequest, mayExist: boolean) {
    const found = await findCreated(trx, request, mayExist)
    if (found) return { ...found, isNew: false }
    const created = await insert(trx, body, request, shareTokenKeys)
    const { principal, idempotencyKey: key, bodySha256 } = request
    if (key !== undefined) await storeKey(trx, principal, key, { bodySha256, contractId: created.id })
    failPoint('create.stored')
    return { created, replayed: false, isNew: true }
  }

  return { create, replay }
}

export type ContractCreation = ReturnType<typeof createContractCreation>

/** @param executor a transaction, or the database itself, because one statement inserts all rows */
async function insert(
  executor: Kysely<ContractDatabase>,
  body: CreateContract,
  { principal, requestId }: CreationRequest,
  shareTokenKeys: Keyring,
): Promise<Created> {
  const { accountId, environment, account } = principal
  const createdAt = await readClock(executor)
  const { cancelsOnDecline } = account
  const command = { type: 'create', environment, partyCount: body.parties.length, cancelsOnDecline } as const
  const [event] = decide(undefined, command, createdAt).events
  const { status, version, expiresAt } = evolve(undefined, event)
  const id = createContractId(createdAt)
  const shareToken = createShareToken()
  const sealed = seal(shareTokenKeys, shareToken, id)
  const contractNumber = createContractNumber(createdAt)
  const senderName = body.senderName ?? account.senderName
  const contract = executor
    .insertInto('contract')
    .values({
      id,
      account_id: accountId,
      environment,
      contract_number: contractNumber,
      contract_type: body.contractType,
      status,
      sender_name: senderName,
      account_name: account.name,
      mail_language: account.language,
      time_zone: account.timeZone,
      reply_address: account.replyAddress,
      cancels_on_decline: cancelsOnDecline,
      reminds_parties: account.remindsParties,
      content: body.content,
      content_sha256: createHash('sha256').update(body.content, 'utf8').digest(),
      metadata: JSON.stringify(body.metadata ?? {}),
      share_token_sha256: hashShareToken(shareToken),
      share_token_sealed: sealed.bytes,
      share_token_key_id: sealed.keyId,
      request_id: requestId,
      version,
      created_at: createdAt,
      expires_at: expiresAt,
      changed_at: createdAt,
    })
  const parties = executor.insertInto('party').values(
    body.parties.map(({ role, legalName: legal_name, email }, party_index) => {
      return { contract_id: id, party_index, role, legal_name, email }
    }),
  )
  const words = wordInsert(
    { contractId: id, accountId, environment, expiresAt },
    wordsOfContract({ ...body, contractNumber, senderName }),
  )
  const outbox = outboxInsert([outboxRowOf(event, version, { contractId: id, accountId, environment })])
  failPoint('create.storing')
  // One statement: round trips to Postgres are the largest cost of a POST in this process.
  await sql`with new_contract as (${contract}), new_parties as (${parties}), new_words as (${words}) ${outbox}`.execute(
    executor,
  )
  return {
    id,
    contractNumber,
    contractType: body.contractType,
    // Only the stored fields: this answer and a later replay must have the same bytes.
    parties: body.parties.map(({ role, legalName, email }) => ({ role, legalName, email })),
    shareToken,
    event,
  }
}

/** Reads a contract as it was after its creation; later signatures and changes of status do not matter. [D17] */
async function readCreated(trx: Trx, id: string, shareTokenKeys: Keyring): Promise<Created> {
  const record = await readContract(trx, sql`c.id = ${id}`)
  // The ciphertext is kept for a day longer than the Idempotency-Key.
  if (!record?.shareToken) throw new Error(`contract ${id} has no share token any more`)
  const { contractNumber, contractType, createdAt, expiresAt, parties, shareToken, cancelsOnDecline } = record
  return {
    id,
    contractNumber,
    contractType,
    parties: parties.map(({ role, legalName, email }) => ({ role, legalName, email })),
    shareToken: unseal(shareTokenKeys, shareToken, id),
    event: { type: 'created', at: createdAt, expiresAt, partyCount: parties.length, cancelsOnDecline },
  }
}

/** The contract in the body of a 201. */
function answerOf({ event, ...created }: Created, shareBaseUrl: string): CreatedContract {
  const { status, signatures, partyCount } = evolve(undefined, event)
  return {
    id: created.id,
    contractNumber: created.contractNumber,
    shareToken: created.shareToken,
    shareUrl: `${shareBaseUrl}/contract/${created.shareToken}`,
    status,
    contractType: created.contractType,
    parties: created.parties,
    signingProgress: progress(signatures.length, partyCount),
    createdAt: event.at.toISOString(),
    expiresAt: event.expiresAt.toISOString(),
  }
}

async function findByRequest(trx: Trx, { principal, requestId }: CreationRequest): Promise<string | undefined> {
  const { accountId: account_id, environment } = principal
  const row = await trx
    .selectFrom('contract')
    .select('id')
    .where(({ and }) => and({ account_id, environment, request_id: requestId }))
    .executeTakeFirst()
  return row?.id
}

const isUniqueViolation = (error: unknown): error is Error & { constraint: string } =>
  error instanceof Error && (error as { code?: unknown }).code === '23505'
