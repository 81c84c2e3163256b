// Contract data of the other services, as the pages show it.
import type { inferRouterOutputs } from '@trpc/server'
import { READDRESSES_MAX } from '@paraph/protocol/contract'
import type { RpcRouter as ContractRouter } from '@paraph/contract/api/rpc-router'
import type { RpcRouter as NotificationRouter } from '@paraph/notification/rpc-router'
import type { RpcRouter as SigningRouter } from '@paraph/signing/rpc-router'

type ContractOutputs = inferRouterOutputs<ContractRouter>['console']

export type ListedContract = ContractOutputs['list']['contracts'][number]
export type ContractFigures = ContractOutputs['overview']
export type ContractDetail = ContractOutputs['detail']
export type ContractMails = inferRouterOutputs<NotificationRouter>['deliveries']['ofContract']
export type ListedReport = inferRouterOutputs<SigningRouter>['report']['list']['reports'][number]
export type ContractHistory = inferRouterOutputs<SigningRouter>['evidence']['story']

/** True while parties can sign. */
export const isOpenContract = ({ status }: ContractDetail): boolean =>
  status === 'pending_signature' || status === 'partially_signed'

/** True if an owner can correct the address of the party at `index`. [D61] */
export function mayReaddress(contract: ContractDetail, index: number): boolean {
  const party = contract.parties[index]
  return isOpenContract(contract) && party?.signedAt === null && party.addressNumber < READDRESSES_MAX
}

/** True if an owner can request the erasure. */
export const mayErase = (contract: ContractDetail, isSuspended: boolean): boolean =>
  !isOpenContract(contract) &&
  contract.erasedAt === null &&
  contract.erasure === null &&
  !contract.isHeld &&
  !isSuspended
