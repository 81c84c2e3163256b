// The type of the RPC client of the contract service.
import type { TRPCClient } from '@trpc/client'
import type { RpcRouter as ContractRouter } from '@paraph/contract/api/rpc-router'

export type ContractClient = TRPCClient<ContractRouter>
