// The tRPC procedures for the contracts in the owner's console. [D10, D19, D43]
// Account and environment come only from the service token. A contract of another account is answered like an unknown id.
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import { CONTRACT_TYPES, PARTIES_MAX } from '@paraph/protocol/contract'
import { LISTED_STATUSES, PROBLEMS, SEARCH_LENGTH_MAX } from '@paraph/protocol/contract-list'
import { isMailAddress, isUnstorable, mailboxOf } from '@paraph/protocol/text-rules'
import type { Principal } from '@paraph/protocol/principal'
import { callersOnly, requireOwn, requirePrincipal } from '@paraph/rpc/caller-guard'
import type { RpcContext } from '@paraph/rpc/mount'
import type { ContractList } from '../store/list.js'
import type { Position } from '../store/list-sources.js'
import type { ContractRecord } from '../store/contract-record.js'
import type { ContractStore } from '../store/contract-store.js'
import type { Erasures } from '../store/erasure.js'
import { dataOf, instantsOf, partiesOf, viewOf, type ShareUrlOf } from './representation.js'

const t = initTRPC.context<RpcContext>().create()

/** A procedure for the gateway on behalf of an account. */
const ownerProcedure = t.procedure
  .use(callersOnly('gateway'))
  .use(({ ctx, next }) => next({ ctx: { principal: requirePrincipal(ctx.caller) } }))

const ownContract = ownerProcedure.input(z.object({ id: z.string().max(100) }))

const REASON_LENGTH_MAX = 500
/** Contracts in one answer of `exported`. With texts of 50 KB each, the answer has a megabyte. */
const EXPORT_BATCH = 20

/** A position in the list, as milliseconds and id. Opaque to the pages, and gives no access to another account's list. */
const cursorSchema = z
  .string()
  .regex(/^\d{1,13}\.[\w-]{1,100}$/, 'This is no place in the list. Begin with the newest contracts.')
  .transform((cursor): Position => {
    const dot = cursor.indexOf('.')
    return { expiresAt: new Date(Number(cursor.slice(0, dot))), id: cursor.slice(dot + 1) }
  })

const instantSchema = z.iso.datetime().transform((at) => new Date(at))

const listSchema = z.object({
  status: z.enum(LISTED_STATUSES).optional(),
  contractType: z.enum(CONTRACT_TYPES).optional(),
  problem: z.enum(PROBLEMS).optional(),
  /** Words that begin words of the number, a party's name or address, the sender or the metadata. */
  search: z
    .string()
    .max(SEARCH_LENGTH_MAX)
    .transform((search) => search.trim() || undefined)
    .optional(),
  createdFrom: instantSchema.optional(),
  createdBefore: instantSchema.optional(),
  /** The page after this position (`older`) or before it (`newer`). */
  page: z.union([z.object({ older: cursorSchema }), z.object({ newer: cursorSchema })]).optional(),
  limit: z.int().min(1).max(50).default(20),
})

const cancelSchema = z.object({
  reason: z
    .string()
    .trim()
    .max(REASON_LENGTH_MAX, `The reason must have at most ${REASON_LENGTH_MAX} characters.`)
    .refine((reason) => !isUnstorable(reason), 'The reason holds a character that cannot be kept.')
    .transform((reason) => (reason === '' ? undefined : reason))
    .optional(),
  /** The gateway knows who acts: a person of the account, or an operator after a report. [D75] */
  actor: z.enum(['owner', 'operator']).default('owner'),
})

const cursorOf = ({ expiresAt, id }: Position): string => `${expiresAt.getTime()}.${id}`

interface ConsoleRouterDeps {
  store: ContractStore
  erasures: Erasures
  list: ContractList
  shareUrlOf: ShareUrlOf
}

