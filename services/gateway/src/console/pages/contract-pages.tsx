// Contracts: the list, one contract with its parties, mails and events, and the questions before cancelling and erasing. [D19, D24, D30, D43]
import type { ComponentChildren } from 'preact'
import type { Environment } from '@paraph/protocol/caller'
import { CONTRACT_STATUSES, CONTRACT_TYPES, type ContractStatus } from '@paraph/protocol/contract'
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { formatInstant } from '@paraph/web/dates'
import { Button, LinkButton, Select, TextArea, TextField, type FieldError } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { Flourish } from '@paraph/web/mark'
import { setNames } from '@paraph/web/names-in-words'
import { Facts, Note, Sheet } from '@paraph/web/sheet'
import { ConsoleForm, ConsoleFrame, Instant, type PageProps } from './console-frame.js'
import type { ContractDetail, ContractMails, ContractStory, ListedContract } from './contract-facts.js'
import { contractWords, eventWords, statusWords } from './contract-words.js'
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

/** What an act just led to, in words. */
export interface ContractNotice {
  kind: 'information' | 'warning'
  text: string
}

interface ContractPageProps {
  page: PageProps
  environment: Environment
  contract: ContractDetail
  timeZone: string
  /** Undefined while notification does not answer. */
  mails: ContractMails | undefined
  /** Undefined while signing does not answer. */
  story: ContractStory | undefined
  notice?: ContractNotice | undefined
}

/** One contract. */
export function ContractPage(props: ContractPageProps) {
  const { page, environment, contract, notice } = props
  const { locale } = page
  const say = contractWords(locale)
  const at = to.contract(environment, contract.id)
  const isOpen = contract.status === 'pending_signature' || contract.status === 'partially_signed'
  return (
    <ConsoleFrame page={page} title={contract.contractNumber} at="contracts">
      <p class="back">
        <a href={`${to.contracts}?environment=${environment}`}>{say.title}</a>
      </p>
      <div class="head">
        <div>
          <h1>{contract.contractNumber}</h1>
          <p class="soft">
            {contractTypeNames(locale)[contract.contractType]}, {setNames(say.sentAs, contract.senderName)}
          </p>
        </div>
        <Status status={contract.status} locale={locale} />
      </div>
      {notice && (
        <Note kind={notice.kind}>
          <p>{notice.text}</p>
        </Note>
      )}
      {contract.erasedAt !== null && (
        <Note kind="information">
          <p>{say.erased(formatInstant(new Date(contract.erasedAt), locale))}</p>
        </Note>
      )}
      <Sheet parts={[<ContractFacts {...props} />]} />
      <div class="beside-wide">
        <div class="sheet pad">
          <h2>
            {say.parties}{' '}
            <span class="soft small">
              {say.haveSigned(contract.signingProgress.signed, contract.signingProgress.total)}
            </span>
          </h2>
          <Parties {...props} isOpen={isOpen} />
        </div>
        <div class="sheet pad">
          <h2>{say.events}</h2>
          <Events {...props} />
        </div>
      </div>
      {isOpen ? (
        <EndRow head={say.cancelHead} text={say.cancelShort} href={`${at}/cancel`} label={say.cancelOpen} />
      ) : (
        contract.erasedAt === null && (
          <EndRow head={say.eraseHead} text={say.eraseShort} href={`${at}/erase`} label={say.eraseOpen} />
        )
      )}
    </ConsoleFrame>
  )
}

function EndRow({ head, text, href, label }: { head: string; text: string; href: string; label: string }) {
  return (
    <section class="end-row">
      <div>
        <h2>{head}</h2>
        <p class="soft">{text}</p>
      </div>
      <LinkButton look="danger-quiet" href={href}>
        {label}
      </LinkButton>
    </section>
  )
}

