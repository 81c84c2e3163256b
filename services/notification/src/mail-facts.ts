// What the contract service says about one party's mail at the moment of sending. [D44, D49]
import type { inferRouterOutputs } from '@trpc/server'
import type { RpcRouter } from '@paraph/contract/rpc-router'

export type MailFacts = NonNullable<inferRouterOutputs<RpcRouter>['mail']['facts']>
