// The tRPC procedures of the signing service: for the notification service, which attaches the PDF to a mail, and for the gateway, which
// calls on behalf of a contract's owner or of an operator. [D24, D30, D44]
import { initTRPC } from '@trpc/server'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { DomainError } from '@paraph/protocol/errors'
import { callersOnly, requireOwn, requirePrincipal } from '@paraph/rpc/caller-guard'
import type { RpcContext } from '@paraph/rpc/mount'
import type { ContractClient } from './clients/contract.js'
import type { SigningDatabase } from './database.js'
import { signAsParty } from './simulator/queue-simulated.js'
import { readEvidenceFile, readOwnersDisclosures, readHistory } from './sealing/owner-evidence.js'
import type { Reports } from './reports/report.js'
import type { Documents } from './documents/documents.js'

const t = initTRPC.context<RpcContext>().create()

const ofContract = z.object({ contractId: z.string().min(1).max(100) })

interface RpcDeps {
  database: Kysely<SigningDatabase>
  /** Queried for the owner of a contract, which this service does not store. [D46] */
  contract: ContractClient
  documents: Pick<Documents, 'readPdf' | 'readJws'>
  reports: Pick<Reports, 'list' | 'find' | 'countOpen' | 'handle'>
  /** Called after a party was queued to sign by itself. */
  onSimulated: () => void
}

export function createRpcRouter({ database, contract, documents, reports, onSimulated }: RpcDeps) {
  /** @throws DomainError `not_found`, both for an unknown contract and for a contract of another account or environment [D10] */
  async function requireOwnContract({ caller }: RpcContext, contractId: string) {
    const principal = requirePrincipal(caller)
    return requireOwn(principal, await contract.ceremony.byId.query({ contractId }))
  }

  /** A procedure for the gateway on behalf of the account that owns the contract. */
  const ownerProcedure = t.procedure
    .use(callersOnly('gateway'))
    .input(ofContract)
    .use(async ({ ctx, input, next }) => {
      return next({ ctx: { view: await requireOwnContract(ctx, input.contractId) } })
    })

  const evidence = t.router({
    /**
     * The sealed PDF in base64; null before the sealing and after an erasure. The notification service reads it just before sending a mail.
     * @throws DomainError `not_found` if the gateway's principal does not own the contract
     */
    copy: t.procedure
      .use(callersOnly('notification', 'gateway'))
      .input(ofContract)
      .query(async ({ input, ctx }) => {
        if (ctx.caller.issuer === 'gateway') await requireOwnContract(ctx, input.contractId)
        const pdf = await documents.readPdf(input.contractId)
        return { pdf: pdf?.toString('base64') ?? null }
      }),

    /** The history, newest entry first: time, type and parties, with their roles unless these were erased. */
    story: ownerProcedure
      .input(
        z.object({
          /** Returns only entries before this one. */
          beforeSeq: z.int().min(1).optional(),
          limit: z.int().min(1).max(200).default(100),
        }),
      )
      .query(({ input: { contractId, ...page } }) => readHistory(database, contractId, page)),

    /** The evidence as a file: the signed chain, or before the sealing its lines so far; null before the first line. */
    export: ownerProcedure.query(
      async ({ input }) => (await readEvidenceFile(database, documents, input.contractId)) ?? null,
    ),

    /** The disclosures as a file: names, mailboxes, network addresses, browsers; null when there are none, as after an erasure. */
    openings: ownerProcedure.query(async ({ input }) => ({
      text: (await readOwnersDisclosures(database, input.contractId)) ?? null,
    })),
  })

  /** What tells an operator which contract was reported, without names after an erasure; null while the contract service does not respond. */
  async function readReported(contractId: string) {
    const found = await contract.ceremony.byId.query({ contractId }).catch(() => null)
    if (!found) return null
    const { environment, contractNumber, status, senderName, erasedAt } = found
    return { environment, contractNumber, status, senderName: erasedAt === null ? senderName : null }
  }

  /** A procedure for an operator whom the gateway has authenticated. */
  const operatorProcedure = t.procedure.use(callersOnly('gateway'))
  const reportId = z.object({ id: z.uuid() })

  async function requireReport(id: string) {
    const found = await reports.find(id)
    if (!found) throw new DomainError('not_found', 'There is no report with this id. List the reports to find it.')
    return found
  }

  const report = t.router({
    /** The messages of "Report this request", newest first. */
    list: operatorProcedure
      .input(
        z.object({
          count: z.int().min(1).max(1_000).default(100),
          isHandled: z.boolean().optional(),
          accountId: z.string().max(100).optional(),
        }),
      )
      .query(async ({ input: { count, ...filter } }) => {
        const listed = await reports.list(count, filter)
        const ids = [...new Set(listed.map(({ contractId }) => contractId))]
        const contracts = new Map(await Promise.all(ids.map(async (id) => [id, await readReported(id)] as const)))
        return { reports: listed.map((each) => ({ ...each, contract: contracts.get(each.contractId) ?? null })) }
      }),

    /** @throws DomainError `not_found` */
    show: operatorProcedure.input(reportId).query(async ({ input: { id } }) => {
      const report = await requireReport(id)
      return { ...report, contract: await readReported(report.contractId) }
    }),

    countOpen: operatorProcedure
      .input(z.object({ accountId: z.string().max(100).optional() }))
      .query(({ input: { accountId } }) => reports.countOpen(accountId)),

    /** Handles a report. `isNew`: false if another operator did so first. @throws DomainError `not_found` [D75] */
    handle: operatorProcedure
      .input(reportId.extend({ by: z.string().min(1).max(320), note: z.string().min(1).max(2_000) }))
      .mutation(async ({ input: { id, ...handled } }) => {
        await requireReport(id)
        return { isNew: await reports.handle(id, handled) }
      }),
  })

  const simulator = t.router({
    /**
     * Lets a party of a sandbox contract sign by itself, by a code to its mailbox. [D63]
     * @throws DomainError `not_found` for a contract of production or an unknown party
     */
    signAs: ownerProcedure
      .input(z.object({ partyIndex: z.int().min(0).max(49) }))
      .mutation(async ({ input: { partyIndex }, ctx: { view } }) => {
        if (!(await signAsParty(database, view, partyIndex)))
          throw new DomainError('not_found', 'Only a party of a sandbox contract signs by itself.')
        onSimulated()
      }),
  })

  return t.router({ evidence, report, simulator })
}

export type RpcRouter = ReturnType<typeof createRpcRouter>
