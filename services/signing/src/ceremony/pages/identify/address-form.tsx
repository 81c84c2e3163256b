// The form that requests the one-time code of a contract, on page 1 and on the page of a suspended link.
import { AddressForm as CodeAddressForm, type AddressError } from '@paraph/codes/address-form'
import type { Locale } from '@paraph/web/locale'
import { ceremonyMessages } from '../frame/messages.js'
import { links } from '../frame/links.js'

export interface AddressFormProps {
  token: string
  formToken: string
  /** The typed address, kept on a page with an error. */
  email?: string | undefined
  error?: AddressError | undefined
}

/** The address field and "Send me a code". Posts to `/code`. */
export function AddressForm({ form, locale }: { form: AddressFormProps; locale: Locale }) {
  const { emailLabel: label, emailHint: hint } = ceremonyMessages(locale)
  return (
    <CodeAddressForm
      {...{ locale, label, hint, email: form.email, error: form.error }}
      action={links(form.token).requestCode}
      hidden={{ formToken: form.formToken }}
    />
  )
}
