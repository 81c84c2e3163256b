// What the owner of an account may do with its contracts in the console. [D10, D19, D43]
// Account and environment are those of the caller token and of nothing else: another's contract is one that does not exist.
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import { CONTRACT_STATUSES, CONTRACT_TYPES } from '@paraph/protocol/contract'
import { isUnstorable } from '@paraph/protocol/text-rules'
import type { Principal } from '@paraph/protocol/caller'
import { callersOnly, requireOwn, requirePrincipal } from '@paraph/service/caller-guard'
import { unseal, type Keyring } from '@paraph/service/keyring'
import type { RpcContext } from '@paraph/service/rpc-mount'
import { progress, statusAt } from './contract.js'
import type { ContractList, ListedContract, Place } from './contract-list.js'
import type { ContractRecord } from './contract-record.js'
import type { ContractStore } from './contract-store.js'

const t = initTRPC.context<RpcContext>().create()

/** For the gateway on behalf of an account. */
const ownerProcedure = t.procedure
  .use(callersOnly('gateway'))
  .use(({ ctx, next }) => next({ ctx: { principal: requirePrincipal(ctx.caller) } }))

const idSchema = z.string().max(100)
const REASON_LENGTH_MAX = 500
/** One answer: with texts of 50 KB each, a megabyte. */
const EXPORTED_AT_ONCE = 20

/** A place in the list as the pages carry it, milliseconds and id: opaque to them, and of no use in another account's list. */
const cursorSchema = z
  .string()
  .regex(/^\d{1,13}\.[\w-]{1,100}$/, 'This is no place in the list. Begin with the newest contracts.')
  .transform((cursor): Place => {
    const dot = cursor.indexOf('.')
    return { expiresAt: new Date(Number(cursor.slice(0, dot))), id: cursor.slice(dot + 1) }
  })

const cursorOf = ({ expiresAt, id }: ListedContract): string => `${expiresAt.getTime()}.${id}`

