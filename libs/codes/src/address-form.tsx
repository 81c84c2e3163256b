// The form that asks for a one-time code by typing an address. [ceremony 1]
import { isMailAddress } from '@paraph/protocol/text-rules'
import { Button, FormError, HiddenFields, TextField, WHOLE_FORM, type FieldError } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { codeWords } from './code-words.js'

/** `too_old`: the form was open for more than a day; what was typed is kept and nothing was done. */
export type AddressError = 'missing' | 'format' | 'too_old'

/** What is wrong with a typed address, or with the form's age; undefined for nothing. */
export function faultOfAddress(typed: string, isOldForm: boolean): AddressError | undefined {
  if (typed === '') return 'missing'
  if (!isMailAddress(typed)) return 'format'
  return isOldForm ? 'too_old' : undefined
}

/** For the summary. */
export function errorsOfAddress(error: AddressError | undefined, locale: Locale): FieldError[] {
  if (error === undefined) return []
  const say = codeWords(locale)
  const message = { missing: say.emailMissing, format: say.emailFormat, too_old: say.formTooOld }[error]
  return [{ field: error === 'too_old' ? WHOLE_FORM : 'email', message }]
}

/** The field and "Send me a code". @param label and hint of the field: whose address it is */
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
      <Button look="primary">{codeWords(locale).sendCode}</Button>
    </form>
  )
}
