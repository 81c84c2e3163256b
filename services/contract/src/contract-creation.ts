// Makes a contract: contract, parties, outbox and idempotency rows in one transaction. [POST /contracts, D17, D20, D21]
// Owns: that transaction, its retries, finding again what was made. Does not own: what the fields may hold (protocol/contract).
import { createHash } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import { readClock } from '@paraph/database/clock'
import type { CreateContract, CreatedContract } from '@paraph/protocol/contract'
import type { Principal } from '@paraph/protocol/caller'
import { outboxInsert } from '@paraph/messaging/outbox'
import { failPoint } from '@paraph/service/fail-point'
import { seal, unseal, type Keyring } from '@paraph/service/keyring'
import { progress } from './contract.js'
import { tellTransition } from './contract-metrics.js'
import { createContractId, createContractNumber, createShareToken, hashShareToken } from './contract-id.js'
import type { ContractDatabase } from './database.js'
import { claimKey, findReplay, rememberKey, stillRunning } from './idempotency.js'

/** What identifies a POST beyond its body. */
export interface CreationRequest {
  principal: Principal
  /** Made by the gateway, unique; the same on its own retry. */
  requestId: string
  /** The gateway's own second try on a broken connection: the first may have committed. */
  isRetry: boolean
  idempotencyKey: string | undefined
  bodySha256: Buffer
}

type Created = Pick<CreatedContract, 'id' | 'contractNumber' | 'contractType' | 'parties' | 'shareToken'> & {
  createdAt: Date
  expiresAt: Date
}

const LIFETIME_SECONDS = { production: 14 * 24 * 3_600, sandbox: 3_600 } as const

/** Collisions of 36^9 suffixes within a millisecond or of 32^8 numbers a day are rare; three in a row mean a fault elsewhere. */
const TRIES_MAX = 3

