import { formatTime } from '@paraph/web/dates'
import { OutcomeFrame, type PageProps } from './ceremony-frame.js'
import { outcomeWords } from './outcome-dictionary.js'

/** 429: the client address has asked for more challenges than an office does in an hour. [D16] */
export function WaitPage({
  tryAgainAt,
  timeZone,
  ...page
}: PageProps & { tryAgainAt: Date; timeZone?: string | undefined }) {
  const say = outcomeWords(page.locale)
  return (
    <OutcomeFrame page={page} title={say.waitTitle} lead={say.waitLead}>
      <p>{say.waitDetail(formatTime(tryAgainAt, page.locale, { timeZone }))}</p>
    </OutcomeFrame>
  )
}
