import { OutcomeFrame, type PageProps } from './ceremony-frame.js'
import { links } from './links.js'
import { outcomeWords } from './outcome-dictionary.js'

/** After "Finish and leave": the session has ended in this browser. [D33] */
export function LeftPage({ token, ...page }: PageProps & { token: string }) {
  const say = outcomeWords(page.locale)
  return (
    <OutcomeFrame page={page} title={say.leftTitle} lead={say.leftLead}>
      <p>{say.leftDetail}</p>
      <p>
        <a class="plain-link" href={links(token).open}>
          {say.openAgain}
        </a>
      </p>
    </OutcomeFrame>
  )
}