function ContractFacts({ page, contract, timeZone }: ContractPageProps) {
  const { locale } = page
  const say = contractWords(locale)
  const at = (instant: string) => <Instant at={new Date(instant)} {...{ locale, timeZone }} seconds />
  const { completedAt, cancelledAt, cancelledBy, cancelReason, status } = contract
  const ended =
    completedAt !== null
      ? { label: say.completed, value: at(completedAt) }
      : cancelledAt !== null
        ? { label: say.cancelledAt, value: at(cancelledAt) }
        : { label: status === 'expired' ? say.expired : say.expires, value: at(contract.expiresAt) }
  return (
    <Facts
      facts={[
        { label: say.created, value: at(contract.createdAt) },
        ended,
        ...(cancelledBy === null ? [] : [{ label: say.cancelledBy, value: say[cancelledBy] }]),
        ...(cancelReason === null ? [] : [{ label: say.reason, value: <bdi>{cancelReason}</bdi> }]),
        { label: say.apiId, value: <span class="mono unbroken">{contract.id}</span> },
        ...(contract.shareUrl === null
          ? []
          : [{ label: say.shareLink, value: <span class="mono unbroken">{contract.shareUrl}</span> }]),
      ]}
    />
  )
}

function Parties({ page, environment, contract, timeZone, mails, isOpen }: ContractPageProps & { isOpen: boolean }) {
  const { locale } = page
  const say = contractWords(locale)
  return (
    <ul class="party-list">
      {contract.parties.map((party, index) => (
        <li key={index}>
          <div>
            <p class={party.signedAt === null ? 'party-name' : 'party-name party-signed'}>
              <bdi>{party.legalName}</bdi>
              {party.signedAt !== null && <Flourish />}
            </p>
            <p class="soft small">
              <bdi>{party.role}</bdi>
              {party.email !== '' && (
                <>
                  {' · '}
                  <bdi class="unbroken">{party.email}</bdi>
                </>
              )}
            </p>
            <p class="small">
              {party.signedAt !== null
                ? say.signedAt(formatInstant(new Date(party.signedAt), locale, { timeZone }))
                : mailText(mails, index, locale, timeZone)}
            </p>
          </div>
          {isOpen && party.signedAt === null && (
            <ConsoleForm
              page={page}
              action={`${to.contract(environment, contract.id)}/invitation`}
              hidden={{ party: index }}
            >
              <button
                class="button button-quiet button-small"
                type="submit"
                aria-label={`${say.sendAgain}: ${party.role}`}
              >
                {say.sendAgain}
              </button>
            </ConsoleForm>
          )}
        </li>
      ))}
    </ul>
  )
}

/** What became of the newest invitation of a party. */
function mailText(
  mails: ContractMails | undefined,
  index: number,
  locale: Locale,
  timeZone: string,
): ComponentChildren {
  const say = contractWords(locale)
  if (!mails) return say.mailUnknown
  const mail = mails.parties.find((party) => party.index === index)?.mails.find(({ kind }) => kind === 'invitation')
  if (!mail) return say.mailNone
  const at = mail.settledAt === null ? '' : formatInstant(new Date(mail.settledAt), locale, { timeZone })
  switch (mail.state) {
    case 'due':
      return mails.isHeld ? say.mailHeld : say.mailDue
    case 'accepted':
      return say.mailAccepted(at)
    case 'failed':
    case 'lapsed':
      return (
        <span class="trouble">
          {mail.reason === 'gave_up'
            ? say.mailGaveUp
            : say.mailRefused(mail.smtpCode === null ? '' : ` (${mail.smtpCode})`)}
        </span>
      )
    case 'skipped':
      return say.mailNone
  }
}

