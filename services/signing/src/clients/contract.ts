// The types of the RPC clients, and one contract as the contract service describes it.
import type { TRPCClient } from '@trpc/client'
import type { RpcRouter as ContractRouter } from '@paraph/contract/api/rpc-router'
import type { inferRouterOutputs } from '@trpc/server'
import { mailboxOf } from '@paraph/protocol/text-rules'
import type { RpcRouter as NotificationRouter } from '@paraph/notification/rpc-router'

export type ContractClient = TRPCClient<ContractRouter>

/** A contract with its parties and their addresses. Never stored: every request queries it again. [D46] */
export type ContractView = NonNullable<inferRouterOutputs<ContractRouter>['ceremony']['byShareToken']>

/** Indexes of the parties with this mailbox. [D12, D14] */
export function partiesOf(view: ContractView, mailbox: string): number[] {
  return view.parties.flatMap((party, index) => (mailboxOf(party.email) === mailbox ? [index] : []))
}

export type NotificationClient = TRPCClient<NotificationRouter>
