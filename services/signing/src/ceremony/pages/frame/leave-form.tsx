import { Button, HiddenFields } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { words } from './dictionary.js'
import { links } from './links.js'

export interface LeaveFormProps {
  token: string
  /** Bound to the session. */
  formToken: string
}

/** Ends the session in this browser: after signing, or for whoever shares it and is not the one named. [D33] */
export function LeaveForm({ form, locale, isDone }: { form: LeaveFormProps; locale: Locale; isDone: boolean }) {
  const say = words(locale)
  return (
    <form method="post" action={links(form.token).leave} class="leave">
      <HiddenFields values={{ formToken: form.formToken }} />
      <Button look="quiet">{isDone ? say.finish : say.notYou}</Button>
    </form>
  )
}
