// The list of contracts: filters, pagination, status and signatures.
import type { Environment } from '@paraph/protocol/environment'
import { CONTRACT_TYPES, type ContractStatus } from '@paraph/protocol/contract'
import { LISTED_STATUSES, PROBLEMS } from '@paraph/protocol/contract-list'
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { formatInstant } from '@paraph/web/dates'
import { Button, Select, TextField } from '@paraph/web/fields'
import { isSingular, type Locale } from '@paraph/web/locale'
import { isolateNames } from '@paraph/web/names-in-words'
import { ConsoleFrame } from '../frame/console-frame.js'
import { Day } from '../frame/instant.js'
import { countText, mayUse, type PageProps } from '../frame/page-props.js'
import type { ListedContract } from './contract-rows.js'
import type { ListFilter } from './list-filter.js'
import { contractMessages, listedStatusMessages, problemMessages, statusMessages } from './messages.js'
import { to, withNext } from '../frame/links.js'
import { ActionLinks, DataTable, Empty, EnvironmentTabs, Notice } from '../frame/parts.js'

const SHORT = { short: true } as const

interface ContractListProps {
  page: PageProps
  environment: Environment
  filter: ListFilter
  contracts: readonly ListedContract[]
  older: string | null
  newer: string | null
  timeZone: string
  /** True if the requested cursor was invalid; `contracts` are then the newest. */
  isAstray?: boolean
  /** True if the page is not full, although older contracts may match. */
  isCut: boolean
  /** Words of the search of which only the whole word was searched. */
  broad: readonly string[]
}

/** A page of the list, newest first. @param props.older, props.newer cursors of the adjacent pages; null if there is none */
export function ContractListPage(props: ContractListProps) {
  const { page, environment, filter, contracts, older, newer, timeZone, isAstray, isCut, broad } = props
  const { locale } = page
  const text = contractMessages(locale)
  const counts = page.shell?.account?.contracts
  const { search, ...others } = filter
  const isNarrowed = Object.values(others).some((value) => value !== '')
  const isFiltered = isNarrowed || search !== ''
  const linkTo = (path: string, more: Record<string, string> = {}): string =>
    `${path}?${new URLSearchParams({ environment, ...filter, ...more }).toString()}`
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
        <TextField name="search" label={text.search} hint={text.searchHint} value={search} autocomplete="off" />
        <details class="disclosure more-filters" open={isNarrowed}>
          <summary>
            <span>{text.moreFilters}</span>
          </summary>
          <div class="filters">
            <Select
              name="status"
              label={text.status}
              value={filter.status}
              choices={choices(LISTED_STATUSES, (status) => listedStatusMessages(locale)[status])}
            />
            <Select
              name="contractType"
              label={text.type}
              value={filter.contractType}
              choices={choices(CONTRACT_TYPES, (type) => contractTypeNames(locale)[type])}
            />
            <Select
              name="problem"
              label={text.problem}
              value={filter.problem}
              choices={choices(PROBLEMS, (problem) => problemMessages(locale)[problem])}
            />
            <TextField name="from" label={text.createdFrom} type="date" value={filter.from} />
            <TextField name="until" label={text.createdUntil} type="date" value={filter.until} />
          </div>
        </details>
        <Button look="quiet">{text.show}</Button>
      </form>
      <Notice kind="information" text={isAstray && text.noSuchPlace} />
      <Notice
        kind="information"
        text={broad.length > 0 && text.tooBroad(broad.map((word) => word.toLowerCase()).join(', '))}
      />
      {contracts.length === 0 ? (
        <NoContracts {...props} text={isCut ? text.noneYet : isFiltered ? text.noMatch : text.none} />
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
                <Problems contract={contract} locale={locale} />
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
      {isCut && contracts.length > 0 && <p class="soft small">{text.cut}</p>}
      <ActionLinks
        links={[
          newer !== null && { href: linkTo(to.contracts, { newer }), text: text.newer },
          older !== null && { href: linkTo(to.contracts, { older }), text: isCut ? text.searchOlder : text.older },
          contracts.length > 0 && {
            href: page.isProven ? linkTo(to.contractsCsv) : withNext(to.prove, page.path ?? to.contracts),
            text: text.csv,
          },
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

/** What keeps a contract from being signed. */
function Problems({ contract: { deliveryProblem, isDeclined }, locale }: { contract: ListedContract; locale: Locale }) {
  const text = contractMessages(locale)
  return (
    <>
      {deliveryProblem !== null && <div class="sub trouble">{text[deliveryProblem]}</div>}
      {isDeclined && <div class="sub trouble">{text.declined}</div>}
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
