// The procedures of the operator's command line on the internal port: accounts, applications, keys. Every act is audited. [D45]
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import type { MessagingRouter } from '@paraph/messaging/operator-router'
import { SCOPES } from '@paraph/protocol/scope'
import { displayNameError, isMailAddress, mailboxOf, nameError } from '@paraph/protocol/text-rules'
import type { RpcContext } from '@paraph/rpc/mount'
import type { AccountOwners } from './accounts/account-owners.js'
import type { AccountStore } from './accounts/account-store.js'
import { reasonError, REASON_LENGTH_MAX, trimReason, type FieldErrorKind } from './accounts/application.js'
import type { ApplicationStore } from './accounts/application-store.js'
import { type Actor, type AuditPage, type listActs, type recordRead } from './accounts/audit.js'
import type { ContractErasures } from './accounts/contract-erasures.js'
import type { Passkeys } from './console/second-factor/passkeys.js'
import type { CreatedKey, KeyStore } from './keys/key-store.js'

const NAME_LENGTH_MAX = 100
const EXPIRY_DAYS_MAX = 3_650
/** Maximum of days for which a key stays valid after its rotation. [D28] */
const OVERLAP_DAYS_MAX = 7

const nameField = (errorOf: (name: string, codePointsMax: number) => string | undefined) =>
  z
    .string()
    .trim()
    .superRefine((name, context) => {
      const error = errorOf(name, NAME_LENGTH_MAX)
      if (error) context.addIssue({ code: 'custom', message: `name ${error}.` })
    })

const wholeNumber = (name: string, from: number, to: number) => {
  const error = `${name} must be a whole number from ${from} to ${to}.`
  return z.number({ error }).int({ error }).min(from, { error }).max(to, { error })
}
const expiresInDaysField = wholeNumber('expiresInDays', 1, EXPIRY_DAYS_MAX).optional()

const REASON_ERRORS: Record<FieldErrorKind, string> = {
  missing: 'reason must say why: the applicant reads it.',
  too_long: `reason must have at most ${REASON_LENGTH_MAX} characters.`,
  wrong: 'reason must not hold control characters or invisible characters.',
}
const reasonField = z
  .string()
  .transform(trimReason)
  .superRefine((reason, context) => {
    const error = reasonError(reason)
    if (error) context.addIssue({ code: 'custom', message: REASON_ERRORS[error] })
  })

const { router, procedure } = initTRPC.context<RpcContext>().create()
const byId = procedure.input(z.object({ id: z.string() }))
const byAccount = procedure.input(z.object({ accountId: z.string() }))

/** The verified token says who acts: no caller can name another kind of actor. [P36] */
const actorOf = ({ caller }: RpcContext): Actor => ({ kind: 'command_line', name: caller.operatorName })

interface OperatorRouterDeps {
  accounts: AccountStore
  applications: ApplicationStore
  owners: AccountOwners
  keys: KeyStore
  erasures: Pick<ContractErasures, 'hold' | 'release'>
  passkeys: Pick<Passkeys, 'reset'>
  /** A page of the audit log, newest first. */
  listActs: (page: AuditPage) => ReturnType<typeof listActs>
  /** Records that an operator read something. */
  recordRead: (actor: Actor, what: Parameters<typeof recordRead>[2]) => Promise<void>
  /** False while the database lacks migrations or a service behind the gateway is not ready. [D2] */
  isOperational: () => boolean
  messaging: MessagingRouter
}

