// The choice of a company account on the sign-in page, and the way out of one. [D73]
import type { FieldError } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { SoloFrame } from '../frame/console-frame.js'
import { to } from '../frame/links.js'
import type { PageProps } from '../frame/page-props.js'
import { ActionLinks } from '../frame/parts.js'
import type { IssuerProblem, Issuers } from '../issuers/issuers.js'
import { issuerMessages } from './issuer-messages.js'

/** The id of the choice, to which the error summary leads. */
const CHOICE = 'issuer'

/** The problem in the form of the page's error summary. */
export const errorsOfIssuer = (problem: IssuerProblem | undefined, locale: Locale): FieldError[] =>
  problem ? [{ field: CHOICE, message: issuerMessages(locale)[problem] }] : []

/** The links that lead to the providers. */
export function IssuerChoice(props: {
  locale: Locale
  offers: Issuers['offers']
  next: string
  problem: IssuerProblem | undefined
}) {
  const { locale, offers, next, problem } = props
  const text = issuerMessages(locale)
  return (
    <>
      {problem && (
        <p class="field-error" id={CHOICE} tabindex={-1}>
          {text[problem]}
        </p>
      )}
      <ActionLinks
        links={[
          offers.owners && { href: to.issuer('owners', next), text: text.owners, look: 'primary' },
          offers.operators && { href: to.issuer('operators', next), text: text.operators },
        ]}
      />
    </>
  )
}

/** The page from which the browser goes on to the provider's sign-out at `href`. */
export function LeaveIssuerPage({ page, href }: { page: PageProps; href: string }) {
  const text = issuerMessages(page.locale)
  return (
    <SoloFrame page={page} title={text.leaveTitle}>
      <hr class="bare-line" />
      <h1>{text.leaveTitle}</h1>
      <p class="lead">{text.leaveLead}</p>
      <ActionLinks links={[{ href, text: text.leave, look: 'primary' }]} />
    </SoloFrame>
  )
}
