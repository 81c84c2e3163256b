import { LinkButton } from '@paraph/web/fields'
import { OutcomeFrame, type PageProps } from './ceremony-frame.js'
import { links } from './links.js'
import { outcomeWords } from './outcome-dictionary.js'

/** Page 15: the code was right, but the session cookie did not come back. `host` is the site's name for the browser's settings. */
export function CookiesPage({ host, token, ...page }: PageProps & { host: string; token: string }) {
  const say = outcomeWords(page.locale)
  return (
    <OutcomeFrame page={page} title={say.cookiesTitle} lead={say.cookiesLead}>
      <p>{say.cookiesDetail(host)}</p>
      <div class="actions">
        <LinkButton look="primary" href={links(token).open}>
          {say.openAgain}
        </LinkButton>
      </div>
    </OutcomeFrame>
  )
}
