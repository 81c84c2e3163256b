// One contract: facts, parties with what became of their mails, events.
import type { ComponentChildren } from 'preact'
import type { Environment } from '@paraph/protocol/caller'
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { formatInstant } from '@paraph/web/dates'
import { LinkButton } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { Flourish } from '@paraph/web/mark'
import { setNames } from '@paraph/web/names-in-words'
import { Facts, Note, Sheet } from '@paraph/web/sheet'
import { ConsoleForm, ConsoleFrame, Instant, type PageProps } from './console-frame.js'
import type { ContractDetail, ContractMails, ContractStory } from './contract-facts.js'
import { contractWords, eventWords } from './contract-words.js'
import { to } from './links.js'
import { Status } from './contract-list-page.js'

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
