// What the other services may ask of signing: notification for a mail, the gateway for the owner of a contract and for the operator.
// [D24, D30, D44]
import { initTRPC } from '@trpc/server'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { callersOnly, requireOwn, requirePrincipal } from '@paraph/service/caller-guard'
import type { RpcContext } from '@paraph/service/rpc-mount'
import type { ContractClient } from './contract-client.js'
import type { SigningDatabase } from './database.js'
import { readEvidenceFile, readOwnersOpenings, readStory } from './owner-evidence.js'
import type { Reports } from './report.js'
import { readCopy } from './seal-queue.js'

const t = initTRPC.context<RpcContext>().create()

const ofContract = z.object({ contractId: z.string().min(1).max(100) })

/** @param contract is asked whose a contract is: here nobody knows. [D46] */
export function createRpcRouter({
  database,
  contract,
  reports,
}: {
  database: Kysely<SigningDatabase>
  contract: ContractClient
  reports: Pick<Reports, 'list'>
}) {
  /** @throws DomainError `not_found`, the same for what does not exist and for another account's or environment's [D10] */
  async function requireOwnContract({ caller }: RpcContext, contractId: string): Promise<void> {
    const principal = requirePrincipal(caller)
    requireOwn(principal, await contract.ceremony.byId.query({ contractId }))
  }

  /** For the gateway on behalf of the account whose contract it is. */
  const ownerProcedure = t.procedure
    .use(callersOnly('gateway'))
    .input(ofContract)
    .use(async ({ ctx, input, next }) => {
      await requireOwnContract(ctx, input.contractId)
      return next()
    })

  const evidence = t.router({
    /**
     * The sealed PDF in base64; null before it is there and after it was erased. Notification asks when a mail is about to go.
     * @throws DomainError `not_found` to the gateway
     */
    copy: t.procedure
      .use(callersOnly('notification', 'gateway'))
      .input(ofContract)
      .query(async ({ input, ctx }) => {
        if (ctx.caller.issuer === 'gateway') await requireOwnContract(ctx, input.contractId)
        const pdf = await readCopy(database, input.contractId)
        return { pdf: pdf?.toString('base64') ?? null }
      }),

    /** What happened, newest first: when, what, and which party as far as that may still be known. */
    story: ownerProcedure
      .input(
        z.object({
          /** Only what came before this entry. */
          beforeSeq: z.int().min(1).optional(),
          limit: z.int().min(1).max(200).default(100),
        }),
      )
      .query(({ input: { contractId, ...page } }) => readStory(database, contractId, page)),

    /** The evidence as a file: signed once the contract is sealed, and until then its lines so far; null before the first one. */
    export: ownerProcedure.query(async ({ input }) => (await readEvidenceFile(database, input.contractId)) ?? null),

    /** What opens the evidence, as a file: names, mailboxes, network addresses, browsers; null where nothing does any more. */
    openings: ownerProcedure.query(async ({ input }) => ({
      text: (await readOwnersOpenings(database, input.contractId)) ?? null,
    })),
  })

  const report = t.router({
    /** What was sent with "Report this request", the newest first; for the operator, whom the gateway has let in. */
    list: t.procedure
      .use(callersOnly('gateway'))
      .input(z.object({ count: z.int().min(1).max(1_000).default(100) }))
      .query(async ({ input }) => ({ reports: await reports.list(input.count) })),
  })

  return t.router({ evidence, report })
}

export type RpcRouter = ReturnType<typeof createRpcRouter>
