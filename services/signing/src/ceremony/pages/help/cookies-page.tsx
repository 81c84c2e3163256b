import { LinkButton } from '@paraph/web/fields'
import { OutcomeFrame, type PageProps } from '../frame/ceremony-frame.js'
import { links } from '../frame/links.js'
import { outcomeMessages } from '../outcome/messages.js'

/** Page 15: the code was right, but the browser did not send the session cookie. `host` is the site in the browser's settings. */
export function CookiesPage({ host, token, ...page }: PageProps & { host: string; token: string }) {
  const messages = outcomeMessages(page.locale)
  return (
    <OutcomeFrame page={page} title={messages.cookiesTitle} lead={messages.cookiesLead}>
      <p>{messages.cookiesDetail(host)}</p>
      <div class="actions">
        <LinkButton look="primary" href={links(token).open}>
          {messages.openAgain}
        </LinkButton>
      </div>
    </OutcomeFrame>
  )
}
