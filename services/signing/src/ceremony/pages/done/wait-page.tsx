import { formatTime } from '@paraph/web/dates'
import { OutcomeFrame, type PageProps } from '../frame/ceremony-frame.js'
import { outcomeMessages } from '../outcome/messages.js'

/** 429: the client address has reached its limit of challenges per hour. [D16] */
export function WaitPage({
  tryAgainAt,
  timeZone,
  ...page
}: PageProps & { tryAgainAt: Date; timeZone?: string | undefined }) {
  const messages = outcomeMessages(page.locale)
  return (
    <OutcomeFrame page={page} title={messages.waitTitle} lead={messages.waitLead}>
      <p>{messages.waitDetail(formatTime(tryAgainAt, page.locale, { timeZone }))}</p>
    </OutcomeFrame>
  )
}
