import type { ContractType } from '@paraph/protocol/contract'
import { contractTypeNames } from '@paraph/web/contract-type-names'
import type { Locale } from '@paraph/web/locale'
import { Details } from '@paraph/web/sheet'
import { Instant } from '../frame/ceremony-frame.js'
import { ceremonyMessages } from '../frame/messages.js'
import { isolateNames } from '@paraph/web/names-in-words'

/** The data of a contract that a link holder may see. No party and no text. [D29] */
export interface ContractSummary {
  senderName: string
  /** The approved account's name, always shown beside the sender's. [D36] */
  accountName: string
  contractType: ContractType
  contractNumber: string
  expiresAt: Date
  /** The account's IANA time zone, shown beside UTC. [D34] */
  timeZone?: string | undefined
}

/** The rows of page 1. */
export function ContractRows({ contract, locale }: { contract: ContractSummary; locale: Locale }) {
  const messages = ceremonyMessages(locale)
  return (
    <Details
      rows={[
        {
          label: messages.from,
          value: <bdi>{contract.senderName}</bdi>,
          detail: isolateNames(messages.approvedAccount, contract.accountName),
        },
        { label: messages.type, value: contractTypeNames(locale)[contract.contractType] },
        { label: messages.contractNumber, value: <span class="unbroken">{contract.contractNumber}</span> },
        {
          label: messages.signBy,
          value: <Instant at={contract.expiresAt} locale={locale} timeZone={contract.timeZone} />,
        },
      ]}
    />
  )
}
