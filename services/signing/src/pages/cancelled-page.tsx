import { formatInstant } from '@paraph/web/dates'
import { OutcomeFrame, type PageProps } from './ceremony-frame.js'
import { setNames } from '@paraph/web/names-in-words'
import { outcomeWords } from './outcome-dictionary.js'

export interface CancelledPageProps extends PageProps {
  senderName: string
  cancelledAt: Date
  timeZone?: string | undefined
  /** False when an operator cancelled it, or when it is not known who did. [D19] */
  bySender: boolean
}

/** Page 11, 410. The reason stays out. [D39] */
export function CancelledPage({ senderName, cancelledAt, timeZone, bySender, ...page }: CancelledPageProps) {
  const say = outcomeWords(page.locale)
  const time = formatInstant(cancelledAt, page.locale, { timeZone })
  const lead = bySender
    ? setNames((sender) => say.cancelledBySender(sender, time), senderName)
    : say.cancelledLead(time)
  return (
    <OutcomeFrame page={page} title={say.cancelledTitle} lead={lead}>
      <p>{say.noEffect}</p>
    </OutcomeFrame>
  )
}
