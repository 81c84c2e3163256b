// The tRPC procedures for other services: `ceremony` for signing, `mail` for notification, `console` and `erasure` for the gateway. [D41, D44, D46]
import { initTRPC } from '@trpc/server'
import { mailboxOf } from '@paraph/protocol/text-rules'
import { z } from 'zod'
import { callersOnly } from '@paraph/rpc/caller-guard'
import type { RpcContext } from '@paraph/rpc/mount'
import type { ConsoleRouter } from './console-router.js'
import type { ErasureRouter } from './erasure-router.js'
import { dataOf, instantsOf, partiesOf, type ShareUrlOf } from './representation.js'
import type { ContractRecord } from '../store/contract-record.js'
import type { ContractStore } from '../store/contract-store.js'

const t = initTRPC.context<RpcContext>().create()

const signingProcedure = t.procedure.use(callersOnly('signing'))
const notificationProcedure = t.procedure.use(callersOnly('notification'))

const onContract = z.object({ contractId: z.string().max(100) })
const partyIndex = z.int().min(0).max(49)
/** Which address of the party the visitor proved. [D61] */
const addressNumber = z.int().min(0).default(0)
const formerAddress = z.int().min(1).optional()
const attemptId = z.string().min(16).max(64)

interface RpcRouterDeps {
  store: ContractStore
  shareUrlOf: ShareUrlOf
  console: ConsoleRouter
  erasure: ErasureRouter
}

export function createRpcRouter({ store, shareUrlOf, console, erasure }: RpcRouterDeps) {
  const ceremony = t.router({
    /** The contract of a share link, by the SHA-256 (hex) of its token; null for an unknown token. */
    byShareToken: signingProcedure
      .input(z.object({ tokenSha256: z.hex().length(64) }))
      .query(async ({ input }) => ceremonyViewOf(await store.findByShareToken(Buffer.from(input.tokenSha256, 'hex')))),

    /** The same data by id, for workers, which have no token. */
    byId: signingProcedure
      .input(onContract)
      .query(async ({ input }) => ceremonyViewOf(await store.findById(input.contractId))),

    /** The exact text; null for an unknown or erased contract. */
    readText: signingProcedure
      .input(onContract)
      .query(async ({ input }) => ({ content: (await store.readContent(input.contractId)) ?? null })),

    /** Signs for one party. Idempotent by attempt: a repeated call returns the recorded outcome. */
    sign: signingProcedure
      .input(onContract.extend({ partyIndex, addressNumber, attemptId, contentSha256: z.hex().length(64) }))
      .mutation(async ({ input }) => {
        const { contractId, contentSha256, ...sign } = input
        const result = await store.executeOnly(contractId, { type: 'sign', ...sign }, { contentSha256 })
        if (!result) return { outcome: 'refused' as const, reason: 'unknown_contract' as const }
        if ('refusal' in result) return { outcome: 'refused' as const, reason: result.refusal }
        const { signedAt } = result.after.signatures.find(({ partyIndex }) => partyIndex === input.partyIndex)!
        return { outcome: 'recorded' as const, signedAt: signedAt.toISOString() }
      }),

    /** Declines for one party. Idempotent: a party that has declined stays as it is. [D57] */
    decline: signingProcedure
      .input(onContract.extend({ partyIndex, addressNumber, declineId: z.uuid() }))
      .mutation(async ({ input: { contractId, ...decline } }) => {
        const result = await store.executeOnly(contractId, { type: 'decline', ...decline })
        if (!result) return { outcome: 'refused' as const, reason: 'unknown_contract' as const }
        if ('refusal' in result) return { outcome: 'refused' as const, reason: result.refusal }
        return { outcome: 'declined' as const, isNew: result.events.length > 0 }
      }),

    /** Decides the outcome of an attempt: its recorded signature, or given up, which makes `sign` refuse the attempt from then on. */
    finishSignature: signingProcedure.input(onContract.extend({ attemptId })).mutation(async ({ input }) => {
      const signature = await store.finalizeAttempt(input.contractId, input.attemptId)
      if (signature === undefined || signature === 'tombstoned') return { outcome: 'given_up' as const }
      const { partyIndex, signedAt } = signature
      return { outcome: 'recorded' as const, partyIndex, signedAt: signedAt.toISOString() }
    }),
  })

  const mail = t.router({
    /**
     * The current data for one party's mail; null for an unknown contract or party. With `formerAddress`, the number of a correction, the
     * party has the address from before it. [D61]
     */
    data: notificationProcedure.input(onContract.extend({ partyIndex, formerAddress })).query(async ({ input }) => {
      const record = await store.findById(input.contractId)
      const party = record && partyWith(record, input)
      if (!record || !party) return null
      return {
        ...dataOf(record),
        isErased: record.erasedAt !== null,
        accountId: record.accountId,
        environment: record.environment,
        expiresAt: record.expiresAt.toISOString(),
        completedAt: record.completedAt?.toISOString() ?? null,
        cancelledAt: record.cancelledAt?.toISOString() ?? null,
        partyCount: record.parties.length,
        parties: record.parties.map(({ role, legalName, signedAt }) => ({
          role,
          legalName,
          hasSigned: signedAt !== null,
        })),
        party: {
          role: party.role,
          legalName: party.legalName,
          email: party.email,
          hasSigned: party.signedAt !== null,
          hasDeclined: party.declinedAt !== null,
        },
        /** Whether parties are reminded. [D58] */
        remindsParties: record.remindsParties,
        /** The indexes of all parties with the mailbox of this party, itself included. [D24, P24] */
        sameMailbox: record.parties.flatMap(({ email }, index) =>
          mailboxOf(email) === mailboxOf(party.email) ? [index] : [],
        ),
        shareUrl: shareUrlOf(record),
        timeZone: record.timeZone,
        replyAddress: record.replyAddress,
      }
    }),
  })

  return t.router({ ceremony, mail, console, erasure })
}

export type RpcRouter = ReturnType<typeof createRpcRouter>

/** The party of a mail, perhaps with the address from before its correction number `formerAddress`. */
function partyWith(
  { parties, readdresses }: ContractRecord,
  { partyIndex, formerAddress }: { partyIndex: number; formerAddress?: number | undefined },
) {
  const party = parties[partyIndex]
  if (!party || formerAddress === undefined) return party
  const former = readdresses.filter((each) => each.partyIndex === partyIndex)[formerAddress - 1]
  return former && { ...party, email: former.oldEmail }
}

function ceremonyViewOf(record: ContractRecord | undefined) {
  if (!record) return null
  return {
    contractId: record.id,
    /** Whether a party that declines cancels the contract. [D57] */
    cancelsOnDecline: record.cancelsOnDecline,
    accountId: record.accountId,
    environment: record.environment,
    ...dataOf(record),
    timeZone: record.timeZone,
    contentSha256: record.contentSha256.toString('hex'),
    contentBytes: record.contentBytes,
    ...instantsOf(record),
    cancelledBy: record.cancelledBy,
    erasedAt: record.erasedAt?.toISOString() ?? null,
    /** True from `expiresAt` on, whatever the status, because the share link expires at that time. [Limits] */
    linkIsOver: record.readAt >= record.expiresAt,
    parties: partiesOf(record),
    readdresses: record.readdresses.map((each) => ({ ...each, at: new Date(each.at).toISOString() })),
  }
}
