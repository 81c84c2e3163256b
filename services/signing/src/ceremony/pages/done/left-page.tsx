import { OutcomeFrame, type PageProps } from '../frame/ceremony-frame.js'
import { links } from '../frame/links.js'
import { outcomeMessages } from '../outcome/messages.js'

/** After "Finish and leave": the session has ended in this browser. [D33] */
export function LeftPage({ token, ...page }: PageProps & { token: string }) {
  const messages = outcomeMessages(page.locale)
  return (
    <OutcomeFrame page={page} title={messages.leftTitle} lead={messages.leftLead}>
      <p>{messages.leftDetail}</p>
      <p>
        <a class="plain-link" href={links(token).open}>
          {messages.openAgain}
        </a>
      </p>
    </OutcomeFrame>
  )
}
