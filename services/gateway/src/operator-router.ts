// What the operator's command line may do with accounts, applications and keys, on the internal port. Every act is audited. [D45]
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import type { MessagingRouter } from '@paraph/messaging/operator-router'
import { SCOPES } from '@paraph/protocol/caller'
import { faultOfDisplayName, faultOfName, isMailAddress } from '@paraph/protocol/text-rules'
import type { RpcContext } from '@paraph/service/rpc-mount'
import type { AccountOwners } from './account-owners.js'
import type { AccountStore } from './account-store.js'
import { faultOfReason, REASON_LENGTH_MAX, trimReason, type FieldFault } from './application.js'
import type { ApplicationStore } from './application-store.js'
import { COMMAND_LINE, type AuditEntry } from './audit.js'
import type { CreatedKey, KeyStore } from './key-store.js'

const NAME_LENGTH_MAX = 100
const EXPIRY_DAYS_MAX = 3_650
/** For as long a rotated key may live on. [D28] */
const OVERLAP_DAYS_MAX = 7

const nameBy = (faultOf: (name: string, codePointsMax: number) => string | undefined) =>
  z
    .string()
    .trim()
    .superRefine((name, context) => {
      const fault = faultOf(name, NAME_LENGTH_MAX)
      if (fault) context.addIssue({ code: 'custom', message: `name ${fault}.` })
    })

const wholeNumber = (name: string, from: number, to: number) => {
  const error = `${name} must be a whole number from ${from} to ${to}.`
  return z.number({ error }).int({ error }).min(from, { error }).max(to, { error })
}
const expiresInDaysField = wholeNumber('expiresInDays', 1, EXPIRY_DAYS_MAX).optional()

const REASON_FAULTS: Record<FieldFault, string> = {
  missing: 'reason must say why: the applicant reads it.',
  too_long: `reason must have at most ${REASON_LENGTH_MAX} characters.`,
  wrong: 'reason must not hold control characters or invisible characters.',
}
const reasonField = z
  .string()
  .transform(trimReason)
  .superRefine((reason, context) => {
    const fault = faultOfReason(reason)
    if (fault) context.addIssue({ code: 'custom', message: REASON_FAULTS[fault] })
  })

/** Who acts: a person, or the installation by itself, as a first start does for its demo account. */
const actorField = z.enum(['command_line', 'service']).default('command_line')

const { router, procedure } = initTRPC.context<RpcContext>().create()

