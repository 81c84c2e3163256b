// The page of one contract: details, parties with the state of their invitations, events.
import type { ComponentChildren } from 'preact'
import type { Environment } from '@paraph/protocol/environment'
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { formatInstant } from '@paraph/web/dates'
import { LinkButton } from '@paraph/web/fields'
import { Flourish } from '@paraph/web/mark'
import { isolateNames } from '@paraph/web/names-in-words'
import { Details, Note, Sheet } from '@paraph/web/sheet'
import { ConsoleFrame, Instant, type PageProps } from '../frame/console-frame.js'
import { ButtonForm, ConsoleForm } from '../frame/forms.js'
import {
  isOpenContract,
  mayErase,
  type ContractDetail,
  type ContractHistory,
  type ContractMails,
} from './contract-rows.js'
import { contractMessages, eventMessages } from './messages.js'
import { to } from '../frame/links.js'
import { Back, Notice, SmallButton } from '../frame/parts.js'
import { Status } from './contract-list-page.js'

/** The result of the act that led to the page. */
export interface ContractNotice {
  kind: 'information' | 'warning'
  text: string
}

interface ContractPageProps {
  page: PageProps
  environment: Environment
  contract: ContractDetail
  timeZone: string
  /** Undefined while notification does not respond. */
  mails: ContractMails | undefined
  /** Undefined while signing does not respond. */
  history: ContractHistory | undefined
  notice?: ContractNotice | undefined
  isSuspended?: boolean
}

export function ContractPage(props: ContractPageProps) {
  const { page, environment, contract, notice, isSuspended = false } = props
  const { locale } = page
  const text = contractMessages(locale)
  const at = to.contract(environment, contract.id)
  const isOpen = isOpenContract(contract)
  return (
    <ConsoleFrame page={page} title={contract.contractNumber} at="contracts">
      <Back href={`${to.contracts}?environment=${environment}`}>{text.title}</Back>
      <div class="head">
        <div>
          <h1>{contract.contractNumber}</h1>
          <p class="soft">
            {contractTypeNames(locale)[contract.contractType]}, {isolateNames(text.sentAs, contract.senderName)}
          </p>
        </div>
        <Status status={contract.status} locale={locale} />
      </div>
      {notice && <Notice {...notice} />}
      <Notice
        kind="information"
        text={contract.erasedAt !== null && text.erased(formatInstant(new Date(contract.erasedAt), locale))}
      />
      <Notice kind="information" text={contract.isHeld && text.held} />
      <PendingErasure {...props} />
      <Sheet parts={[<ContractDetails {...props} />]} />
      <div class="beside-wide">
        <div class="sheet pad">
          <h2>
            {text.parties}{' '}
            <span class="soft small">
              {text.haveSigned(contract.signingProgress.signed, contract.signingProgress.total)}
            </span>
          </h2>
          <Parties {...props} />
        </div>
        <div class="sheet pad">
          <h2>{text.events}</h2>
          <Events {...props} />
        </div>
      </div>
      {isOpen ? (
        <EndRow head={text.cancelHead} text={text.cancelShort} href={`${at}/cancel`} label={text.cancelOpen} />
      ) : (
        mayErase(contract, isSuspended) && (
          <EndRow head={text.eraseHead} text={text.eraseShort} href={`${at}/erase`} label={text.eraseOpen} />
        )
      )}
    </ConsoleFrame>
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
      <div class="actions">
        <ButtonForm page={page} action={`${to.contract(environment, contract.id)}/keep`} text={text.keepContract} />
      </div>
    </>
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

function ContractDetails({ page, contract, timeZone }: ContractPageProps) {
  const { locale } = page
  const text = contractMessages(locale)
  const at = (instant: string) => <Instant at={new Date(instant)} {...{ locale, timeZone }} seconds />
  const mono = (value: string) => <span class="mono unbroken">{value}</span>
  const { completedAt, cancelledAt, cancelledBy, cancelReason, status, shareUrl } = contract
  const endLabel = status === 'expired' ? text.expired : text.expires
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
        { label: text.apiId, value: mono(contract.id) },
        ...(shareUrl === null ? [] : [{ label: text.shareLink, value: mono(shareUrl) }]),
      ]}
    />
  )
}

function Parties(props: ContractPageProps) {
  const { page, environment, contract, timeZone } = props
  const { locale } = page
  const text = contractMessages(locale)
  const isOpen = isOpenContract(contract)
  const at = to.contract(environment, contract.id)
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
                ? text.signedAt(formatInstant(new Date(party.signedAt), locale, { timeZone }))
                : mailText(props, index)}
            </p>
          </div>
          {isOpen && party.signedAt === null && (
            <ConsoleForm page={page} action={`${at}/invitation`} hidden={{ party: index }}>
              <SmallButton text={text.sendAgain} of={party.role} />
            </ConsoleForm>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The state of the newest invitation of the party at `index`. */
function mailText({ page: { locale }, mails, timeZone }: ContractPageProps, index: number): ComponentChildren {
  const text = contractMessages(locale)
  if (!mails) return text.mailUnknown
  const mail = mails.parties.find((party) => party.index === index)?.mails.find(({ kind }) => kind === 'invitation')
  if (!mail) return text.mailNone
  const at = mail.finishedAt === null ? '' : formatInstant(new Date(mail.finishedAt), locale, { timeZone })
  switch (mail.state) {
    case 'due':
      return mails.isHeld ? text.mailHeld : text.mailDue
    case 'accepted':
      return text.mailAccepted(at)
    case 'failed':
    case 'lapsed': {
      const code = mail.smtpCode === null ? '' : ` (${mail.smtpCode})`
      return <span class="trouble">{mail.reason === 'gave_up' ? text.mailGaveUp : text.mailRefused(code)}</span>
    }
    case 'skipped':
      return mail.why === 'named in another invitation' ? text.mailNamed : text.mailNone
  }
}

function Events({ page, environment, contract, timeZone, history }: ContractPageProps) {
  const { locale } = page
  const text = contractMessages(locale)
  if (!history) return <p>{text.eventsUnknown}</p>
  const at = to.contract(environment, contract.id)
  const isSealed = history.copies.state === 'ready'
  const isErased = contract.erasedAt !== null
  const downloads = [
    ['evidence', isSealed ? text.evidence : text.evidenceSoFar],
    ...(isErased ? [] : [['openings', text.openings]]),
    ...(isSealed && !isErased ? [['copy', text.copy]] : []),
  ]
  return (
    <>
      {history.entries.length === 0 && <p>{text.noEvents}</p>}
      <ol class="timeline">
        {history.entries.map(({ seq, type, at: instant, hashStart, parties }) => (
          <li key={seq} class={type === 'signature.accepted' ? 'is-ink' : undefined}>
            <span class="soft small">
              <Instant at={new Date(instant)} {...{ locale, timeZone }} seconds />
            </span>
            <span>
              <strong>{eventMessages(locale)[type]}</strong>{' '}
              <bdi>{parties.map(({ role }) => role ?? '').join(', ')}</bdi>
            </span>
            <span class="mono soft small">
              {text.seq} {seq} · {hashStart}
            </span>
          </li>
        ))}
      </ol>
      {history.entries.length > 0 && (
        <ul class="downloads">
          {downloads.map(([name, label]) => (
            <li key={name}>
              <a href={`${at}/${name}`}>{label}</a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
