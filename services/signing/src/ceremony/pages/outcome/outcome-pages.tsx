// The pages with nothing to sign: an ended link, a contract that changed, an error, a wait. The pages of an ended link have status 410
// and no form, and are the same for everyone. [D20]
import { formatTime } from '@paraph/web/dates'
import { timeInWords } from '@paraph/web/local-time'
import { isolateNames } from '@paraph/web/names-in-words'
import { OutcomeFrame, type PageProps } from '../frame/ceremony-frame.js'
import { outcomeMessages } from './messages.js'
import { LinkButton } from '@paraph/web/fields'
import { links } from '../frame/links.js'
import type { ComponentChild } from 'preact'
import type { Locale } from '@paraph/web/locale'

type AtTime = PageProps & { timeZone?: string | undefined }

interface ExpiredPageProps extends AtTime {
  senderName: string
  contractNumber: string
  expiresAt: Date
  /** True if everyone signed in time and only the link has ended. */
  wasCompleted: boolean
}

/** Page 10. */
export function ExpiredPage(props: ExpiredPageProps) {
  const { senderName, contractNumber, expiresAt, timeZone, wasCompleted, ...page } = props
  const messages = outcomeMessages(page.locale)
  const time = timeInWords(expiresAt, page.locale, { timeZone })
  const shared = { page, contractNumber, offersHelp: true }
  return wasCompleted ? (
    <OutcomeFrame {...shared} title={messages.closedTitle} lead={isolateNames(messages.closedLead, time)}>
      <p>{isolateNames(messages.askForCopy, senderName)}</p>
    </OutcomeFrame>
  ) : (
    <OutcomeFrame {...shared} title={messages.expiredTitle} lead={isolateNames(messages.expiredLead, time)}>
      <p>{messages.noEffect}</p>
      <p>{isolateNames(messages.askForNew, senderName)}</p>
    </OutcomeFrame>
  )
}

interface CancelledPageProps extends AtTime {
  senderName: string
  contractNumber: string
  cancelledAt: Date
  /** Null for an unknown actor. `party`: a party declined. [D19, D57] */
  by: 'owner' | 'operator' | 'party' | null
}

/** Page 11. Does not show the reason of the cancellation. [D39] */
export function CancelledPage(props: CancelledPageProps) {
  const { senderName, contractNumber, cancelledAt, timeZone, by, ...page } = props
  const messages = outcomeMessages(page.locale)
  const time = timeInWords(cancelledAt, page.locale, { timeZone })
  const lead =
    by === 'owner'
      ? isolateNames(messages.cancelledBySender, senderName, time)
      : by === 'party'
        ? isolateNames(messages.cancelledByParty, time)
        : isolateNames(messages.cancelledLead, time)
  return (
    <OutcomeFrame {...{ page, lead, contractNumber }} title={messages.cancelledTitle} offersHelp>
      <p>{messages.noEffect}</p>
    </OutcomeFrame>
  )
}

/** Page 24. Contains no names, because they are erased; the number of the contract stays. [D43] */
export function ErasedPage(props: AtTime & { erasedAt: Date; contractNumber: string }) {
  const { erasedAt, contractNumber, timeZone, ...page } = props
  const messages = outcomeMessages(page.locale)
  const lead = isolateNames(messages.erasedLead, timeInWords(erasedAt, page.locale, { timeZone }))
  return (
    <OutcomeFrame {...{ page, lead, contractNumber }} title={messages.erasedTitle} offersHelp>
      <p>{messages.erasedCopies}</p>
    </OutcomeFrame>
  )
}

export interface ChangedPageProps extends PageProps {
  token: string
  senderName: string
  /** What changed between opening and sending the form; `form`: the form is too old or from another site (403). */
  reason: 'cancelled' | 'expired' | 'suspended' | 'text' | 'form'
  /** The role that has not signed, for a mailbox with several roles; another of its roles may have signed. */
  asRole?: string | undefined
  /** True if the contract ended long before the form was sent: the page does not say "a moment ago". */
  isLongAgo?: boolean | undefined
}

/** Page 6c, status 409: the contract changed while the person was reading. Nothing is recorded. */
export function ChangedPage({ token, senderName, reason, asRole, isLongAgo = false, ...page }: ChangedPageProps) {
  const messages = outcomeMessages(page.locale)
  const isOver = reason === 'cancelled' || reason === 'expired'
  const titles = {
    cancelled: isLongAgo ? messages.cancelledTitle : messages.changedCancelled,
    expired: isLongAgo ? messages.expiredTitle : messages.changedExpired,
    suspended: messages.changedSuspended,
    text: messages.changedText,
    form: messages.formNotUsed,
  }
  const notSigned = asRole === undefined ? messages.youHaveNotSigned : isolateNames(messages.youHaveNotSignedAs, asRole)
  const lead = reason === 'form' ? messages.formNotUsedLead : notSigned
  return (
    <OutcomeFrame
      page={page}
      title={titles[reason]}
      lead={<strong>{lead}</strong>}
      offersHelp={isOver || reason === 'suspended'}
    >
      {isOver && <p>{messages.noEffect}</p>}
      {isOver && <p>{isolateNames(messages.askForNew, senderName)}</p>}
      {reason === 'suspended' && <p>{messages.suspendedLead}</p>}
      {(reason === 'text' || reason === 'form') && (
        <>
          <p>{reason === 'text' ? messages.changedTextDetail : messages.formNotUsedDetail}</p>
          <div class="actions">
            <LinkButton look="primary" href={reason === 'text' ? links(token).review() : links(token).open}>
              {reason === 'text' ? messages.readAgain : messages.openAgain}
            </LinkButton>
          </div>
        </>
      )}
    </OutcomeFrame>
  )
}

