// The signing service's parts over databases of their own, asking the real contract procedures over real HTTP. For tests.
// The line between the two can be cut, as a broken network would.
import { randomBytes } from 'node:crypto'
import { openContractFixture } from '@paraph/contract/contract-fixture'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase } from '@paraph/database/test-database'
import { openRpcFixture } from '@paraph/service/caller-fixture'
import { parseKeyring } from '@paraph/service/keyring'
import { createLogger } from '@paraph/telemetry/logger'
import type { ContractFacts } from './contract-facts.js'
import type { SigningDatabase } from './database.js'
import { openChain } from './evidence-chain.js'
import { createSigning } from './sign.js'
import { createSignSweep } from './sign-sweep.js'
import { startSession, type MailboxSession } from '@paraph/codes/mailbox-session'
import { createVerificationCodes, SESSION_TTL_SECONDS } from './verification-code.js'

/** What happens to a request: it passes, its answer gets lost after the work was done, or it never reaches the service. */
type Line = 'up' | 'answers_lost' | 'down'

/** @param unsettledAfterSeconds how long the sweeper leaves a submitted attempt alone */
export async function openCeremonyFixture({ unsettledAfterSeconds = 15 } = {}) {
  const contracts = await openContractFixture()
  const clone = await cloneTestDatabase('signing')
  const logger = createLogger('signing', 'silent')
  const database = createDatabase<SigningDatabase>(openPool(clone.url, logger, { max: 60 }))

  let line = (_path: string): Line => 'up'
  const link = await openRpcFixture({
    caller: 'signing',
    callee: 'contract',
    router: contracts.rpcRouter,
    async line(ctx, next) {
      const now = line(ctx.path)
      if (now === 'down') return void ctx.req.socket.destroy()
      await next()
      if (now === 'answers_lost') ctx.req.socket.destroy()
    },
  })
  const contract = link.rpc

  const peppers = parseKeyring(`k1:${randomBytes(32).toString('base64')}`)
  const codeKeys = parseKeyring(`k1:${randomBytes(32).toString('base64')}`)
  const codes = createVerificationCodes({
    ...{ database, peppers, codeKeys, wakeSending: () => undefined },
    // Tests send when they say so.
    pushAfterMs: { min: 0, max: 0 },
  })
  const { sweep } = createSignSweep({ database, contract, unsettledAfterSeconds, logger })
  const signing = { ...createSigning({ database, contract, logger }), sweep }

  return {
    ...{ contracts, clone, database, contract, codeKeys, codes, signing, logger },
    /** A function is asked at each request, with its path. */
    setLine: (next: Line | ((path: string) => Line)) => void (line = typeof next === 'function' ? next : () => next),
    async createContract(partyCount = 2): Promise<ContractFacts> {
      const { id } = await contracts.createContract(partyCount)
      const facts = await contract.ceremony.byId.query({ contractId: id })
      if (!facts) throw new Error('the contract is not there')
      return facts
    },
    /** A session of a party's mailbox, as a right code would have opened it. */
    sessionOf: (facts: ContractFacts, partyIndex: number): Promise<MailboxSession> =>
      database.transaction().execute(async (trx) => {
        await openChain(trx, facts)
        return startSession(trx, {
          scope: facts.contractId,
          mailbox: facts.parties[partyIndex]!.email,
          ttlSeconds: SESSION_TTL_SECONDS,
        })
      }),
    /** The chain of a contract as types, in order. */
    async chainOf(contractId: string): Promise<string[]> {
      const rows = await database
        .selectFrom('evidence_entry')
        .select('type')
        .where('contract_id', '=', contractId)
        .orderBy('seq')
        .execute()
      return rows.map(({ type }) => type)
    },
    async close() {
      await link.close()
      await database.destroy()
      await clone.drop()
      await contracts.close()
    },
  }
}

export type CeremonyFixture = Awaited<ReturnType<typeof openCeremonyFixture>>
