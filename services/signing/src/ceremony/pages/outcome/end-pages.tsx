// Pages 10, 11 and 24, all 410: the link of a contract that has expired, was cancelled or was erased.
// They are the same for everyone and have no form. [D20]
import { formatInstant } from '@paraph/web/dates'
import { isolateNames } from '@paraph/web/names-in-words'
import { OutcomeFrame, type PageProps } from '../frame/ceremony-frame.js'
import { outcomeMessages } from './messages.js'

interface EndPageProps extends PageProps {
  timeZone?: string | undefined
}

interface ExpiredPageProps extends EndPageProps {
  senderName: string
  expiresAt: Date
  /** True if everyone signed in time and only the link has ended. */
  wasCompleted: boolean
}

/** Page 10. */
export function ExpiredPage({ senderName, expiresAt, timeZone, wasCompleted, ...page }: ExpiredPageProps) {
  const messages = outcomeMessages(page.locale)
  const time = formatInstant(expiresAt, page.locale, { timeZone })
  return wasCompleted ? (
    <OutcomeFrame page={page} title={messages.closedTitle} lead={messages.closedLead(time)}>
      <p>{isolateNames(messages.askForCopy, senderName)}</p>
    </OutcomeFrame>
  ) : (
    <OutcomeFrame page={page} title={messages.expiredTitle} lead={messages.expiredLead(time)}>
      <p>{messages.noEffect}</p>
      <p>{isolateNames(messages.askForNew, senderName)}</p>
    </OutcomeFrame>
  )
}

interface CancelledPageProps extends EndPageProps {
  senderName: string
  cancelledAt: Date
  /** False if an operator or an unknown actor cancelled it. [D19] */
  bySender: boolean
}

/** Page 11. It does not give the reason. [D39] */
export function CancelledPage({ senderName, cancelledAt, timeZone, bySender, ...page }: CancelledPageProps) {
  const messages = outcomeMessages(page.locale)
  const time = formatInstant(cancelledAt, page.locale, { timeZone })
  const lead = bySender
    ? isolateNames((sender) => messages.cancelledBySender(sender, time), senderName)
    : messages.cancelledLead(time)
  return (
    <OutcomeFrame page={page} title={messages.cancelledTitle} lead={lead}>
      <p>{messages.noEffect}</p>
    </OutcomeFrame>
  )
}

/** Page 24. It names nobody: the names are erased. [D43] */
export function ErasedPage({ erasedAt, timeZone, ...page }: EndPageProps & { erasedAt: Date }) {
  const messages = outcomeMessages(page.locale)
  const lead = messages.erasedLead(formatInstant(erasedAt, page.locale, { timeZone }))
  return (
    <OutcomeFrame page={page} title={messages.erasedTitle} lead={lead}>
      <p>{messages.erasedCopies}</p>
    </OutcomeFrame>
  )
}
