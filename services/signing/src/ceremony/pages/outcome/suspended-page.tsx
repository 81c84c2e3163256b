// Page 17: the link of a suspended account. [D37]
import { errorsOfAddress } from '@paraph/codes/address-form'
import { Sheet } from '@paraph/web/sheet'
import { LeaveForm, type LeaveFormProps, OutcomeFrame, type PageProps } from '../frame/ceremony-frame.js'
import { AddressForm, type AddressFormProps } from '../identify/identify-pages.js'
import { outcomeMessages } from './messages.js'

export interface SuspendedPageProps extends PageProps {
  /** The form of "Get my copy"; undefined: the page only says that nothing can be signed. */
  form?: AddressFormProps | undefined
  /** Given if a person who has not signed has a session in this browser. */
  leave?: LeaveFormProps | undefined
}

/** The page of a suspended account's link, status 403, 410 or 422. Shows no names; a party who has signed can still get a copy. [D37] */
export function SuspendedPage({ form, leave, ...page }: SuspendedPageProps) {
  const messages = outcomeMessages(page.locale)
  return (
    <OutcomeFrame
      page={page}
      title={messages.suspendedTitle}
      lead={messages.suspendedLead}
      errors={errorsOfAddress(form?.error, page.locale)}
      offersHelp={form === undefined && leave === undefined}
    >
      {form && (
        <section>
          <h2>{messages.getCopy}</h2>
          <p>{messages.getCopyDetail}</p>
          <Sheet parts={[<AddressForm form={form} locale={page.locale} />]} />
        </section>
      )}
      {leave && <LeaveForm form={leave} locale={page.locale} isDone={false} />}
    </OutcomeFrame>
  )
}