/** The procedures below `console`. */
export function createConsoleRouter({ store, erasures, list, shareUrlOf }: ConsoleRouterDeps) {
  const findOwn = async (principal: Principal, id: string) => requireOwn(principal, await store.findById(id))

  return t.router({
    /**
     * A page of the account's contracts, newest first, with their statuses at the time of the query. `older` and `newer` are the cursors
     * of the adjacent pages, null if there is no such page. A page may have fewer contracts than `limit`, or none, although there is an
     * older page (store/list.ts). `isCut` is true for such a page.
     */
    list: ownerProcedure.input(listSchema).query(async ({ input: { page, limit, ...filter }, ctx: { principal } }) => {
      const older = page && 'older' in page ? page.older : undefined
      const newer = page && 'newer' in page ? page.newer : undefined
      const { contracts, next, broad } = await list.list(principal, filter, { limit, older, newer })
      const [first, last] = [contracts.at(0), contracts.at(-1)]
      const isCut = !newer && next !== undefined && contracts.length < limit
      return {
        contracts: contracts.map((contract) => ({
          ...contract,
          createdAt: contract.createdAt.toISOString(),
          expiresAt: contract.expiresAt.toISOString(),
          endedAt: contract.endedAt?.toISOString() ?? null,
          eraseDueAt: contract.eraseDueAt?.toISOString() ?? null,
        })),
        // The contract at the requested position belongs to an adjacent page, so that page exists.
        newer: newer ? (next ? cursorOf(next) : null) : first && older ? cursorOf(first) : null,
        older: newer ? (last ? cursorOf(last) : null) : next ? cursorOf(next) : null,
        isCut,
        broad,
      }
    }),

    /** The number of all contracts, up to a thousand; beyond that, `isMore` is true. */
    count: ownerProcedure.query(({ ctx: { principal } }) => list.count(principal)),

    /** What the owner should look at, as numbers; see store/list.ts. */
    overview: ownerProcedure.query(({ ctx: { principal } }) => list.overview(principal)),

    /** The figures that an operator sees of the last 30 days: contracts, and their refused invitations. [D75] */
    lately: ownerProcedure.query(({ ctx: { principal } }) => list.lately(principal)),

    /** All stored data of one contract except its text. @throws DomainError `not_found` */
    detail: ownContract.query(async ({ input, ctx: { principal } }) =>
      detailOf(await findOwn(principal, input.id), shareUrlOf),
    ),

    /** The exact text; null once it is erased. @throws DomainError `not_found` */
    text: ownContract.query(async ({ input, ctx: { principal } }) => {
      const { id } = await findOwn(principal, input.id)
      return { content: (await store.readContent(id)) ?? null }
    }),

    /** One batch of all contracts, newest first, with texts but without share links. `older`: the next cursor, null at the end. */
    exported: ownerProcedure
      .input(z.object({ older: cursorSchema.optional() }))
      .query(async ({ input: { older }, ctx: { principal } }) => {
        const { contracts: listed, next } = await list.list(principal, {}, { limit: EXPORT_BATCH, older })
        const contracts = []
        for (const { id } of listed) {
          const { shareUrl: _, ...data } = detailOf(await findOwn(principal, id), () => null)
          contracts.push({ ...data, content: (await store.readContent(id)) ?? null })
        }
        return { contracts, older: next ? cursorOf(next) : null }
      }),

    /**
     * Cancels an open contract. Returns the final state, which another command may have caused first. Idempotent. [D19]
     * @throws DomainError `not_found`
     */
    cancel: ownContract.input(cancelSchema).mutation(async ({ input, ctx: { principal } }) => {
      // The owner of a contract never changes, so this check is still valid when `execute` locks the contract.
      await findOwn(principal, input.id)
      const result = (await store.execute(input.id, { type: 'cancel', actor: input.actor }, input))!
      // `execute` read these times under the row lock under which it decided.
      const { cancelledAt, completedAt, expiresAt } = result.contract
      const cancelled = 'refusal' in result ? ('already_cancelled' as const) : ('cancelled' as const)
      if (cancelledAt) return { outcome: cancelled, at: cancelledAt.toISOString() }
      if (completedAt) return { outcome: 'signed' as const, at: completedAt.toISOString() }
      return { outcome: 'expired' as const, at: expiresAt.toISOString() }
    }),

    /**
     * Corrects the address of a party that has not signed. `unchanged`: the party has this mailbox already. Idempotent by `addressNumber`,
     * the number of corrections that the owner saw. [D61]
     * @throws DomainError `not_found`
     */
    readdress: ownContract
      .input(
        z.object({
          partyIndex: z
            .int()
            .min(0)
            .max(PARTIES_MAX - 1),
          addressNumber: z.int().min(0),
          email: z.string().refine(isMailAddress, 'This is no mail address.'),
        }),
      )
      .mutation(async ({ input: { id, email, ...ofParty }, ctx: { principal } }) => {
        const { parties } = await findOwn(principal, id)
        const party = parties[ofParty.partyIndex]
        if (party && mailboxOf(party.email) === mailboxOf(email)) return { outcome: 'unchanged' as const }
        const result = (await store.execute(id, { type: 'readdress', ...ofParty }, { email }))!
        return 'refusal' in result
          ? { outcome: 'refused' as const, reason: result.refusal }
          : { outcome: 'readdressed' as const }
      }),

    /**
     * Expires an open contract of the sandbox at once, so that nobody waits an hour for a test. Idempotent. [D63]
     * @throws DomainError `not_found`, also for a contract of production
     */
    expireNow: ownContract.mutation(async ({ input, ctx: { principal } }) => {
      if (principal.environment !== 'sandbox') requireOwn(principal, undefined)
      await findOwn(principal, input.id)
      const result = (await store.execute(input.id, { type: 'expire', isEarly: true }))!
      return { hasExpired: 'events' in result }
    }),

    /**
     * Requests the erasure of a final contract, which the gateway carries out at `at`. Idempotent. [D43, P32]
     * `not_final`: the contract is open, or it expired within the last second and the sweep has not stored that yet.
     * @param by the mailbox of the owner, which every owner sees @throws DomainError `not_found`
     */
    requestErasure: ownContract
      .input(z.object({ by: z.string().max(320) }))
      .mutation(async ({ input, ctx: { principal } }) => {
        await findOwn(principal, input.id)
        const result = (await erasures.change(input.id, 'request', input.by))!
        if ('refusal' in result) return { outcome: result.refusal }
        const outcome = result.hasChanged ? ('requested' as const) : ('already_requested' as const)
        return { outcome, at: result.eraseDueAt!.toISOString() }
      }),

    /** Takes back a request to erase. Idempotent. @throws DomainError `not_found` */
    keep: ownContract.mutation(async ({ input, ctx: { principal } }) => {
      await findOwn(principal, input.id)
      const result = (await erasures.change(input.id, 'keep'))!
      if ('refusal' in result) return { outcome: result.refusal }
      return { outcome: result.hasChanged ? ('kept' as const) : ('not_requested' as const) }
    }),
  })
}

