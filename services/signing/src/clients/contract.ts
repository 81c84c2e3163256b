// The signing service's typed line to the contract service.
import type { TRPCClient } from '@trpc/client'
import type { RpcRouter as ContractRouter } from '@paraph/contract/rpc-router'

export type ContractClient = TRPCClient<ContractRouter>
