// What the other services say of a contract, as the pages take it.
import type { inferRouterOutputs } from '@trpc/server'
import type { RpcRouter as ContractRouter } from '@paraph/contract/rpc-router'
import type { RpcRouter as NotificationRouter } from '@paraph/notification/rpc-router'
import type { RpcRouter as SigningRouter } from '@paraph/signing/rpc-router'

type ContractOutputs = inferRouterOutputs<ContractRouter>['console']

export type ListedContract = ContractOutputs['list']['contracts'][number]
export type ContractDetail = ContractOutputs['detail']
export type ContractMails = inferRouterOutputs<NotificationRouter>['deliveries']['ofContract']
export type ListedReport = inferRouterOutputs<SigningRouter>['report']['list']['reports'][number]
export type ContractStory = inferRouterOutputs<SigningRouter>['evidence']['story']
