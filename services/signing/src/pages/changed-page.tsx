import { OutcomeFrame, type PageProps } from './ceremony-frame.js'
import { links } from './links.js'
import { outcomeWords } from './outcome-dictionary.js'

export interface ChangedPageProps extends PageProps {
  token: string
  senderName: string
  /** What changed between reading and sending; `form` is a form too old or not ours (403). */
  reason: 'cancelled' | 'expired' | 'on_hold' | 'text' | 'form'
}

/** Page 6c, 409: it changed while somebody was reading. Nothing is recorded. */
export function ChangedPage({ token, senderName, reason, ...page }: ChangedPageProps) {
  const say = outcomeWords(page.locale)
  const isOver = reason === 'cancelled' || reason === 'expired'
  const titles = {
    cancelled: say.changedCancelled,
    expired: say.changedExpired,
    on_hold: say.changedOnHold,
    text: say.changedText,
    form: say.changedForm,
  }
  return (
    <OutcomeFrame page={page} title={titles[reason]} lead={reason === 'form' ? say.formNotUsed : say.youHaveNotSigned}>
      {isOver && <p>{say.askForNew(senderName)}</p>}
      {reason === 'on_hold' && <p>{say.onHoldLead}</p>}
      {(reason === 'text' || reason === 'form') && (
        <>
          <p>{reason === 'text' ? say.changedTextDetail : say.changedFormDetail}</p>
          <p>
            <a class="plain-link" href={reason === 'text' ? links(token).review() : links(token).open}>
              {reason === 'text' ? say.readAgain : say.openAgain}
            </a>
          </p>
        </>
      )}
    </OutcomeFrame>
  )
}
