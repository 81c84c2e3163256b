// What the operator's command line may do with accounts and keys, on the internal port. [D45]
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import { SCOPES } from '@paraph/protocol/caller'
import { faultOfDisplayName, isMailAddress } from '@paraph/protocol/text-rules'
import type { RpcContext } from '@paraph/service/rpc-mount'
import type { AccountStore } from './account-store.js'
import type { KeyStore } from './key-store.js'

const NAME_LENGTH_MAX = 100

const nameField = z
  .string()
  .trim()
  .superRefine((name, context) => {
    const fault = faultOfDisplayName(name, NAME_LENGTH_MAX)
    if (fault) context.addIssue({ code: 'custom', message: `name ${fault}.` })
  })

const { router, procedure } = initTRPC.context<RpcContext>().create()

/** `account.*` and `key.*` of the command line. */
export function createOperatorRouter({ accounts, keys }: { accounts: AccountStore; keys: KeyStore }) {
  return router({
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
            scopes: z.array(z.enum(SCOPES, { error: `scopes must be of: ${SCOPES.join(', ')}.` })),
            name: z.string().trim().min(1).max(NAME_LENGTH_MAX).default('Default'),
          }),
        )
        .mutation(async ({ input: { accountId, environment, scopes, name } }) => {
          const key = await keys.create({
            accountId,
            environment: environment === 'live' ? 'production' : 'sandbox',
            scopes: [...new Set(scopes)],
            name,
          })
          return { key: { id: key.id, secret: key.secret, environment, scopes: key.scopes } }
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