/** The procedures below `console`. @param shareBaseUrl share links begin with it, no slash at the end */
export function createConsoleRouter({
  store,
  list,
  shareTokenKeys,
  shareBaseUrl,
}: {
  store: ContractStore
  list: ContractList
  shareTokenKeys: Keyring
  shareBaseUrl: string
}) {
  const findOwn = async (principal: Principal, id: string) => requireOwn(principal, await store.findById(id))

  const shareUrlOf = ({ id, shareToken }: ContractRecord): string | null =>
    shareToken && `${shareBaseUrl}/contract/${unseal(shareTokenKeys, shareToken, id)}`

  function detailOf(record: ContractRecord) {
    const isLinkAlive = record.readAt < record.expiresAt && record.erasedAt === null
    return {
      id: record.id,
      contractNumber: record.contractNumber,
      contractType: record.contractType,
      status: statusAt(record, record.readAt),
      senderName: record.senderName,
      accountName: record.accountName,
      /** Of the mails about it. */
      language: record.mailLanguage,
      contentSha256: record.contentSha256.toString('hex'),
      contentBytes: record.contentBytes,
      metadata: record.metadata,
      signingProgress: progress(
        record.parties.filter(({ signedAt }) => signedAt !== null).length,
        record.parties.length,
      ),
      parties: record.parties.map((party) => ({
        role: party.role,
        legalName: party.legalName,
        email: party.email,
        signedAt: party.signedAt?.toISOString() ?? null,
      })),
      createdAt: record.createdAt.toISOString(),
      expiresAt: record.expiresAt.toISOString(),
      completedAt: record.completedAt?.toISOString() ?? null,
      cancelledAt: record.cancelledAt?.toISOString() ?? null,
      cancelledBy: record.cancelledBy,
      /** Nobody but the owner reads it. [D39] */
      cancelReason: record.cancelReason,
      erasedAt: record.erasedAt?.toISOString() ?? null,
      /** Null once the link is dead. [D46] */
      shareUrl: isLinkAlive ? shareUrlOf(record) : null,
    }
  }

  return t.router({
    /**
     * A page of the account's contracts, newest first; statuses are by the clock. `older` and `newer` of the answer lead to the pages
     * beside it, null where there is none.
     */
    list: ownerProcedure
      .input(
        z.object({
          status: z.enum(CONTRACT_STATUSES).optional(),
          contractType: z.enum(CONTRACT_TYPES).optional(),
          /** The whole number, however it is typed. */
          number: z
            .string()
            .max(100)
            .refine((number) => !isUnstorable(number), 'A contract number has only letters, digits and hyphens.')
            .transform((number) => number.trim().toUpperCase() || undefined)
            .optional(),
          /** The page that follows this place, or comes before it. */
          page: z.union([z.object({ older: cursorSchema }), z.object({ newer: cursorSchema })]).optional(),
          limit: z.int().min(1).max(50).default(20),
        }),
      )
      .query(async ({ input: { page, limit, ...filter }, ctx: { principal } }) => {
        // A number has no pages.
        const from = filter.number === undefined ? page : undefined
        const older = from && 'older' in from ? from.older : undefined
        const newer = from && 'newer' in from ? from.newer : undefined
        const { contracts, hasMore } = await list.list(principal, filter, { limit, older, newer })
        const [first, last] = [contracts.at(0), contracts.at(-1)]
        return {
          contracts: contracts.map((contract) => ({
            ...contract,
            createdAt: contract.createdAt.toISOString(),
            expiresAt: contract.expiresAt.toISOString(),
            endedAt: contract.endedAt?.toISOString() ?? null,
          })),
          // Where a page was asked from there is something: the contract that it was asked from.
          newer: first && (newer ? hasMore : older !== undefined) ? cursorOf(first) : null,
          older: last && (newer ? true : hasMore) ? cursorOf(last) : null,
        }
      }),

    /** How many contracts there are and how many of them wait for a party, up to a thousand and then "more". */
    count: ownerProcedure.query(async ({ ctx: { principal } }) => {
      const { lastCreatedAt, ...counts } = await list.count(principal)
      return { ...counts, lastCreatedAt: lastCreatedAt?.toISOString() ?? null }
    }),

    /** All that is kept of one contract but its text. @throws DomainError `not_found` */
    detail: ownerProcedure
      .input(z.object({ id: idSchema }))
      .query(async ({ input, ctx: { principal } }) => detailOf(await findOwn(principal, input.id))),

    /** A part of all that is kept of every contract, with the texts, newest first; `older` leads to the next, null at the end. */
    exported: ownerProcedure
      .input(z.object({ older: cursorSchema.optional() }))
      .query(async ({ input: { older }, ctx: { principal } }) => {
        const { contracts: listed, hasMore } = await list.list(principal, {}, { limit: EXPORTED_AT_ONCE, older })
        const contracts = []
        for (const { id } of listed) {
          const { shareUrl: _, ...kept } = detailOf(await findOwn(principal, id))
          contracts.push({ ...kept, content: (await store.readContent(id)) ?? null })
        }
        const last = listed.at(-1)
        return { contracts, older: hasMore && last ? cursorOf(last) : null }
      }),

    /**
     * Cancels an open contract. The outcome is what stands, whoever was first; once is enough. [D19]
     * @throws DomainError `not_found`
     */
    cancel: ownerProcedure
      .input(
        z.object({
          id: idSchema,
          reason: z
            .string()
            .trim()
            .max(REASON_LENGTH_MAX, `The reason must have at most ${REASON_LENGTH_MAX} characters.`)
            .refine((reason) => !isUnstorable(reason), 'The reason holds a character that cannot be kept.')
            .transform((reason) => (reason === '' ? undefined : reason))
            .optional(),
        }),
      )
      .mutation(async ({ input, ctx: { principal } }) => {
        // Whose a contract is never changes: what was checked before the lock holds under it.
        await findOwn(principal, input.id)
        const result = await store.execute(input.id, { type: 'cancel', actor: 'owner' }, input.reason)
        const { contract } = result!
        const isMine = !('refusal' in result!)
        // What was read under the lock that decided.
        if (contract.cancelledAt)
          return {
            outcome: isMine ? ('cancelled' as const) : ('already_cancelled' as const),
            at: contract.cancelledAt.toISOString(),
          }
        if (contract.completedAt) return { outcome: 'signed' as const, at: contract.completedAt.toISOString() }
        return { outcome: 'expired' as const, at: contract.expiresAt.toISOString() }
      }),

    /**
     * Erases text, names and addresses of a final contract, here and by its event everywhere; once is enough. [D43]
     * @throws DomainError `not_found`
     */
    erase: ownerProcedure.input(z.object({ id: idSchema })).mutation(async ({ input, ctx: { principal } }) => {
      await findOwn(principal, input.id)
      const result = (await store.execute(input.id, { type: 'erase' }))!
      // Still open, or expired so short a while ago that the sweep, which comes each second, has not stored it.
      if ('refusal' in result) return { outcome: 'not_final' as const, at: null }
      return {
        outcome: result.events.length > 0 ? ('erased' as const) : ('already_erased' as const),
        at: result.contract.erasedAt!.toISOString(),
      }
    }),
  })
}

export type ConsoleRouter = ReturnType<typeof createConsoleRouter>
