// What the operator's command line may do with accounts and keys, on the internal port. [D45]
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import type { MessagingRouter } from '@paraph/messaging/operator-router'
import { SCOPES } from '@paraph/protocol/caller'
import { faultOfDisplayName, isMailAddress } from '@paraph/protocol/text-rules'
import type { RpcContext } from '@paraph/service/rpc-mount'
import type { AccountStore } from './account-store.js'
import type { KeyStore } from './key-store.js'

const NAME_LENGTH_MAX = 100
const EXPIRY_DAYS_MAX = 3_650
/** For as long a rotated key may live on. [D28] */
const OVERLAP_DAYS_MAX = 7

const nameField = z
  .string()
  .trim()
  .superRefine((name, context) => {
    const fault = faultOfDisplayName(name, NAME_LENGTH_MAX)
    if (fault) context.addIssue({ code: 'custom', message: `name ${fault}.` })
  })

const wholeNumber = (name: string, from: number, to: number) => {
  const error = `${name} must be a whole number from ${from} to ${to}.`
  return z.number({ error }).int({ error }).min(from, { error }).max(to, { error })
}
const expiresInDaysField = wholeNumber('expiresInDays', 1, EXPIRY_DAYS_MAX).optional()

const { router, procedure } = initTRPC.context<RpcContext>().create()

/** `account.*` and `key.*` of the command line, and the service's part of `outbox status`. */
export function createOperatorRouter({
  accounts,
  keys,
  messaging,
}: {
  accounts: AccountStore
  keys: KeyStore
  messaging: MessagingRouter
}) {
  return router({
    messaging,
    account: router({
      /** An approved account on a tier that the operator grants, which counts as paid. [D38] */
      create: procedure
        .input(
          z.object({
            name: nameField,
            email: z.string().refine(isMailAddress, { error: 'email must be one plain address with a domain.' }),
            tier: z.string(),
          }),
        )
        .mutation(async ({ input }) => ({ account: await accounts.create(input) })),
      list: procedure.query(async () => ({ accounts: await accounts.list() })),
      show: procedure
        .input(z.object({ id: z.string() }))
        .query(async ({ input }) => ({ account: await accounts.show(input.id) })),
      /** Keys answer 403, share links say "on hold". [D37] */
      suspend: procedure
        .input(z.object({ id: z.string() }))
        .mutation(async ({ input }) => ({ account: await accounts.setStatus(input.id, 'suspended') })),
      resume: procedure
        .input(z.object({ id: z.string() }))
        .mutation(async ({ input }) => ({ account: await accounts.setStatus(input.id, 'active') })),
    }),
    key: router({
      /** `secret` is the whole key and is shown this once. */
      create: procedure
        .input(
          z.object({
            accountId: z.string(),
            environment: z.enum(['live', 'test'], { error: 'environment must be live or test.' }),
            scopes: z.array(z.enum(SCOPES, { error: `scopes must be of: ${SCOPES.join(', ')}.` })).default([...SCOPES]),
            name: z.string().trim().min(1).max(NAME_LENGTH_MAX).default('Default'),
            /** Left out: a key without an end. */
            expiresInDays: expiresInDaysField,
          }),
        )
        .mutation(async ({ input: { accountId, environment, scopes, name, expiresInDays } }) => {
          const key = await keys.create({
            accountId,
            environment: environment === 'live' ? 'production' : 'sandbox',
            ...{ scopes: [...new Set(scopes)], name, expiresInDays },
          })
          return { key: { ...key, environment } }
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
          const { key, old } = await keys.rotate(id, { overlapDays, expiresInDays })
          const environment = key.environment === 'production' ? ('live' as const) : ('test' as const)
          return { key: { ...key, environment }, old }
        }),
      list: procedure
        .input(z.object({ accountId: z.string().optional() }))
        .query(async ({ input }) => ({ keys: await keys.list(input.accountId) })),
      revoke: procedure
        .input(z.object({ id: z.string() }))
        .mutation(async ({ input }) => ({ key: await keys.revoke(input.id) })),
    }),
  })
}

export type OperatorRouter = ReturnType<typeof createOperatorRouter>
