import { OutcomeFrame, type PageProps } from '../frame/ceremony-frame.js'
import { outcomeMessages } from './messages.js'

/** Page 12, 404: the same body for a malformed and for an unknown token, so it uses no part of the link. */
export function NotFoundPage(page: PageProps) {
  const messages = outcomeMessages(page.locale)
  return (
    <OutcomeFrame page={page} title={messages.notFoundTitle} lead={messages.notFoundLead}>
      <p>{messages.notFoundDetail}</p>
    </OutcomeFrame>
  )
}
