import { OutcomeFrame, type PageProps } from './ceremony-frame.js'
import { outcomeWords } from './outcome-dictionary.js'

/** Page 12, 404: the same body for a malformed and for an unknown token, so it takes nothing of the link. */
export function NotFoundPage(page: PageProps) {
  const say = outcomeWords(page.locale)
  return (
    <OutcomeFrame page={page} title={say.notFoundTitle} lead={say.notFoundLead}>
      <p>{say.notFoundDetail}</p>
    </OutcomeFrame>
  )
}
