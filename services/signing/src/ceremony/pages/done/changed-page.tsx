import { LinkButton } from '@paraph/web/fields'
import { OutcomeFrame, type PageProps } from '../frame/ceremony-frame.js'
import { links } from '../frame/links.js'
import { isolateNames } from '@paraph/web/names-in-words'
import { outcomeMessages } from '../outcome/messages.js'

export interface ChangedPageProps extends PageProps {
  token: string
  senderName: string
  /** What changed between reading and sending; `form`: the form is too old or not ours (403). */
  reason: 'cancelled' | 'expired' | 'suspended' | 'text' | 'form'
  /** The role that has not signed, for a mailbox with several; it may have signed in another. */
  asRole?: string | undefined
  /** The contract ended long before the form was sent, so the page does not say "a moment ago". */
  isLongAgo?: boolean | undefined
}

/** Page 6c, 409: the contract changed while the person was reading. Nothing is recorded. */
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
    <OutcomeFrame page={page} title={titles[reason]} lead={<strong>{lead}</strong>}>
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
