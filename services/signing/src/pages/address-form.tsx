import { Button, FormError, HiddenFields, TextField, WHOLE_FORM, type FieldError } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { words } from './dictionary.js'
import { links } from './links.js'

/** `too_old`: the form was open for more than a day; what was typed is kept and nothing was done. */
type AddressError = 'missing' | 'format' | 'too_old'

/** The form that asks for a one-time code: token of the link, token of the form, and what was typed when it comes back. */
export interface AddressFormProps {
  token: string
  formToken: string
  email?: string | undefined
  error?: AddressError | undefined
}

/** What is wrong with an address that cannot be used, or with a form too old, for the summary. */
export function addressErrors({ error }: AddressFormProps, locale: Locale): FieldError[] {
  if (error === undefined) return []
  const say = words(locale)
  const message = { missing: say.emailMissing, format: say.emailFormat, too_old: say.formTooOld }[error]
  return [{ field: error === 'too_old' ? WHOLE_FORM : 'email', message }]
}

/** The field and "Send me a code", on page 1 and on the page of a link on hold. Posts to `/code`. */
export function AddressForm({ form, locale }: { form: AddressFormProps; locale: Locale }) {
  const say = words(locale)
  const errorOf = (field: string) => addressErrors(form, locale).find((error) => error.field === field)?.message
  return (
    <form method="post" action={links(form.token).requestCode} noValidate>
      <HiddenFields values={{ formToken: form.formToken }} />
      <TextField
        name="email"
        label={say.emailLabel}
        hint={say.emailHint}
        error={errorOf('email')}
        value={form.email}
        type="email"
        autocomplete="email"
      />
      <FormError message={errorOf(WHOLE_FORM)} />
      <Button look="primary">{say.sendCode}</Button>
    </form>
  )
}
