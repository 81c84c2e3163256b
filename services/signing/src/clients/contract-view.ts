// One contract as the contract service describes it.
import type { inferRouterOutputs } from '@trpc/server'
import type { RpcRouter as ContractRouter } from '@paraph/contract/api/rpc-router'
import { mailboxOf } from '@paraph/protocol/text-rules'

/** A contract with its parties and their addresses. Never stored: every request queries it again. [D46] */
export type ContractView = NonNullable<inferRouterOutputs<ContractRouter>['ceremony']['byShareToken']>

/** Indexes of the parties with this mailbox. [D12, D14] */
export function partiesOf(view: ContractView, mailbox: string): number[] {
  return view.parties.flatMap((party, index) => (mailboxOf(party.email) === mailbox ? [index] : []))
}
