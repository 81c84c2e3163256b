// The data of one party's mail, which the contract service provides at sending. [D44, D49]
import type { inferRouterOutputs } from '@trpc/server'
import type { RpcRouter } from '@paraph/contract/api/rpc-router'
import type { OwnerCode, OwnerMail } from '@paraph/protocol/owner-mail'

export type MailData = NonNullable<inferRouterOutputs<RpcRouter>['mail']['facts']>

/** A mail to an owner, stored sealed in the queue. Its `id` makes the Message-ID, the same on every retry. */
export type OwnerMailData = (OwnerCode & { kind: 'code' }) | OwnerMail
