// The page of one contract: details, parties with the state of their invitations, events.
import type { ComponentChildren } from 'preact'
import type { Environment } from '@paraph/protocol/environment'
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { formatInstant } from '@paraph/web/dates'
import { LinkButton } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { Flourish } from '@paraph/web/mark'
import { isolateNames } from '@paraph/web/names-in-words'
import { Details, Sheet } from '@paraph/web/sheet'
import { ConsoleForm, ConsoleFrame, Instant, type PageProps } from '../frame/console-frame.js'
import { isOpenContract, type ContractDetail, type ContractHistory, type ContractMails } from './contract-rows.js'
import { contractMessages, eventMessages } from './messages.js'
import { to } from '../frame/links.js'
import { Back, Notice } from '../frame/parts.js'
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
}

export function ContractPage(props: ContractPageProps) {
  const { page, environment, contract, notice } = props
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
      <Sheet parts={[<ContractDetails {...props} />]} />
      <div class="beside-wide">
        <div class="sheet pad">
          <h2>
            {text.parties}{' '}
            <span class="soft small">
              {text.haveSigned(contract.signingProgress.signed, contract.signingProgress.total)}
            </span>
          </h2>
          <Parties {...props} isOpen={isOpen} />
        </div>
        <div class="sheet pad">
          <h2>{text.events}</h2>
          <Events {...props} />
        </div>
      </div>
      {isOpen ? (
        <EndRow head={text.cancelHead} text={text.cancelShort} href={`${at}/cancel`} label={text.cancelOpen} />
      ) : (
        contract.erasedAt === null && (
          <EndRow head={text.eraseHead} text={text.eraseShort} href={`${at}/erase`} label={text.eraseOpen} />
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

function ContractDetails({ page, contract, timeZone }: ContractPageProps) {
  const { locale } = page
  const text = contractMessages(locale)
  const at = (instant: string) => <Instant at={new Date(instant)} {...{ locale, timeZone }} seconds />
  const { completedAt, cancelledAt, cancelledBy, cancelReason, status } = contract
  const ended =
    completedAt !== null
      ? { label: text.completed, value: at(completedAt) }
      : cancelledAt !== null
        ? { label: text.cancelledAt, value: at(cancelledAt) }
        : { label: status === 'expired' ? text.expired : text.expires, value: at(contract.expiresAt) }
  return (
    <Details
      rows={[
        { label: text.created, value: at(contract.createdAt) },
        ended,
        ...(cancelledBy === null ? [] : [{ label: text.cancelledBy, value: text[cancelledBy] }]),
        ...(cancelReason === null ? [] : [{ label: text.reason, value: <bdi>{cancelReason}</bdi> }]),
        { label: text.apiId, value: <span class="mono unbroken">{contract.id}</span> },
        ...(contract.shareUrl === null
          ? []
          : [{ label: text.shareLink, value: <span class="mono unbroken">{contract.shareUrl}</span> }]),
      ]}
    />
  )
}

function Parties({ page, environment, contract, timeZone, mails, isOpen }: ContractPageProps & { isOpen: boolean }) {
  const { locale } = page
  const text = contractMessages(locale)
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
                aria-label={`${text.sendAgain}: ${party.role}`}
              >
                {text.sendAgain}
              </button>
            </ConsoleForm>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The state of a party's newest invitation. */
function mailText(
  mails: ContractMails | undefined,
  index: number,
  locale: Locale,
  timeZone: string,
): ComponentChildren {
  const text = contractMessages(locale)
  if (!mails) return text.mailUnknown
  const mail = mails.parties.find((party) => party.index === index)?.mails.find(({ kind }) => kind === 'invitation')
  if (!mail) return text.mailNone
  const at = mail.settledAt === null ? '' : formatInstant(new Date(mail.settledAt), locale, { timeZone })
  switch (mail.state) {
    case 'due':
      return mails.isHeld ? text.mailHeld : text.mailDue
    case 'accepted':
      return text.mailAccepted(at)
    case 'failed':
    case 'lapsed':
      return (
        <span class="trouble">
          {mail.reason === 'gave_up'
            ? text.mailGaveUp
            : text.mailRefused(mail.smtpCode === null ? '' : ` (${mail.smtpCode})`)}
        </span>
      )
    case 'skipped':
      return text.mailNone
  }
}

function Events({ page, environment, contract, timeZone, history }: ContractPageProps) {
  const { locale } = page
  const text = contractMessages(locale)
  if (!history) return <p>{text.eventsUnknown}</p>
  const at = to.contract(environment, contract.id)
  const isSealed = history.copies.state === 'ready'
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
          <li>
            <a href={`${at}/evidence`}>{isSealed ? text.evidence : text.evidenceSoFar}</a>
          </li>
          {contract.erasedAt === null && (
            <li>
              <a href={`${at}/openings`}>{text.openings}</a>
            </li>
          )}
          {isSealed && contract.erasedAt === null && (
            <li>
              <a href={`${at}/copy`}>{text.copy}</a>
            </li>
          )}
        </ul>
      )}
    </>
  )
}
