// The page of one contract: actions, details, metadata, text, parties, events.
import { ContractTextView } from '@paraph/web/contract-text-view'
import { readText } from '@paraph/web/contract-text/read-text'
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { formatInstant } from '@paraph/web/dates'
import { LinkButton } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { isolateNames } from '@paraph/web/names-in-words'
import { Details, Disclosure, Note, Sheet } from '@paraph/web/sheet'
import { ConsoleFrame } from '../frame/console-frame.js'
import { ButtonForm } from '../frame/forms.js'
import { Instant } from '../frame/instant.js'
import { to } from '../frame/links.js'
import { mayUse } from '../frame/page-props.js'
import { Back, Notice } from '../frame/parts.js'
import { Copyable } from '../frame/copyable.js'
import { Events } from './contract-events.js'
import { Status } from './contract-list-page.js'
import type { ContractPageProps } from './contract-page-props.js'
import { Parties } from './contract-parties.js'
import { isOpenContract, mayErase, type ContractDetail } from './contract-rows.js'
import { contractMessages } from './messages.js'

/** Status 200. */
export function ContractPage(props: ContractPageProps) {
  const { page, environment, contract, notice } = props
  const { locale } = page
  const text = contractMessages(locale)
  const isErased = contract.erasedAt !== null
  const { title, heading } = titleOf(contract, locale)
  return (
    <ConsoleFrame page={page} title={title} at="contracts">
      <Back href={`${to.contracts}?environment=${environment}`}>{text.title}</Back>
      <div class="head">
        <div>
          <h1>{heading}</h1>
          <p class="soft">
            {contract.contractNumber}
            {!isErased && <>, {isolateNames(text.sentAs, contract.senderName)}</>}
          </p>
          <p class="head-status">
            <Status status={contract.status} locale={locale} />
          </p>
        </div>
        <ContractActions {...props} />
      </div>
      {notice && <Notice {...notice} />}
      <Notice
        kind="information"
        text={contract.erasedAt !== null && text.erased(formatInstant(new Date(contract.erasedAt), locale))}
      />
      <Notice kind="information" text={contract.isHeld && text.held} />
      <PendingErasure {...props} />
      <Sheet
        parts={[
          <ContractDetails {...props} />,
          ...(Object.keys(contract.metadata).length === 0 ? [] : [<Metadata {...props} />]),
          ...(isErased ? [] : [<ContractText {...props} />]),
        ]}
      />
      <div class="beside-wide">
        <div class="sheet pad">
          <h2>
            {text.parties}{' '}
            <span class="soft small">
              {text.haveSigned(contract.signingProgress.signed, contract.signingProgress.total)}
            </span>
          </h2>
          {isErased ? <p>{text.namesErased(contract.parties.length)}</p> : <Parties {...props} />}
        </div>
        <div class="sheet pad">
          <h2>{text.events}</h2>
          <Events {...props} />
        </div>
      </div>
    </ConsoleFrame>
  )
}

/** The type and the first party with the number of the others; after an erasure the type alone. */
function titleOf({ contractType, parties, erasedAt }: ContractDetail, locale: Locale) {
  const type = contractTypeNames(locale)[contractType]
  const first = parties[0]
  if (erasedAt !== null || !first) return { title: type, heading: type }
  const titleFor = (name: string) => contractMessages(locale).heading(type, parties.length - 1, name)
  return { title: titleFor(first.legalName), heading: isolateNames(titleFor, first.legalName) }
}

/** The signed PDF, and the way to end or erase the contract. */
function ContractActions({ page, environment, contract, history, isSuspended = false }: ContractPageProps) {
  const text = contractMessages(page.locale)
  const at = to.contract(environment, contract.id)
  const mayAct = mayUse(page, 'act', environment)
  const hasCopy = mayAct && history?.copies.state === 'ready' && contract.erasedAt === null
  const end = isOpenContract(contract)
    ? mayAct && { href: `${at}/cancel`, label: text.cancelOpen }
    : mayUse(page, 'manage') && mayErase(contract, isSuspended) && { href: `${at}/erase`, label: text.eraseOpen }
  if (!hasCopy && !end) return null
  return (
    <div class="actions">
      {hasCopy && (
        <LinkButton look="quiet" href={`${at}/copy`}>
          {text.copy}
        </LinkButton>
      )}{' '}
      {mayAct && environment === 'sandbox' && isOpenContract(contract) && (
        <ButtonForm page={page} action={`${at}/expire`} text={text.expireNow} />
      )}{' '}
      {end && (
        <LinkButton look="danger-quiet" href={end.href}>
          {end.label}
        </LinkButton>
      )}
    </div>
  )
}

/** When the contract is erased, who requested it, and the way back. [P32] */
function PendingErasure({ page, environment, contract, timeZone, isSuspended }: ContractPageProps) {
  if (!contract.erasure) return null
  const { locale } = page
  const text = contractMessages(locale)
  const at = formatInstant(new Date(contract.erasure.at), locale, { timeZone })
  return (
    <>
      <Note kind="warning">
        <p>
          {isolateNames(text.willBeErased, at, contract.erasure.by ?? '')} {isSuspended && text.pausedOnHold}
        </p>
      </Note>
      {mayUse(page, 'manage') && (
        <div class="actions">
          <ButtonForm page={page} action={`${to.contract(environment, contract.id)}/keep`} text={text.keepContract} />
        </div>
      )}
    </>
  )
}

function ContractDetails({ page, contract, timeZone }: ContractPageProps) {
  const { locale } = page
  const text = contractMessages(locale)
  const at = (instant: string) => <Instant at={new Date(instant)} {...{ locale, timeZone }} seconds />
  const { completedAt, cancelledAt, cancelledBy, cancelReason, status, shareUrl } = contract
  const endLabel = status === 'expired' ? text.expired : text.expires
  const link = shareUrl !== null && { id: 'share-link', of: text.shareLink, value: shareUrl, href: shareUrl }
  return (
    <Details
      rows={[
        { label: text.created, value: at(contract.createdAt) },
        completedAt !== null
          ? { label: text.completed, value: at(completedAt) }
          : cancelledAt !== null
            ? { label: text.cancelledAt, value: at(cancelledAt) }
            : { label: endLabel, value: at(contract.expiresAt) },
        ...(cancelledBy === null ? [] : [{ label: text.cancelledBy, value: text[cancelledBy] }]),
        ...(cancelReason === null ? [] : [{ label: text.reason, value: <bdi>{cancelReason}</bdi> }]),
        {
          label: text.number,
          value: <Copyable {...{ locale, of: text.number, value: contract.contractNumber }} id="number" />,
        },
        { label: text.apiId, value: <Copyable {...{ locale, of: text.apiId, value: contract.id }} id="api-id" /> },
        ...(link ? [{ label: text.shareLink, value: <Copyable {...{ locale, ...link }} /> }] : []),
      ]}
    />
  )
}

/** The client's own names and values. */
function Metadata({ page, contract }: ContractPageProps) {
  return (
    <>
      <h2>{contractMessages(page.locale).metadata}</h2>
      <dl class="metadata">
        {Object.entries(contract.metadata).map(([name, value]) => (
          <div key={name}>
            <dt class="mono">{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** The text as the parties read it. */
function ContractText({ page, content }: ContractPageProps) {
  const text = contractMessages(page.locale)
  return (
    <>
      <h2>{text.text}</h2>
      {typeof content === 'string' ? (
        <Disclosure summary={text.showText}>
          <ContractTextView text={readText(content)} locale={page.locale} />
        </Disclosure>
      ) : (
        <p>{text.textUnknown}</p>
      )}
    </>
  )
}