/** Makes contracts. @param wakeRelay called after a commit that added an event */
export function createContractCreation({
  database,
  shareTokenKeys,
  shareBaseUrl,
  wakeRelay,
}: {
  database: Kysely<ContractDatabase>
  shareTokenKeys: Keyring
  shareBaseUrl: string
  wakeRelay: () => void
}) {
  /**
   * Makes the contract, or finds the one that this request or its Idempotency-Key already made.
   * @throws DomainError `idempotency_in_progress`, `idempotency_key_reused`
   */
  async function create(
    body: CreateContract,
    request: CreationRequest,
  ): Promise<{ contract: CreatedContract; replayed: boolean }> {
    let lookByRequest = request.isRetry
    for (let tries = 1; ; tries += 1) {
      try {
        const isFirst = request.idempotencyKey === undefined && !lookByRequest
        const { isNew, ...made } = isFirst
          ? { contract: await insert(database, body, request), replayed: false, isNew: true }
          : await database.transaction().execute((trx) => createIn(trx, body, request, lookByRequest))
        failPoint('create.committed')
        if (isNew) tellTransition(request.principal.environment, 'none', 'pending_signature')
        if (!made.replayed) wakeRelay()
        return made
      } catch (error) {
        if (tries >= TRIES_MAX || !isUniqueViolation(error)) throw error
        // The first try committed while this one waited for its unique index: the contract is there now.
        if (error.constraint === 'contract_request_unique') lookByRequest = true
      }
    }
  }

  /**
   * The contract that the request's Idempotency-Key already made; makes nothing. For a client whose quota is used up. [D4, D17]
   * @throws DomainError `idempotency_in_progress`, `idempotency_key_reused`
   */
  async function replay(request: CreationRequest): Promise<CreatedContract | undefined> {
    const key = request.idempotencyKey
    if (key === undefined) return undefined
    return database.transaction().execute(async (trx) => {
      const isClaimed = await claimKey(trx, request.principal, key, { wait: request.isRetry })
      const id = await findReplay(trx, request.principal, key, request.bodySha256)
      if (id) return rebuild(trx, id)
      if (!isClaimed) throw stillRunning()
      return undefined
    })
  }

  async function createIn(
    trx: Transaction<ContractDatabase>,
    body: CreateContract,
    request: CreationRequest,
    lookByRequest: boolean,
  ) {
    const key = request.idempotencyKey
    const isClaimed = key === undefined || (await claimKey(trx, request.principal, key, { wait: request.isRetry }))
    if (lookByRequest) {
      const id = await findByRequest(trx, request)
      if (id) return { contract: await rebuild(trx, id), replayed: false, isNew: false }
    }
    if (key !== undefined) {
      const id = await findReplay(trx, request.principal, key, request.bodySha256)
      if (id) return { contract: await rebuild(trx, id), replayed: true, isNew: false }
    }
    // Only now: many replays of one request come at once, and what they want is there.
    if (!isClaimed) throw stillRunning()
    const contract = await insert(trx, body, request)
    if (key !== undefined) {
      await rememberKey(trx, request.principal, key, { bodySha256: request.bodySha256, contractId: contract.id })
    }
    failPoint('create.stored')
    return { contract, replayed: false, isNew: true }
  }

  /** @param executor a transaction, or the database itself: it is one statement */
  async function insert(
    executor: Kysely<ContractDatabase>,
    body: CreateContract,
    request: CreationRequest,
  ): Promise<CreatedContract> {
    const { accountId, environment, account } = request.principal
    const createdAt = await readClock(executor)
    const expiresAt = new Date(createdAt.getTime() + LIFETIME_SECONDS[environment] * 1_000)
    const id = createContractId(createdAt)
    const shareToken = createShareToken()
    const sealed = seal(shareTokenKeys, shareToken, id)
    const contractNumber = createContractNumber(createdAt)
    const contract = database.insertInto('contract').values({
      id,
      account_id: accountId,
      environment,
      contract_number: contractNumber,
      contract_type: body.contractType,
      status: 'pending_signature',
      sender_name: body.senderName ?? account.senderName,
      account_name: account.name,
      mail_language: account.language,
      time_zone: account.timeZone,
      reply_address: account.replyAddress,
      content: body.content,
      content_sha256: createHash('sha256').update(body.content, 'utf8').digest(),
      metadata: JSON.stringify(body.metadata ?? {}),
      share_token_sha256: hashShareToken(shareToken),
      share_token_sealed: sealed.bytes,
      share_token_key_id: sealed.keyId,
      request_id: request.requestId,
      version: 1,
      created_at: createdAt,
      expires_at: expiresAt,
      changed_at: createdAt,
    })
    const parties = database.insertInto('party').values(
      body.parties.map((party, index) => ({
        contract_id: id,
        party_index: index,
        role: party.role,
        legal_name: party.legalName,
        email: party.email,
      })),
    )
    // No NOTIFY on a POST: nobody can wait for a contract that is being made. [D48]
    const told = outboxInsert([
      {
        topic: 'contract.events.v1',
        type: 'contract.created',
        subject: id,
        sequence: 1,
        time: createdAt,
        data: {
          ...{ contractId: id, accountId, environment, partyCount: body.parties.length },
          ...{ createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() },
        },
      },
    ])
    failPoint('create.storing')
    // One statement, for a round trip to Postgres costs this process more than anything else in a POST.
    await sql`with made as (${contract}), joined as (${parties}) ${told}`.execute(executor)
    const { contractType } = body
    // As it is stored: what is answered now and what a replay reads must be the same bytes.
    const named = body.parties.map(({ role, legalName, email }) => ({ role, legalName, email }))
    return answerOf({ id, contractNumber, contractType, parties: named, shareToken, createdAt, expiresAt })
  }

  /** The 201's contract from its immutable fields: the same bytes, however far the contract has come. [D17] */
  async function rebuild(trx: Transaction<ContractDatabase>, id: string): Promise<CreatedContract> {
    const contract = await trx
      .selectFrom('contract')
      .select([
        'contract_number',
        'contract_type',
        'created_at',
        'expires_at',
        'share_token_sealed',
        'share_token_key_id',
      ])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const parties = await trx
      .selectFrom('party')
      .select(['role', 'legal_name as legalName', 'email'])
      .where('contract_id', '=', id)
      .orderBy('party_index')
      .execute()
    // Kept for 24 h after expiresAt; a key is remembered for 24 h after creation.
    const sealed = { keyId: contract.share_token_key_id, bytes: contract.share_token_sealed ?? Buffer.alloc(0) }
    return answerOf({
      id,
      contractNumber: contract.contract_number,
      contractType: contract.contract_type,
      parties,
      shareToken: unseal(shareTokenKeys, sealed, id),
      createdAt: contract.created_at,
      expiresAt: contract.expires_at,
    })
  }

  /** The answer of a 201 from what never changes. */
  function answerOf({ shareToken, createdAt, expiresAt, ...facts }: Created): CreatedContract {
    return {
      id: facts.id,
      contractNumber: facts.contractNumber,
      shareToken,
      shareUrl: `${shareBaseUrl}/contract/${shareToken}`,
      status: 'pending_signature',
      contractType: facts.contractType,
      parties: facts.parties,
      signingProgress: progress(0, facts.parties.length),
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    }
  }

  return { create, replay }
}

export type ContractCreation = ReturnType<typeof createContractCreation>

async function findByRequest(
  trx: Transaction<ContractDatabase>,
  { principal, requestId }: CreationRequest,
): Promise<string | undefined> {
  const row = await trx
    .selectFrom('contract')
    .select('id')
    .where('account_id', '=', principal.accountId)
    .where('environment', '=', principal.environment)
    .where('request_id', '=', requestId)
    .executeTakeFirst()
  return row?.id
}

const isUniqueViolation = (error: unknown): error is Error & { constraint: string } =>
  error instanceof Error && (error as { code?: unknown }).code === '23505'