/** After "Finish and leave": the session has ended in this browser. [D33] */
export function LeftPage({ token, ...page }: PageProps & { token: string }) {
  const messages = outcomeMessages(page.locale)
  return (
    <OutcomeFrame page={page} title={messages.leftTitle} lead={messages.leftLead}>
      <p>{messages.leftDetail}</p>
      <p>
        <a class="plain-link" href={links(token).open}>
          {messages.openAgain}
        </a>
      </p>
    </OutcomeFrame>
  )
}

/** Status 429: the client address has reached its limit of challenges per hour. [D16] */
export function WaitPage(props: AtTime & { tryAgainAt: Date; contractNumber: string }) {
  const { tryAgainAt, contractNumber, timeZone, ...page } = props
  const messages = outcomeMessages(page.locale)
  return (
    <OutcomeFrame {...{ page, contractNumber }} title={messages.waitTitle} lead={messages.waitLead} offersHelp>
      <p>{messages.waitDetail(formatTime(tryAgainAt, page.locale, { timeZone }))}</p>
    </OutcomeFrame>
  )
}

/** Page 12, status 404. Uses no part of the link, so that the body is the same for a malformed and for an unknown token. */
export function NotFoundPage(page: PageProps) {
  const messages = outcomeMessages(page.locale)
  return (
    <OutcomeFrame page={page} title={messages.notFoundTitle} lead={messages.notFoundLead} offersHelp>
      <p>{messages.notFoundDetail}</p>
    </OutcomeFrame>
  )
}

/** Page 15: the code was right, but the browser did not send the session cookie. `host` is the site that needs cookies. */
export function CookiesPage({ host, token, ...page }: PageProps & { host: string; token: string }) {
  const messages = outcomeMessages(page.locale)
  return (
    <OutcomeFrame page={page} title={messages.cookiesTitle} lead={messages.cookiesLead}>
      <p>{messages.cookiesDetail(host)}</p>
      <div class="actions">
        <LinkButton look="primary" href={links(token).open}>
          {messages.openAgain}
        </LinkButton>
      </div>
    </OutcomeFrame>
  )
}

/** What is known about a signature when an error occurs; the error page always states this. [ceremony 16, D41] */
export type SignatureKnowledge =
  /** `asRole`: for a mailbox with several roles. */
  | { kind: 'nothing_signed'; asRole?: string | undefined }
  | { kind: 'recorded'; at: Date; timeZone?: string | undefined }
  | { kind: 'unknown' }
  /** The failed request could not sign. The error page must not deny an earlier signature. */
  | { kind: 'untouched' }

interface ErrorPageProps extends PageProps {
  signature: SignatureKnowledge
  requestId: string
}

/** Page 16, the page of every error: what is known about the signature, and the request id for support. */
export function ErrorPage({ signature, requestId, ...page }: ErrorPageProps) {
  const messages = outcomeMessages(page.locale)
  const [lead, detail] = knownOf(signature, page.locale)
  return (
    <OutcomeFrame page={page} title={messages.troubleTitle} lead={lead} offersHelp>
      <p>{detail}</p>
      <p class="soft">
        {messages.reference} <span class="mono unbroken">{requestId}</span>
      </p>
    </OutcomeFrame>
  )
}

function knownOf(signature: SignatureKnowledge, locale: Locale): [lead: ComponentChild, detail: string] {
  const messages = outcomeMessages(locale)
  switch (signature.kind) {
    case 'nothing_signed': {
      const { asRole } = signature
      const lead = asRole === undefined ? messages.nothingSigned : isolateNames(messages.youHaveNotSignedAs, asRole)
      return [<strong>{lead}</strong>, messages.tryAgainSoon]
    }
    case 'recorded': {
      const time = timeInWords(signature.at, locale, { seconds: true, timeZone: signature.timeZone })
      return [<strong>{isolateNames(messages.recorded, time)}</strong>, messages.recordedDetail]
    }
    case 'unknown':
      return [<strong>{messages.unknown}</strong>, messages.unknownDetail]
    case 'untouched':
      return [messages.untouched, messages.tryAgainSoon]
  }
}
