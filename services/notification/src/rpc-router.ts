// The tRPC procedures for the signing service, which sends codes, and for the gateway, on behalf of owners. [D24, D42, D44]
import { initTRPC } from '@trpc/server'
import { ownerCodeSchema, ownerMailSchema } from '@paraph/protocol/owner-mail'
import { z } from 'zod'
import { callersOnly, requirePrincipal } from '@paraph/rpc/caller-guard'
import type { RpcContext } from '@paraph/rpc/mount'
import type { ContractMails } from './mail-history.js'
import type { NoticeRouter } from './notices/router.js'
import type { DeliveryIntake } from './queue/add-delivery.js'
import type { TestMailbox } from './test-mailbox.js'
import type { WebhookRouter } from './webhooks/router.js'

const t = initTRPC.context<RpcContext>().create()

/** A procedure for the gateway on behalf of an account. */
const ownerProcedure = t.procedure
  .use(callersOnly('gateway'))
  .use(({ ctx, next }) => next({ ctx: { principal: requirePrincipal(ctx.caller) } }))

const contractId = z.string().min(1).max(100)
const partyIndex = z.int().min(0).max(49)

export interface RpcDeps {
  intake: DeliveryIntake
  contractMails: ContractMails
  testMailbox: Pick<TestMailbox, 'list' | 'read'>
  webhooks: WebhookRouter
  notices: NoticeRouter
  /** Called after a mail was committed to the queue. */
  triggerWorker: () => void
  isSmtpUnavailable: () => boolean
}

export function createRpcRouter(deps: RpcDeps) {
  const { intake, contractMails, testMailbox, webhooks, notices, triggerWorker, isSmtpUnavailable } = deps

  /** Waits until a pushed mail is stored, and triggers the worker. */
  async function accept(adding: Promise<void>) {
    await adding
    triggerWorker()
    return { accepted: true as const }
  }

  const code = t.router({
    /**
     * Accepts a one-time code for one party's mailbox, once per `id`. When the call returns, the code is stored here and will be sent or
     * expire, so the caller can wipe its copy. [D42]
     */
    send: t.procedure
      .use(callersOnly('signing'))
      .input(
        z.object({
          /** The unique id of the push. */
          id: z.string().min(8).max(64),
          contractId,
          partyIndex,
          code: z.string().regex(/^(\d{6}|\d{12})$/, 'A code has 6 or 12 digits.'),
          /** The time left by the clock of the caller's database: a duration, because the clocks of two databases may differ. */
          lapsesInSeconds: z.number().positive().max(600),
        }),
      )
      .mutation(({ input: { id, ...push } }) => accept(intake.addCode({ requestId: id, ...push }))),

    /** Whether codes wait for the SMTP server. Reveals nothing about a single code or mailbox. [D32] */
    isDelayed: t.procedure.use(callersOnly('signing')).query(() => ({ delayed: isSmtpUnavailable() })),
  })

  const owner = t.router({
    /** Accepts a one-time code for an owner's or operator's mailbox, like `code.send`. [D24, D42] */
    code: t.procedure
      .use(callersOnly('gateway'))
      .input(ownerCodeSchema)
      .mutation(({ input }) => accept(intake.addOwnerMail({ kind: 'code', ...input }))),

    /** Accepts any other mail to an owner, once per `id`. When the call returns, the caller can wipe its copy. [D24] */
    mail: t.procedure
      .use(callersOnly('gateway'))
      .input(ownerMailSchema)
      .mutation(({ input }) => accept(intake.addOwnerMail(input))),

    /** Whether mail waits for the SMTP server. */
    isDelayed: t.procedure.use(callersOnly('gateway')).query(() => ({ delayed: isSmtpUnavailable() })),
  })

  return t.router({
    code,
    owner,
    deliveries: t.router({
      /** The newest mail of each kind to each party. @throws DomainError `not_found` */
      ofContract: ownerProcedure
        .input(z.object({ contractId }))
        .query(({ input, ctx }) => contractMails.ofContract(ctx.principal, input.contractId)),
    }),
    webhooks,
    notices,
    testMail: t.router({
      /** The newest mails of the account's sandbox contracts, newest first. [D64] */
      list: ownerProcedure.query(({ ctx }) => testMailbox.list(ctx.principal.accountId)),
      /** One of them. @throws DomainError `not_found` */
      read: ownerProcedure
        .input(z.object({ id: z.int().positive() }))
        .query(({ input, ctx }) => testMailbox.read(ctx.principal.accountId, input.id)),
    }),
    invitation: t.router({
      /** Sends a party its invitation again; see `resend` in mail-history.ts. @throws DomainError `not_found`, `invalid_request` */
      resend: ownerProcedure
        .input(z.object({ contractId, partyIndex }))
        .mutation(({ input, ctx }) => contractMails.resend(ctx.principal, input.contractId, input.partyIndex)),
    }),
  })
}

export type RpcRouter = ReturnType<typeof createRpcRouter>
