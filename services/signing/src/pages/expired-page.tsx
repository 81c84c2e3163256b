import { formatInstant } from '@paraph/web/dates'
import { OutcomeFrame, type PageProps } from './ceremony-frame.js'
import { setNames } from '@paraph/web/names-in-words'
import { outcomeWords } from './outcome-dictionary.js'

export interface ExpiredPageProps extends PageProps {
  senderName: string
  expiresAt: Date
  timeZone?: string | undefined
  /** True when everybody had signed in time and only the link has ended. */
  wasCompleted: boolean
}

/** Page 10, 410: the same for everyone, and no form. [D20] */
export function ExpiredPage({ senderName, expiresAt, timeZone, wasCompleted, ...page }: ExpiredPageProps) {
  const say = outcomeWords(page.locale)
  const time = formatInstant(expiresAt, page.locale, { timeZone })
  return wasCompleted ? (
    <OutcomeFrame page={page} title={say.closedTitle} lead={say.closedLead(time)}>
      <p>{setNames(say.askForCopy, senderName)}</p>
    </OutcomeFrame>
  ) : (
    <OutcomeFrame page={page} title={say.expiredTitle} lead={say.expiredLead(time)}>
      <p>{say.noEffect}</p>
      <p>{setNames(say.askForNew, senderName)}</p>
    </OutcomeFrame>
  )
}
