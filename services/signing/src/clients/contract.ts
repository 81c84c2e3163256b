// The types of the RPC clients, and one contract as the contract service describes it.
import type { TRPCClient } from '@trpc/client'
import type { RpcRouter as ContractRouter } from '@paraph/contract/api/rpc-router'
import type { inferRouterOutputs } from '@trpc/server'
import { mailboxOf } from '@paraph/protocol/text-rules'
import type { RpcRouter as NotificationRouter } from '@paraph/notification/rpc-router'
import { createHash } from 'node:crypto'

export type ContractClient = TRPCClient<ContractRouter>

/** A contract with its parties and their addresses. Never stored: every request queries it again. [D46] */
export type ContractView = NonNullable<inferRouterOutputs<ContractRouter>['ceremony']['byShareToken']>

/** The parties with this mailbox, with their indexes in the contract. [D12, D14] */
export const partiesOf = (view: ContractView, mailbox: string) =>
  view.parties.map((party, index) => ({ ...party, index })).filter(({ email }) => mailboxOf(email) === mailbox)

export type MailboxParty = ReturnType<typeof partiesOf>[number]

export const hasSigned = (party: MailboxParty): party is MailboxParty & { signedAt: string } => party.signedAt !== null

export type NotificationClient = TRPCClient<NotificationRouter>

/**
 * Reads the text of a contract from the contract service.
 * @returns null after an erasure
 * @throws Error when the text does not match its hash: such a text must not be shown, signed or sealed
 */
export async function readSignedText(
  contract: ContractClient,
  { contractId, contentSha256 }: Pick<ContractView, 'contractId' | 'contentSha256'>,
): Promise<string | null> {
  const { content } = await contract.ceremony.readText.query({ contractId })
  if (content !== null && createHash('sha256').update(content, 'utf8').digest('hex') !== contentSha256)
    throw new Error('the text is not the one of its hash')
  return content
}
