// What the contract service says of one contract: the shape of its answer, and what the ceremony reads from it.
import type { inferRouterOutputs } from '@trpc/server'
import type { RpcRouter as ContractRouter } from '@paraph/contract/rpc-router'
import { mailboxOf } from '@paraph/protocol/text-rules'

/** A contract as the ceremony needs it, parties and their addresses included. Never kept: asked for each request. [D46] */
export type ContractFacts = NonNullable<inferRouterOutputs<ContractRouter>['ceremony']['byShareToken']>

/** Indexes of the parties whose mailbox this is. [D12, D14] */
export function partiesOf(facts: ContractFacts, mailbox: string): number[] {
  return facts.parties.flatMap((party, index) => (mailboxOf(party.email) === mailbox ? [index] : []))
}