export type ConsoleRouter = ReturnType<typeof createConsoleRouter>

/** All stored data of a contract except its text. */
function detailOf(record: ContractRecord, shareUrlOf: ShareUrlOf) {
  const isLinkAlive = record.readAt < record.expiresAt && record.erasedAt === null
  return {
    id: record.id,
    ...dataOf(record),
    contentSha256: record.contentSha256.toString('hex'),
    contentBytes: record.contentBytes,
    metadata: record.metadata,
    signingProgress: viewOf(record).signingProgress,
    parties: partiesOf(record),
    ...instantsOf(record),
    cancelledBy: record.cancelledBy,
    /** Visible to the owner only. [D39] */
    cancelReason: record.cancelReason,
    erasedAt: record.erasedAt?.toISOString() ?? null,
    /** When an owner's request erases the contract, and who made it. */
    erasure: record.erasedAt ? null : erasureOf(record),
    /** An operator keeps the contract; the reason is the operator's. */
    isHeld: record.heldAt !== null,
    /** Null once the link has expired or the contract is erased. [D46] */
    shareUrl: isLinkAlive ? shareUrlOf(record) : null,
  }
}

const erasureOf = ({ eraseDueAt, eraseRequestedBy: by }: ContractRecord) =>
  eraseDueAt && { at: eraseDueAt.toISOString(), by }
