// The list of contracts: filters, pages, how far each one is.
import type { Environment } from '@paraph/protocol/caller'
import { CONTRACT_STATUSES, CONTRACT_TYPES, type ContractStatus } from '@paraph/protocol/contract'
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { Button, LinkButton, Select, TextField } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { Note } from '@paraph/web/sheet'
import { ConsoleFrame, Instant, type PageProps } from './console-frame.js'
import type { ListedContract } from './contract-facts.js'
import { contractWords, statusWords } from './contract-words.js'
import { to } from './links.js'
import { DataTable, EnvironmentTabs } from './parts.js'

export interface ContractFilter {
  number: string
  status: string
  contractType: string
}

/** The list, newest first, a page at a time. @param older and newer what an address of the page beside it says; null where there is none */
export function ContractListPage(props: {
  page: PageProps
  environment: Environment
  filter: ContractFilter
  contracts: readonly ListedContract[]
  older: string | null
  newer: string | null
  timeZone: string
  /** The page that was asked for is gone. */
  isAstray?: boolean
}) {
  const { page, environment, filter, contracts, older, newer, timeZone, isAstray } = props
  const { locale } = page
  const say = contractWords(locale)
  const isFiltered = filter.number !== '' || filter.status !== '' || filter.contractType !== ''
  const beside = (name: 'older' | 'newer', cursor: string): string =>
    `${to.contracts}?${new URLSearchParams({ environment, ...filter, [name]: cursor }).toString()}`
  const choices = <Value extends string>(values: readonly Value[], nameOf: (value: Value) => string) => [
    { value: '', label: say.all },
    ...values.map((value) => ({ value, label: nameOf(value) })),
  ]
  return (
    <ConsoleFrame page={page} title={say.title} at="contracts">
      <div class="head">
        <h1>{say.title}</h1>
        <EnvironmentTabs {...{ locale, environment, href: to.contracts }} />
      </div>
      <form class="filters" method="get" action={to.contracts}>
        <input type="hidden" name="environment" value={environment} />
        <TextField name="number" label={say.number} value={filter.number} autocomplete="off" />
        <Select
          name="status"
          label={say.status}
          value={filter.status}
          choices={choices(CONTRACT_STATUSES, (status) => statusWords(locale)[status])}
        />
        <Select
          name="contractType"
          label={say.type}
          value={filter.contractType}
          choices={choices(CONTRACT_TYPES, (type) => contractTypeNames(locale)[type])}
        />
        <Button look="quiet">{say.show}</Button>
      </form>
      {isAstray && (
        <Note kind="information">
          <p>{say.noSuchPlace}</p>
        </Note>
      )}
      {contracts.length === 0 ? (
        <div class="empty">
          <hr class="bare-line" />
          <p>{isFiltered ? say.noMatch : say.none}</p>
        </div>
      ) : (
        <DataTable
          label={say.title}
          heads={[say.numberHead, say.status, say.signedHead, say.created, say.ends]}
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
              <Instant at={new Date(contract.endedAt ?? contract.expiresAt)} {...{ locale, timeZone }} />,
            ],
          }))}
        />
      )}
      {(newer !== null || older !== null) && (
        <div class="actions">
          {newer !== null && (
            <LinkButton look="quiet" href={beside('newer', newer)}>
              {say.newer}
            </LinkButton>
          )}
          {older !== null && (
            <LinkButton look="quiet" href={beside('older', older)}>
              {say.older}
            </LinkButton>
          )}
        </div>
      )}
    </ConsoleFrame>
  )
}

/** A shape and its word: dotted ring, half, full, clock, bar. */
export function Status({ status, locale }: { status: ContractStatus; locale: Locale }) {
  return <span class={`state state-${status}`}>{statusWords(locale)[status]}</span>
}

/** More strokes than this tell nobody anything. */
const STROKES_MAX = 8

/** Ink for each that has signed, dots for each that has not, and the numbers in words. */
function SignedStrokes({ signed, total, locale }: { signed: number; total: number; locale: Locale }) {
  return (
    <span class="strokes">
      {total <= STROKES_MAX &&
        Array.from({ length: total }, (_, index) => (
          <span key={index} class={index < signed ? 'stroke stroke-ink' : 'stroke'} aria-hidden="true" />
        ))}
      <span>{contractWords(locale).nOfM(signed, total)}</span>
    </span>
  )
}
