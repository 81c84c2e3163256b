// The form that asks for the one-time code of a contract, on page 1 and on the page of a link on hold.
import { AddressForm as CodeAddressForm, errorsOfAddress, type AddressError } from '@paraph/codes/address-form'
import type { FieldError } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { words } from './dictionary.js'
import { links } from './links.js'

/** Token of the link, token of the form, and what was typed when it comes back. */
export interface AddressFormProps {
  token: string
  formToken: string
  email?: string | undefined
  error?: AddressError | undefined
}

/** What is wrong with an address that cannot be used, or with a form too old, for the summary. */
export const addressErrors = ({ error }: AddressFormProps, locale: Locale): FieldError[] =>
  errorsOfAddress(error, locale)

/** The field and "Send me a code". Posts to `/code`. */
export function AddressForm({ form, locale }: { form: AddressFormProps; locale: Locale }) {
  const { emailLabel: label, emailHint: hint } = words(locale)
  return (
    <CodeAddressForm
      {...{ locale, label, hint, email: form.email, error: form.error }}
      action={links(form.token).requestCode}
      hidden={{ formToken: form.formToken }}
    />
  )
}
