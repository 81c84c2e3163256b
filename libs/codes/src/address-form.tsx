// The form in which a person types an address to request a one-time code. [ceremony 1]
import { isMailAddress } from '@paraph/protocol/text-rules'
import { Button, FormError, HiddenFields, TextField, WHOLE_FORM, type FieldError } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { codeMessages } from './code-words.js'

/**
 * `too_old`: the form was open for more than a day. `no_cookie`: the browser did not send the cookie of the form. `busy`: too many requests
 * came at the same time. In these cases the page keeps the typed address, and no code was sent.
 */
export type AddressError = 'missing' | 'format' | 'too_old' | 'no_cookie' | 'busy'

/** Validates a typed address and the form's age; undefined when both are valid. */
export function addressFormError(typed: string, isOldForm: boolean): AddressError | undefined {
  if (typed === '') return 'missing'
  if (!isMailAddress(typed)) return 'format'
  return isOldForm ? 'too_old' : undefined
}

/** The error in the form of the page's error summary. */
export function errorsOfAddress(error: AddressError | undefined, locale: Locale): FieldError[] {
  if (error === undefined) return []
  const messages = codeMessages(locale)
  const { emailMissing: missing, emailFormat: format, formTooOld: too_old, noCookie: no_cookie, busy } = messages
  const field = error === 'missing' || error === 'format' ? 'email' : WHOLE_FORM
  return [{ field, message: { missing, format, too_old, no_cookie, busy }[error] }]
}

/** The address field and the button "Send me a code". `label` and `hint` state whose address is expected. */
export function AddressForm(props: {
  locale: Locale
  action: string
  hidden: Record<string, string>
  label: string
  hint: string
  email?: string | undefined
  error?: AddressError | undefined
}) {
  const { locale, error } = props
  const errorOf = (field: string) => errorsOfAddress(error, locale).find((each) => each.field === field)?.message
  return (
    <form method="post" action={props.action} noValidate>
      <HiddenFields values={props.hidden} />
      <TextField
        name="email"
        label={props.label}
        hint={props.hint}
        error={errorOf('email')}
        value={props.email}
        type="email"
        autocomplete="email"
      />
      <FormError message={errorOf(WHOLE_FORM)} />
      <Button look="primary">{codeMessages(locale).sendCode}</Button>
    </form>
  )
}
