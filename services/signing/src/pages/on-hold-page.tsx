import { Sheet } from '@paraph/web/sheet'
import { AddressForm, addressErrors, type AddressFormProps } from './address-form.js'
import { CeremonyFrame, type PageProps } from './ceremony-frame.js'
import { LeaveForm, type LeaveFormProps } from './leave-form.js'
import { outcomeWords } from './outcome-dictionary.js'

export interface OnHoldPageProps extends PageProps {
  /** "Get my copy"; left out, only the sentence is shown. */
  form?: AddressFormProps | undefined
  /** Somebody who has not signed has a session in this browser. */
  leave?: LeaveFormProps | undefined
}

/** The link of a suspended account: names nobody; a party who has signed can still get their copy. 403. [D37] */
export function OnHoldPage({ form, leave, ...page }: OnHoldPageProps) {
  const say = outcomeWords(page.locale)
  const errors = form ? addressErrors(form, page.locale) : []
  return (
    <CeremonyFrame page={page} title={say.onHoldTitle} errors={errors}>
      <hr class="bare-line" />
      <h1>{say.onHoldTitle}</h1>
      <p class="lead">{say.onHoldLead}</p>
      {form && (
        <section>
          <h2>{say.getCopy}</h2>
          <p>{say.getCopyDetail}</p>
          <Sheet parts={[<AddressForm form={form} locale={page.locale} />]} />
        </section>
      )}
      {leave && <LeaveForm form={leave} locale={page.locale} isDone={false} />}
    </CeremonyFrame>
  )
}
