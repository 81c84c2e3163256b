// The parts of the signing service over a database of their own, with the real contract procedures over real HTTP. For tests.
// The link between the two services can be cut.
import { randomBytes } from 'node:crypto'
import { openContractFixture } from '@paraph/contract/test/contract-fixture'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase } from '@paraph/database/test-database'
import { openRpcFixture } from '@paraph/rpc/test/caller-fixture'
import { parseKeyring } from '@paraph/config/keyring'
import { createLogger } from '@paraph/telemetry/logger'
import type { ContractView } from '../src/clients/contract.js'
import type { SigningDatabase } from '../src/database.js'
import { openChain } from '../src/chain/chain-store.js'
import { createBrands } from '../src/brand/brands.js'
import { createDocuments } from '../src/documents/documents.js'
import { createDeclines } from '../src/decline/decline.js'
import { createSigning } from '../src/signature/sign.js'
import { createSignSweep } from '../src/signature/finish-attempt.js'
import { startSession, type MailboxSession } from '@paraph/codes/mailbox-session'
import { createVerificationCodes, SESSION_TTL_SECONDS } from '../src/codes/verification-code.js'

/** A request passes, its response is lost after the work was done, or it never reaches the service. */
type Line = 'up' | 'answers_lost' | 'down'

/** @param unfinishedAfterSeconds age from which the sweep finishes a submitted attempt */
export async function openCeremonyFixture({ unfinishedAfterSeconds = 15 } = {}) {
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
  const createCodes = (more: Partial<Parameters<typeof createVerificationCodes>[0]> = {}) =>
    createVerificationCodes({
      database,
      peppers,
      codeKeys,
      onCodeDue: () => undefined,
      // Codes are due immediately, because tests run a round of the sender themselves.
      pushAfterMs: { min: 0, max: 0 },
      // Longer than in production, because tests queue many requests.
      lockMsMax: 10_000,
      ...more,
    })
  const codes = createCodes()
  const { next: sweep } = createSignSweep({ database, contract, unfinishedAfterSeconds, logger })
  const signing = { ...createSigning({ database, contract, logger }), sweep }

  return {
    contracts,
    clone,
    database,
    contract,
    documents: createDocuments({ database, logger }),
    brands: createBrands({ database }),
    codeKeys,
    codes,
    createCodes,
    signing,
    decline: createDeclines({ database, contract }),
    logger,
    /** Sets the state of the link; a function sets it for each request by its path. */
    setLine: (next: Line | ((path: string) => Line)) => void (line = typeof next === 'function' ? next : () => next),
    async createContract(partyCount = 2): Promise<ContractView> {
      const { id } = await contracts.createContract(partyCount)
      const view = await contract.ceremony.byId.query({ contractId: id })
      if (!view) throw new Error('the contract is not there')
      return view
    },
    /** A session of a party's mailbox, as a correct code opens it. */
    sessionOf: (view: ContractView, partyIndex: number): Promise<MailboxSession> =>
      database.transaction().execute(async (trx) => {
        await openChain(trx, view)
        return startSession(trx, {
          scope: view.contractId,
          mailbox: view.parties[partyIndex]!.email,
          ttlSeconds: SESSION_TTL_SECONDS,
        })
      }),
    /** The types of a contract's chain entries, in order. */
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
