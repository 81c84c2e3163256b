// The list of contracts: filters, pagination, status and signatures.
import type { Environment } from '@paraph/protocol/environment'
import { CONTRACT_STATUSES, CONTRACT_TYPES, type ContractStatus } from '@paraph/protocol/contract'
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { formatInstant } from '@paraph/web/dates'
import { Button, Select, TextField } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { ConsoleFrame, Instant, type PageProps } from '../frame/console-frame.js'
import type { ListedContract } from './contract-rows.js'
import { contractMessages, statusMessages } from './messages.js'
import { to } from '../frame/links.js'
import { ActionLinks, DataTable, Empty, EnvironmentTabs, Notice } from '../frame/parts.js'

const SHORT = { short: true } as const

/** A page of the list, newest first. @param older, newer cursors of the adjacent pages; null if there is none */
export function ContractListPage(props: {
  page: PageProps
  environment: Environment
  filter: Record<'number' | 'status' | 'contractType', string>
  contracts: readonly ListedContract[]
  older: string | null
  newer: string | null
  timeZone: string
  /** True if the requested cursor was invalid; `contracts` are then the newest. */
  isAstray?: boolean
}) {
  const { page, environment, filter, contracts, older, newer, timeZone, isAstray } = props
  const { locale } = page
  const text = contractMessages(locale)
  const isFiltered = filter.number !== '' || filter.status !== '' || filter.contractType !== ''
  const adjacentPage = (name: 'older' | 'newer', cursor: string): string =>
    `${to.contracts}?${new URLSearchParams({ environment, ...filter, [name]: cursor }).toString()}`
  const choices = <Value extends string>(values: readonly Value[], nameOf: (value: Value) => string) => [
    { value: '', label: text.all },
    ...values.map((value) => ({ value, label: nameOf(value) })),
  ]
  return (
    <ConsoleFrame page={page} at="contracts">
      <div class="head">
        <h1>{text.title}</h1>
        <EnvironmentTabs {...{ locale, environment, href: to.contracts }} />
      </div>
      <form class="filters" method="get" action={to.contracts}>
        <input type="hidden" name="environment" value={environment} />
        <TextField name="number" label={text.number} value={filter.number} autocomplete="off" />
        <Select
          name="status"
          label={text.status}
          value={filter.status}
          choices={choices(CONTRACT_STATUSES, (status) => statusMessages(locale)[status])}
        />
        <Select
          name="contractType"
          label={text.type}
          value={filter.contractType}
          choices={choices(CONTRACT_TYPES, (type) => contractTypeNames(locale)[type])}
        />
        <Button look="quiet">{text.show}</Button>
      </form>
      <Notice kind="information" text={isAstray && text.noSuchPlace} />
      {contracts.length === 0 ? (
        <Empty text={isFiltered ? text.noMatch : text.none} />
      ) : (
        <DataTable
          label={text.title}
          heads={[text.numberHead, text.status, text.signedHead, text.created, text.ends]}
          rows={contracts.map((contract) => ({
            id: contract.id,
            cells: [
              <>
                <a href={to.contract(environment, contract.id)}>{contract.contractNumber}</a>
                <span class="sub">{contractTypeNames(locale)[contract.contractType]}</span>
              </>,
              <Status status={contract.status} locale={locale} />,
              <SignedStrokes signed={contract.signed} total={contract.total} locale={locale} />,
              <Instant at={new Date(contract.createdAt)} {...{ locale, timeZone }} />,
              <>
                <Instant at={new Date(contract.endedAt ?? contract.expiresAt)} {...{ locale, timeZone }} />
                {contract.eraseDueAt !== null && (
                  <span class="sub">{text.erasedOn(formatInstant(new Date(contract.eraseDueAt), locale, SHORT))}</span>
                )}
                {contract.isHeld && <span class="sub">{text.heldShort}</span>}
              </>,
            ],
          }))}
        />
      )}
      <ActionLinks
        links={[
          newer !== null && { href: adjacentPage('newer', newer), text: text.newer },
          older !== null && { href: adjacentPage('older', older), text: text.older },
        ]}
      />
    </ConsoleFrame>
  )
}

/** The status as text; the style sheet adds its symbol. */
export function Status({ status, locale }: { status: ContractStatus; locale: Locale }) {
  return <span class={`state state-${status}`}>{statusMessages(locale)[status]}</span>
}

/** Maximum of parties for which the strokes are drawn; nobody counts more strokes. */
const STROKES_MAX = 8

/** A solid stroke for each signature, a dotted stroke for each missing signature, and the numbers as text. */
function SignedStrokes({ signed, total, locale }: { signed: number; total: number; locale: Locale }) {
  return (
    <span class="strokes">
      {total <= STROKES_MAX &&
        Array.from({ length: total }, (_, index) => (
          <span key={index} class={index < signed ? 'stroke stroke-ink' : 'stroke'} aria-hidden="true" />
        ))}
      <span>{contractMessages(locale).nOfM(signed, total)}</span>
    </span>
  )
}
