import { Sheet } from '@paraph/web/sheet'
import { errorsOfAddress } from '@paraph/codes/address-form'
import { AddressForm, type AddressFormProps } from '../identify/address-form.js'
import { CeremonyFrame, type PageProps } from '../frame/ceremony-frame.js'
import { LeaveForm, type LeaveFormProps } from '../frame/leave-form.js'
import { outcomeMessages } from './messages.js'

export interface SuspendedPageProps extends PageProps {
  /** "Get my copy"; without it, only the sentence is shown. */
  form?: AddressFormProps | undefined
  /** Given if a person who has not signed has a session in this browser. */
  leave?: LeaveFormProps | undefined
}

/** The link of a suspended account, 403 or 410. It names nobody; a party who has signed can still get a copy. [D37] */
export function SuspendedPage({ form, leave, ...page }: SuspendedPageProps) {
  const messages = outcomeMessages(page.locale)
  return (
    <CeremonyFrame page={page} title={messages.suspendedTitle} errors={errorsOfAddress(form?.error, page.locale)}>
      <hr class="bare-line" />
      <h1>{messages.suspendedTitle}</h1>
      <p class="lead">{messages.suspendedLead}</p>
      {form && (
        <section>
          <h2>{messages.getCopy}</h2>
          <p>{messages.getCopyDetail}</p>
          <Sheet parts={[<AddressForm form={form} locale={page.locale} />]} />
        </section>
      )}
      {leave && <LeaveForm form={leave} locale={page.locale} isDone={false} />}
    </CeremonyFrame>
  )
}
