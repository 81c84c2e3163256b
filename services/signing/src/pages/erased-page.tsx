import { formatInstant } from '@paraph/web/dates'
import { OutcomeFrame, type PageProps } from './ceremony-frame.js'
import { outcomeWords } from './outcome-dictionary.js'

export interface ErasedPageProps extends PageProps {
  erasedAt: Date
  timeZone?: string | undefined
}

/** Page 24, 410. Names nobody: there is nobody to name any more. [D43] */
export function ErasedPage({ erasedAt, timeZone, ...page }: ErasedPageProps) {
  const say = outcomeWords(page.locale)
  const lead = say.erasedLead(formatInstant(erasedAt, page.locale, { timeZone }))
  return (
    <OutcomeFrame page={page} title={say.erasedTitle} lead={lead}>
      <p>{say.erasedCopies}</p>
    </OutcomeFrame>
  )
}