function Events({ page, environment, contract, timeZone, story }: ContractPageProps) {
  const { locale } = page
  const say = contractWords(locale)
  if (!story) return <p>{say.eventsUnknown}</p>
  const at = to.contract(environment, contract.id)
  const isSealed = story.copies.state === 'ready'
  return (
    <>
      {story.entries.length === 0 && <p>{say.noEvents}</p>}
      <ol class="timeline">
        {story.entries.map(({ seq, type, at: instant, hashStart, parties }) => (
          <li key={seq} class={type === 'signature.accepted' ? 'is-ink' : undefined}>
            <span class="soft small">
              <Instant at={new Date(instant)} {...{ locale, timeZone }} seconds />
            </span>
            <span>
              <strong>{eventWords(locale)[type]}</strong> <bdi>{parties.map(({ role }) => role ?? '').join(', ')}</bdi>
            </span>
            <span class="mono soft small">
              {say.seq} {seq} · {hashStart}
            </span>
          </li>
        ))}
      </ol>
      {story.entries.length > 0 && (
        <ul class="downloads">
          <li>
            <a href={`${at}/evidence`}>{isSealed ? say.evidence : say.evidenceSoFar}</a>
          </li>
          {contract.erasedAt === null && (
            <li>
              <a href={`${at}/openings`}>{say.openings}</a>
            </li>
          )}
          {isSealed && contract.erasedAt === null && (
            <li>
              <a href={`${at}/copy`}>{say.copy}</a>
            </li>
          )}
        </ul>
      )}
    </>
  )
}

interface QuestionProps {
  page: PageProps
  environment: Environment
  contract: ContractDetail
  /** What was typed, kept on a page with errors. */
  typed?: { number: string; reason: string }
  errors?: readonly FieldError[]
}

/** What happens, who has signed already, and the number to type. 200, or 422 with what is wrong. */
export function CancelPage({ page, environment, contract, typed, errors = [] }: QuestionProps) {
  const say = contractWords(page.locale)
  const signed = contract.parties.filter(({ signedAt }) => signedAt !== null).map(({ legalName }) => legalName)
  const at = to.contract(environment, contract.id)
  return (
    <ConsoleFrame page={page} title={say.cancelTitle} at="contracts" width="form" errors={errors}>
      <p class="back">
        <a href={at}>{contract.contractNumber}</a>
      </p>
      <h1>{say.cancelTitle}</h1>
      <p>{say.cancelLead}</p>
      {signed.length > 0 && (
        <p>
          <strong>{setNames(say.cancelSigned, signed.join(', '))}</strong>
        </p>
      )}
      <p>{say.cancelMail}</p>
      <ConsoleForm page={page} action={`${at}/cancel`}>
        <TextArea
          name="reason"
          label={say.reasonOptional}
          hint={say.reasonHint}
          error={errors.find(({ field }) => field === 'reason')?.message}
          value={typed?.reason}
          rows={2}
        />
        <TypedNumber {...{ page, contract, errors, typed: typed?.number }} />
        <div class="actions">
          <Button look="danger">{say.cancelNow}</Button>
          <a class="plain-link" href={at}>
            {say.keepIt}
          </a>
        </div>
      </ConsoleForm>
    </ConsoleFrame>
  )
}

/** What goes and what stays, and the number to type. 200, or 422 with what is wrong. [D43] */
export function ErasePage({ page, environment, contract, typed, errors = [] }: QuestionProps) {
  const say = contractWords(page.locale)
  const at = to.contract(environment, contract.id)
  return (
    <ConsoleFrame page={page} title={say.eraseTitle} at="contracts" width="form" errors={errors}>
      <p class="back">
        <a href={at}>{contract.contractNumber}</a>
      </p>
      <h1>{say.eraseTitle}</h1>
      <p>{say.eraseLead}</p>
      <ConsoleForm page={page} action={`${at}/erase`}>
        <TypedNumber {...{ page, contract, errors, typed: typed?.number }} />
        <div class="actions">
          <Button look="danger">{say.eraseNow}</Button>
          <a class="plain-link" href={at}>
            {say.keepIt}
          </a>
        </div>
      </ConsoleForm>
    </ConsoleFrame>
  )
}

function TypedNumber(props: {
  page: PageProps
  contract: ContractDetail
  errors: readonly FieldError[]
  typed: string | undefined
}) {
  const say = contractWords(props.page.locale)
  return (
    <TextField
      name="number"
      label={say.typeNumber}
      hint={props.contract.contractNumber}
      error={props.errors.find(({ field }) => field === 'number')?.message}
      value={props.typed}
      autocomplete="off"
    />
  )
}
