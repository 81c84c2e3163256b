// The signing service's parts over databases of their own, asking the real contract procedures over real HTTP. For tests.
// The line between the two can be cut, as a broken network would.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import Koa from 'koa'
import { openContractFixture } from '@paraph/contract/contract-fixture'
import { createRpcRouter, type RpcRouter } from '@paraph/contract/rpc-router'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase } from '@paraph/database/test-database'
import { createTokenSigner, createTokenVerifier } from '@paraph/service/caller-token'
import { parseKeyring } from '@paraph/service/keyring'
import { renderErrors } from '@paraph/service/render-errors'
import { createRpcClient } from '@paraph/service/rpc-link'
import { mountRpc } from '@paraph/service/rpc-mount'
import { createLogger } from '@paraph/telemetry/logger'
import type { ContractFacts } from './contract-facts.js'
import type { SigningDatabase } from './database.js'
import { createSigning } from './sign.js'
import { createVerificationCodes } from './verification-code.js'

/** What happens to a request: it passes, its answer gets lost after the work was done, or it never reaches the service. */
export type Line = 'up' | 'answers_lost' | 'down'

/** @param unsettledAfterSeconds how long the sweeper leaves a submitted attempt alone */
export async function openCeremonyFixture({ unsettledAfterSeconds = 15 } = {}) {
  const contracts = await openContractFixture()
  const clone = await cloneTestDatabase('signing')
  const logger = createLogger('signing', 'silent')
  const database = createDatabase<SigningDatabase>(openPool(clone.url, logger, { max: 60 }))

  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const signer = createTokenSigner('signing', privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'))
  const verify = createTokenVerifier('contract', {
    signing: [publicKey.export({ format: 'der', type: 'spki' }).toString('base64')],
  })
  const shareTokenKeys = parseKeyring(`k1:${randomBytes(32).toString('base64')}`)
  const router = createRpcRouter({ store: contracts.store, shareTokenKeys, shareBaseUrl: 'https://sign.example.test' })

  let line = (_path: string): Line => 'up'
  const app = new Koa()
  app.use(async (ctx, next) => {
    const now = line(ctx.path)
    if (now === 'down') return void ctx.req.socket.destroy()
    await next()
    if (now === 'answers_lost') ctx.req.socket.destroy()
  })
  app.use(renderErrors(logger)).use(mountRpc({ router, verify, callers: ['signing'] }))
  const server = createServer(app.callback())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const link = createRpcClient<RpcRouter>({
    url: `http://127.0.0.1:${port}`,
    token: () => signer.signAnonymous('contract'),
  })
  const contract = link.rpc

  const peppers = parseKeyring(`k1:${randomBytes(32).toString('base64')}`)
  const codeKeys = parseKeyring(`k1:${randomBytes(32).toString('base64')}`)
  const codes = createVerificationCodes({ database, peppers, codeKeys, wakeSending: () => undefined })
  const signing = createSigning({ database, contract, unsettledAfterSeconds, logger })

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
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await link.close()
      await database.destroy()
      await clone.drop()
      await contracts.close()
    },
  }
}

export type CeremonyFixture = Awaited<ReturnType<typeof openCeremonyFixture>>
