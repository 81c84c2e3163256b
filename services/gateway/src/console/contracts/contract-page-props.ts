// The props of the page of one contract.
import type { Environment } from '@paraph/protocol/environment'
import type { PageProps } from '../frame/page-props.js'
import type { ContractDetail, ContractHistory, ContractMails } from './contract-rows.js'

/** The result of the act that led to the page. */
export interface ContractNotice {
  kind: 'information' | 'warning'
  text: string
}

export interface ContractPageProps {
  page: PageProps
  environment: Environment
  contract: ContractDetail
  timeZone: string
  /** Undefined while the contract service does not respond; null after an erasure. */
  content: string | null | undefined
  /** Undefined while notification does not respond. */
  mails: ContractMails | undefined
  /** Undefined while signing does not respond. */
  history: ContractHistory | undefined
  notice?: ContractNotice | undefined
  isSuspended?: boolean
}
