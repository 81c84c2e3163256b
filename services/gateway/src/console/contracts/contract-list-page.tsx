// The list of contracts: filters, pagination, status and signatures.
import type { Environment } from '@paraph/protocol/environment'
import { CONTRACT_STATUSES, CONTRACT_TYPES, type ContractStatus } from '@paraph/protocol/contract'
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { formatInstant } from '@paraph/web/dates'
import { Button, Select, TextField } from '@paraph/web/fields'
import { isSingular, type Locale } from '@paraph/web/locale'
import { isolateNames } from '@paraph/web/names-in-words'
import { ConsoleFrame } from '../frame/console-frame.js'
import { Day } from '../frame/instant.js'
import { countText, mayUse, type PageProps } from '../frame/page-props.js'
import type { ListedContract } from './contract-rows.js'
import { contractMessages, statusMessages } from './messages.js'
import { to } from '../frame/links.js'
import { ActionLinks, DataTable, Empty, EnvironmentTabs, Notice } from '../frame/parts.js'

const SHORT = { short: true } as const

interface ContractListProps {
  page: PageProps
  environment: Environment
  filter: Record<'number' | 'status' | 'contractType', string>
  contracts: readonly ListedContract[]
  older: string | null
  newer: string | null
  timeZone: string
  /** True if the requested cursor was invalid; `contracts` are then the newest. */
  isAstray?: boolean
}

/** A page of the list, newest first. @param props.older, props.newer cursors of the adjacent pages; null if there is none */
export function ContractListPage(props: ContractListProps) {
  const { page, environment, filter, contracts, older, newer, timeZone, isAstray } = props
  const { locale } = page
  const text = contractMessages(locale)
  const counts = page.shell?.account?.contracts
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
        {mayUse(page, 'read', 'production') && <EnvironmentTabs {...{ locale, environment, href: to.contracts }} />}
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
        <NoContracts {...props} text={isFiltered ? text.noMatch : text.none} />
      ) : (
        <DataTable
          label={text.title}
          class="linked-rows"
          heads={[text.contract, text.parties, text.status, text.created, text.ends]}
          rows={contracts.map((contract) => ({
            id: contract.id,
            cells: [
              <>
                <a href={to.contract(environment, contract.id)}>{contract.contractNumber}</a>
                <div class="sub">{typeAndSender(contract, locale)}</div>
              </>,
              <PartyNames contract={contract} locale={locale} />,
              <>
                <Status status={contract.status} locale={locale} />
                <SignedStrokes signed={contract.signed} total={contract.total} locale={locale} />
              </>,
              <Day at={new Date(contract.createdAt)} {...{ locale, timeZone }} />,
              <>
                <Day at={new Date(contract.endedAt ?? contract.expiresAt)} {...{ locale, timeZone }} />
                {contract.eraseDueAt !== null && (
                  <div class="sub">{text.erasedOn(formatInstant(new Date(contract.eraseDueAt), locale, SHORT))}</div>
                )}
                {contract.isHeld && <div class="sub">{text.heldShort}</div>}
              </>,
            ],
          }))}
        />
      )}
      {counts && contracts.length > 0 && !isFiltered && (
        <p class="soft small">{text.shown(contracts.length, countText(counts[environment], locale))}</p>
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

/** Replaces an empty list; leads to the contracts of the other environment. */
function NoContracts({ page, environment, text }: ContractListProps & { text: string }) {
  const { locale } = page
  const other = environment === 'production' ? 'sandbox' : 'production'
  const there = page.shell?.account?.contracts?.[other]
  return (
    <>
      <Empty text={text} />
      {there && there.count > 0 && mayUse(page, 'read', other) && (
        <p class="alone">
          <a href={`${to.contracts}?environment=${other}`}>
            {contractMessages(locale).elsewhere(countText(there, locale), isSingular(there.count, locale), other)}
          </a>
        </p>
      )}
    </>
  )
}

const typeAndSender = ({ contractType, senderName, isErased }: ListedContract, locale: Locale) => {
  const type = contractTypeNames(locale)[contractType]
  return isErased ? type : isolateNames((sender) => contractMessages(locale).typeAndSender(type, sender), senderName)
}

/** The first parties, each on its own line, and the number of the others. */
function PartyNames({ contract, locale }: { contract: ListedContract; locale: Locale }) {
  const { partyNames, total, isErased } = contract
  const text = contractMessages(locale)
  if (isErased) return <span class="soft">{text.namesErased(total)}</span>
  return (
    <>
      {partyNames.map((name, index) => (
        <div key={index} class="party-of">
          <bdi>{name}</bdi>
        </div>
      ))}
      {total > partyNames.length && <div class="sub">{text.andMore(total - partyNames.length)}</div>}
    </>
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
    <div class="strokes">
      {total <= STROKES_MAX &&
        Array.from({ length: total }, (_, index) => (
          <span key={index} class={index < signed ? 'stroke stroke-ink' : 'stroke'} aria-hidden="true" />
        ))}
      <span>{contractMessages(locale).signedOf(signed, total)}</span>
    </div>
  )
}
