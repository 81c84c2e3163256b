// What the other services may ask: signing about the ceremony, notification about a mail, the gateway for an owner. [D41, D44, D46]
import { initTRPC } from '@trpc/server'
import { mailboxOf } from '@paraph/protocol/text-rules'
import { z } from 'zod'
import type { Caller } from '@paraph/protocol/caller'
import { callersOnly } from '@paraph/service/caller-guard'
import { unseal, type Keyring } from '@paraph/service/keyring'
import type { RpcContext } from '@paraph/service/rpc-mount'
import type { ConsoleRouter } from './console-router.js'
import { statusAt } from './contract.js'
import type { ContractRecord } from './contract-record.js'
import type { ContractStore } from './contract-store.js'

const t = initTRPC.context<RpcContext>().create()

const procedureFor = (...callers: Caller[]) => t.procedure.use(callersOnly(...callers))

const id = z.string().max(100)

/** All procedures that services ask. @param shareBaseUrl share links begin with it, no slash at the end */
export function createRpcRouter({
  store,
  shareTokenKeys,
  shareBaseUrl,
  console,
}: {
  store: ContractStore
  shareTokenKeys: Keyring
  shareBaseUrl: string
  console: ConsoleRouter
}) {
  const ceremony = t.router({
    /** The contract behind a share link, by the SHA-256 (hex) of its token; null when there is none. */
    byShareToken: procedureFor('signing')
      .input(z.object({ tokenSha256: z.hex().length(64) }))
      .query(async ({ input }) => factsOf(await store.findByShareToken(Buffer.from(input.tokenSha256, 'hex')))),

    /** The same facts by id, for workers that hold no token. */
    byId: procedureFor('signing')
      .input(z.object({ contractId: id }))
      .query(async ({ input }) => factsOf(await store.findById(input.contractId))),

    /** The exact text. */
    readText: procedureFor('signing')
      .input(z.object({ contractId: id }))
      .query(async ({ input }) => ({ content: (await store.readContent(input.contractId)) ?? null })),

    /** Signs for one party; idempotent by attempt. The outcome says what is recorded, whoever asks and how often. */
    sign: procedureFor('signing')
      .input(
        z.object({
          contractId: id,
          partyIndex: z.int().min(0).max(49),
          attemptId: z.string().min(16).max(64),
          contentSha256: z.hex().length(64),
        }),
      )
      .mutation(async ({ input }) => {
        const before = await store.findById(input.contractId)
        if (before && before.contentSha256.toString('hex') !== input.contentSha256)
          return { outcome: 'refused' as const, reason: 'text_differs' as const }
        const { partyIndex, attemptId } = input
        const result = await store.execute(input.contractId, { type: 'sign', partyIndex, attemptId })
        if (!result) return { outcome: 'refused' as const, reason: 'unknown_contract' as const }
        if ('refusal' in result) return { outcome: 'refused' as const, reason: result.refusal }
        return { outcome: 'recorded' as const, signedAt: result.contract.parties[partyIndex]!.signedAt!.toISOString() }
      }),

    /** How an attempt ended: recorded, or given up so that it can no longer land. */
    settleSignature: procedureFor('signing')
      .input(z.object({ contractId: id, attemptId: z.string().min(16).max(64) }))
      .mutation(async ({ input }) => {
        const settled = await store.settle(input.contractId, input.attemptId)
        if (settled === undefined || settled === 'tombstoned') return { outcome: 'given_up' as const }
        return {
          outcome: 'recorded' as const,
          partyIndex: settled.partyIndex,
          signedAt: settled.signedAt.toISOString(),
        }
      }),
  })

  const mail = t.router({
    /** Facts for one party's mail, as they are now; null for an unknown contract or party. */
    facts: procedureFor('notification')
      .input(z.object({ contractId: id, partyIndex: z.int().min(0).max(49) }))
      .query(async ({ input }) => {
        const record = await store.findById(input.contractId)
        const party = record?.parties[input.partyIndex]
        if (!record || !party) return null
        return {
          status: statusAt(record, record.readAt),
          isErased: record.erasedAt !== null,
          environment: record.environment,
          senderName: record.senderName,
          accountName: record.accountName,
          contractType: record.contractType,
          contractNumber: record.contractNumber,
          expiresAt: record.expiresAt.toISOString(),
          completedAt: record.completedAt?.toISOString() ?? null,
          cancelledAt: record.cancelledAt?.toISOString() ?? null,
          partyCount: record.parties.length,
          parties: record.parties.map(({ role, legalName }) => ({ role, legalName })),
          party: {
            role: party.role,
            legalName: party.legalName,
            email: party.email,
            hasSigned: party.signedAt !== null,
          },
          /** Whether no party before this one reads the same mailbox. [D24] */
          isFirstOfMailbox: !record.parties
            .slice(0, input.partyIndex)
            .some(({ email }) => mailboxOf(email) === mailboxOf(party.email)),
          shareUrl:
            record.shareToken && `${shareBaseUrl}/contract/${unseal(shareTokenKeys, record.shareToken, record.id)}`,
          language: record.mailLanguage,
          timeZone: record.timeZone,
          replyAddress: record.replyAddress,
        }
      }),
  })

  return t.router({ ceremony, mail, console })
}

export type RpcRouter = ReturnType<typeof createRpcRouter>

function factsOf(record: ContractRecord | undefined) {
  if (!record) return null
  return {
    contractId: record.id,
    accountId: record.accountId,
    environment: record.environment,
    status: statusAt(record, record.readAt),
    contractNumber: record.contractNumber,
    contractType: record.contractType,
    senderName: record.senderName,
    accountName: record.accountName,
    language: record.mailLanguage,
    timeZone: record.timeZone,
    contentSha256: record.contentSha256.toString('hex'),
    contentBytes: record.contentBytes,
    createdAt: record.createdAt.toISOString(),
    expiresAt: record.expiresAt.toISOString(),
    completedAt: record.completedAt?.toISOString() ?? null,
    cancelledAt: record.cancelledAt?.toISOString() ?? null,
    cancelledBy: record.cancelledBy,
    erasedAt: record.erasedAt?.toISOString() ?? null,
    /** True from `expiresAt` on, whatever the status: the share link dies with the lifetime. [Limits] */
    linkIsOver: record.readAt >= record.expiresAt,
    parties: record.parties.map((party) => ({
      role: party.role,
      legalName: party.legalName,
      email: party.email,
      signedAt: party.signedAt?.toISOString() ?? null,
    })),
  }
}