/** `account.*` and `key.*` of the command line, and the service's part of `outbox status`. */
export function createOperatorRouter({
  accounts,
  applications,
  owners,
  keys,
  listActs,
  messaging,
}: {
  accounts: AccountStore
  applications: ApplicationStore
  owners: AccountOwners
  keys: KeyStore
  /** The audit log, newest first. */
  listActs: (page: { accountId?: string | undefined; before?: number | undefined }) => Promise<{
    entries: AuditEntry[]
    hasMore: boolean
  }>
  messaging: MessagingRouter
}) {
  return router({
    messaging,
    account: router({
      /** An approved account on a tier that the operator grants, which counts as paid. [D38] */
      create: procedure
        .input(
          z.object({
            name: nameBy(faultOfDisplayName),
            email: z.string().refine(isMailAddress, { error: 'email must be one plain address with a domain.' }),
            tier: z.string(),
            actor: actorField,
          }),
        )
        .mutation(async ({ input: { actor: kind, ...wanted } }) => ({
          account: await accounts.create(wanted, { kind }),
        })),
      list: procedure.query(async () => ({ accounts: await accounts.list() })),
      show: procedure.input(z.object({ id: z.string() })).query(async ({ input }) => ({
        account: { ...(await accounts.show(input.id)), owners: await owners.list(input.id) },
      })),
      /** What mails and pages call the approved account from now on; contracts keep the name under which they were made. [D36, D47] */
      rename: procedure
        .input(z.object({ id: z.string(), name: nameBy(faultOfDisplayName) }))
        .mutation(async ({ input }) => ({ account: await accounts.rename(input.id, input.name, COMMAND_LINE) })),
      /** Keys answer 403, share links say "on hold". [D37] */
      suspend: procedure
        .input(z.object({ id: z.string() }))
        .mutation(async ({ input }) => ({ account: await accounts.setStatus(input.id, 'suspended', COMMAND_LINE) })),
      resume: procedure
        .input(z.object({ id: z.string() }))
        .mutation(async ({ input }) => ({ account: await accounts.setStatus(input.id, 'active', COMMAND_LINE) })),
    }),
    application: router({
      /** What waits for a decision, the oldest first. */
      list: procedure.query(() => applications.queue()),
      approve: procedure
        .input(z.object({ id: z.string(), reason: reasonField.optional() }))
        .mutation(async ({ input }) => applications.approve(input.id, COMMAND_LINE, input.reason)),
      /** The applicant reads the reason. */
      refuse: procedure
        .input(z.object({ id: z.string(), reason: reasonField }))
        .mutation(async ({ input }) => applications.refuse(input.id, COMMAND_LINE, input.reason)),
    }),
    subscription: router({
      /** A tier that counts as paid, until `periodEnd` or without an end. [D38] */
      grant: procedure
        .input(z.object({ accountId: z.string(), tier: z.string(), periodEnd: z.iso.date().optional() }))
        .mutation(async ({ input: { accountId, tier, periodEnd } }) => {
          const end = periodEnd === undefined ? null : new Date(`${periodEnd}T23:59:59.999Z`)
          await accounts.grant(accountId, { tier, periodEnd: end }, COMMAND_LINE)
          return { account: await accounts.show(accountId) }
        }),
      /** Keys stop now. */
      end: procedure.input(z.object({ accountId: z.string() })).mutation(async ({ input }) => {
        await accounts.endSubscription(input.accountId, COMMAND_LINE)
        return { account: await accounts.show(input.accountId) }
      }),
    }),
    audit: router({
      /** Who did what, newest first; of one account or of all. */
      list: procedure
        .input(z.object({ accountId: z.string().optional(), before: z.int().positive().optional() }))
        .query(({ input }) => listActs(input)),
    }),
    key: router({
      /** `secret` is the whole key and is shown this once. */
      create: procedure
        .input(
          z.object({
            accountId: z.string(),
            environment: z.enum(['live', 'test'], { error: 'environment must be live or test.' }),
            scopes: z.array(z.enum(SCOPES, { error: `scopes must be of: ${SCOPES.join(', ')}.` })).default([...SCOPES]),
            name: nameBy(faultOfName).default('Default'),
            /** Left out: a key without an end. */
            expiresInDays: expiresInDaysField,
            actor: actorField,
          }),
        )
        .mutation(async ({ input: { accountId, environment, scopes, name, expiresInDays, actor: kind } }) => {
          const wanted = {
            environment: environment === 'live' ? ('production' as const) : ('sandbox' as const),
            ...{ accountId, scopes: [...new Set(scopes)], name, expiresInDays },
          }
          return { key: viewOfKey(await keys.create(wanted, { kind })) }
        }),
      /** A new key in place of an old one, which lives on for `overlapDays`. `secret` is shown this once. [D28] */
      rotate: procedure
        .input(
          z.object({
            id: z.string(),
            overlapDays: wholeNumber('overlapDays', 0, OVERLAP_DAYS_MAX),
            expiresInDays: expiresInDaysField,
          }),
        )
        .mutation(async ({ input: { id, overlapDays, expiresInDays } }) => {
          const { key, old } = await keys.rotate(id, { overlapDays, expiresInDays }, COMMAND_LINE)
          return { key: viewOfKey(key), old }
        }),
      list: procedure
        .input(z.object({ accountId: z.string().optional() }))
        .query(async ({ input }) => ({ keys: await keys.list(input.accountId) })),
      revoke: procedure
        .input(z.object({ id: z.string() }))
        .mutation(async ({ input }) => ({ key: await keys.revoke(input.id, COMMAND_LINE) })),
    }),
  })
}

export type OperatorRouter = ReturnType<typeof createOperatorRouter>

const viewOfKey = ({ id, secret, environment, scopes, expiresAt }: CreatedKey) => ({
  ...{ id, secret, scopes, expiresAt },
  environment: environment === 'production' ? ('live' as const) : ('test' as const),
})
