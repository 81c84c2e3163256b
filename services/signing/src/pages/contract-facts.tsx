import type { ContractType } from '@paraph/protocol/contract'
import { contractTypeNames } from '@paraph/web/contract-type-names'
import type { Locale } from '@paraph/web/locale'
import { Facts } from '@paraph/web/sheet'
import { Instant } from './ceremony-frame.js'
import { words } from './dictionary.js'
import { setNames } from '@paraph/web/names-in-words'

/** What whoever holds the link may know: sender, account, type, number, sign-by date. No party and no text. [D29] */
export interface ContractFactsProps {
  senderName: string
  /** The approved account's name, always shown beside the sender's. [D36] */
  accountName: string
  contractType: ContractType
  contractNumber: string
  expiresAt: Date
  /** The account's IANA time zone, shown beside UTC. [D34] */
  timeZone?: string | undefined
}

/** The facts of page 1 as a list. */
export function ContractFacts({ facts, locale }: { facts: ContractFactsProps; locale: Locale }) {
  const say = words(locale)
  return (
    <Facts
      facts={[
        {
          label: say.from,
          value: <bdi>{facts.senderName}</bdi>,
          detail: setNames(say.approvedAccount, facts.accountName),
        },
        { label: say.type, value: contractTypeNames(locale)[facts.contractType] },
        { label: say.contractNumber, value: <span class="unbroken">{facts.contractNumber}</span> },
        { label: say.signBy, value: <Instant at={facts.expiresAt} locale={locale} timeZone={facts.timeZone} /> },
      ]}
    />
  )
}
