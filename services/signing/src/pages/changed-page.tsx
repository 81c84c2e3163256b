import { LinkButton } from '@paraph/web/fields'
import { OutcomeFrame, type PageProps } from './ceremony-frame.js'
import { links } from './links.js'
import { setNames } from '@paraph/web/names-in-words'
import { outcomeWords } from './outcome-dictionary.js'

export interface ChangedPageProps extends PageProps {
  token: string
  senderName: string
  /** What changed between reading and sending; `form` is a form too old or not ours (403). */
  reason: 'cancelled' | 'expired' | 'on_hold' | 'text' | 'form'
  /** Where the mailbox has several roles: in which it has not signed; in another it may have. */
  asRole?: string | undefined
  /** It was over long before the form came: not a moment ago. */
  isLongAgo?: boolean | undefined
}

/** Page 6c, 409: it changed while somebody was reading. Nothing is recorded. */
export function ChangedPage({ token, senderName, reason, asRole, isLongAgo = false, ...page }: ChangedPageProps) {
  const say = outcomeWords(page.locale)
  const isOver = reason === 'cancelled' || reason === 'expired'
  const titles = {
    cancelled: isLongAgo ? say.cancelledTitle : say.changedCancelled,
    expired: isLongAgo ? say.expiredTitle : say.changedExpired,
    on_hold: say.changedOnHold,
    text: say.changedText,
    form: say.formNotUsed,
  }
  const notSigned = asRole === undefined ? say.youHaveNotSigned : setNames(say.youHaveNotSignedAs, asRole)
  const lead = reason === 'form' ? say.formNotUsedLead : notSigned
  return (
    <OutcomeFrame page={page} title={titles[reason]} lead={<strong>{lead}</strong>}>
      {isOver && <p>{say.noEffect}</p>}
      {isOver && <p>{setNames(say.askForNew, senderName)}</p>}
      {reason === 'on_hold' && <p>{say.onHoldLead}</p>}
      {(reason === 'text' || reason === 'form') && (
        <>
          <p>{reason === 'text' ? say.changedTextDetail : say.formNotUsedDetail}</p>
          <div class="actions">
            <LinkButton look="primary" href={reason === 'text' ? links(token).review() : links(token).open}>
              {reason === 'text' ? say.readAgain : say.openAgain}
            </LinkButton>
          </div>
        </>
      )}
    </OutcomeFrame>
  )
}