/** `account.*`, `application.*`, `subscription.*`, `contract.*`, `passkey.*`, `audit.*` and `key.*` of the command line, and the gateway's part of `outbox status`. */
export function createOperatorRouter(deps: OperatorRouterDeps) {
  const { accounts, applications, owners, keys, erasures, passkeys, listActs, messaging } = deps
  const record = (ctx: RpcContext, subject: string, accountId?: string) =>
    deps.recordRead(actorOf(ctx), { subject, accountId })
  return router({
    messaging,
    /** What GET /status says of the installation, for the local start: without a key, and not counted as a call of an account. */
    status: procedure.query(() => ({
      status: deps.isOperational() ? ('operational' as const) : ('degraded' as const),
    })),
    account: router({
      /** Creates an approved account on a granted tier, which counts as paid. [D38] */
      create: procedure
        .input(
          z.object({
            name: nameField(displayNameError),
            email: z.string().refine(isMailAddress, { error: 'email must be one plain address with a domain.' }),
            tier: z.string(),
          }),
        )
        .mutation(async ({ ctx, input }) => ({ account: await accounts.create(input, actorOf(ctx)) })),
      list: procedure.query(async ({ ctx }) => {
        await record(ctx, 'accounts')
        return { accounts: await accounts.list() }
      }),
      show: byId.query(async ({ ctx, input: { id } }) => {
        const account = { ...(await accounts.show(id)), owners: await owners.list(id) }
        await record(ctx, id, id)
        return { account }
      }),
      /** Changes the approved name in mails and pages; existing contracts keep the old one. [D36, D47] */
      rename: byId
        .input(z.object({ name: nameField(displayNameError) }))
        .mutation(async ({ ctx, input }) => ({ account: await accounts.rename(input.id, input.name, actorOf(ctx)) })),
      /** Calls get 403, and share links show that the account is suspended. [D37] */
      suspend: byId.mutation(async ({ ctx, input }) => ({
        account: await accounts.setStatus(input.id, 'suspended', actorOf(ctx)),
      })),
      resume: byId.mutation(async ({ ctx, input }) => ({
        account: await accounts.setStatus(input.id, 'active', actorOf(ctx)),
      })),
    }),
    application: router({
      /** Pending applications, oldest first. */
      list: procedure.query(async ({ ctx }) => {
        await record(ctx, 'applications')
        return applications.queue()
      }),
      show: byId.query(async ({ ctx, input: { id } }) => {
        await record(ctx, id)
        return { application: await applications.show(id) }
      }),
      /** `revision`: the one that the operator read. An application that the applicant has changed since is not approved. */
      approve: byId
        .input(z.object({ revision: z.int().positive(), reason: reasonField.optional() }))
        .mutation(async ({ ctx, input: { id, revision, reason } }) =>
          applications.approve(id, actorOf(ctx), reason, revision),
        ),
      /** The mail to the applicant gives the reason. */
      refuse: byId
        .input(z.object({ reason: reasonField }))
        .mutation(async ({ ctx, input }) => applications.refuse(input.id, actorOf(ctx), input.reason)),
    }),
    subscription: router({
      /** Grants a tier, which counts as paid, until the end of the day `periodEnd` (UTC) or without an end. [D38] */
      grant: byAccount
        .input(z.object({ tier: z.string(), periodEnd: z.iso.date().optional() }))
        .mutation(async ({ ctx, input: { accountId, tier, periodEnd } }) => {
          const end = periodEnd === undefined ? null : new Date(`${periodEnd}T23:59:59.999Z`)
          await accounts.grant(accountId, { tier, periodEnd: end }, actorOf(ctx))
          return { account: await accounts.show(accountId) }
        }),
      /** Ends the subscription; keys stop now. */
      end: byAccount.mutation(async ({ ctx, input }) => {
        await accounts.endSubscription(input.accountId, actorOf(ctx))
        return { account: await accounts.show(input.accountId) }
      }),
    }),
    contract: router({
      /** No erasure touches the contract until it is released: not the owner's, the operator's or the retention's. [P32] */
      hold: byId
        .input(z.object({ reason: z.string() }))
        .mutation(({ ctx, input: { id, reason } }) => erasures.hold(id, reason, actorOf(ctx))),
      release: byId.mutation(({ ctx, input: { id } }) => erasures.release(id, actorOf(ctx))),
    }),
    passkey: router({
      /** For a lost device. Operators included: for them nobody else can. [D73] */
      reset: procedure
        .input(z.object({ mailbox: z.string().refine(isMailAddress, { error: 'mailbox must be one plain address.' }) }))
        .mutation(async ({ ctx, input }) => {
          const mailbox = mailboxOf(input.mailbox)
          return { mailbox, hadPasskeys: (await passkeys.reset(mailbox, actorOf(ctx))) === 'reset' }
        }),
    }),
    audit: router({
      /** A page of the audit log of one account or of all, newest first. */
      list: procedure
        .input(z.object({ accountId: z.string().optional(), before: z.int().positive().optional() }))
        .query(async ({ ctx, input }) => {
          await record(ctx, input.accountId ?? 'audit', input.accountId)
          return listActs(input)
        }),
      /** Records that the command line reads what another service holds; that service cannot write the audit log. */
      recordRead: procedure
        .input(z.object({ subject: z.string().min(1).max(100), accountId: z.string().max(100).optional() }))
        .mutation(({ ctx, input: { subject, accountId } }) => record(ctx, subject, accountId)),
    }),
    key: router({
      /** `secret` is the whole key, which cannot be read again. */
      create: byAccount
        .input(
          z.object({
            environment: z.enum(['live', 'test'], { error: 'environment must be live or test.' }),
            scopes: z.array(z.enum(SCOPES, { error: `scopes must be of: ${SCOPES.join(', ')}.` })).default([...SCOPES]),
            name: nameField(nameError).default('Default'),
            /** Undefined: a key without an end. */
            expiresInDays: expiresInDaysField,
          }),
        )
        .mutation(async ({ ctx, input: { accountId, name, expiresInDays, ...input } }) => {
          const environment = input.environment === 'live' ? 'production' : 'sandbox'
          const scopes = [...new Set(input.scopes)]
          const key = await keys.create({ accountId, environment, scopes, name, expiresInDays }, actorOf(ctx))
          return { key: viewOfKey(key) }
        }),
      /** Replaces a key; the old one stays valid for `overlapDays`. `secret` cannot be read again. [D28] */
      rotate: byId
        .input(
          z.object({ overlapDays: wholeNumber('overlapDays', 0, OVERLAP_DAYS_MAX), expiresInDays: expiresInDaysField }),
        )
        .mutation(async ({ ctx, input: { id, overlapDays, expiresInDays } }) => {
          const { key, old } = await keys.rotate(id, { overlapDays, expiresInDays }, actorOf(ctx))
          return { key: viewOfKey(key), old }
        }),
      list: procedure
        .input(z.object({ accountId: z.string().optional() }))
        .query(async ({ ctx, input: { accountId } }) => {
          await record(ctx, accountId ?? 'keys', accountId)
          return { keys: await keys.list(accountId) }
        }),
      revoke: byId.mutation(async ({ ctx, input }) => ({ key: await keys.revoke(input.id, actorOf(ctx)) })),
    }),
  })
}

export type OperatorRouter = ReturnType<typeof createOperatorRouter>

const viewOfKey = ({ id, secret, environment, scopes, expiresAt }: CreatedKey) => ({
  id,
  secret,
  scopes,
  expiresAt,
  environment: environment === 'production' ? ('live' as const) : ('test' as const),
})
