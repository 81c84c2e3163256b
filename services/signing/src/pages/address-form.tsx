import { Button, HiddenFields, TextField } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { words } from './dictionary.js'
import { links } from './links.js'

/** `too_old`: the form was open for more than a day; what was typed is kept and nothing was done. */
export type AddressError = 'missing' | 'format' | 'too_old'

/** The form that asks for a one-time code: token of the link, token of the form, and what was typed when it comes back. */
export interface AddressFormProps {
  token: string
  formToken: string
  email?: string | undefined
  error?: AddressError | undefined
}

/** The sentence for an address that cannot be used; the same in the summary and at the field. */
export function addressErrorText(error: AddressError, locale: Locale): string {
  const say = words(locale)
  return { missing: say.emailMissing, format: say.emailFormat, too_old: say.formTooOld }[error]
}

export function AddressForm({ form, locale }: { form: AddressFormProps; locale: Locale }) {
  const say = words(locale)
  return (
    <form method="post" action={links(form.token).requestCode} noValidate>
      <HiddenFields values={{ formToken: form.formToken }} />
      <TextField
        name="email"
        label={say.emailLabel}
        hint={say.emailHint}
        error={form.error && addressErrorText(form.error, locale)}
        value={form.email}
        type="email"
        autocomplete="email"
      />
      <Button look="primary">{say.sendCode}</Button>
    </form>
  )
}
