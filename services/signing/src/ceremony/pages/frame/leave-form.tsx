import { Button, HiddenFields } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { ceremonyMessages } from './messages.js'
import { links } from './links.js'

export interface LeaveFormProps {
  token: string
  /** Bound to the session. */
  formToken: string
}

/** Ends the session in this browser: after signing, or for another person who shares the browser. [D33] */
export function LeaveForm({ form, locale, isDone }: { form: LeaveFormProps; locale: Locale; isDone: boolean }) {
  const messages = ceremonyMessages(locale)
  return (
    <form method="post" action={links(form.token).leave} class="leave">
      <HiddenFields values={{ formToken: form.formToken }} />
      <Button look="quiet">{isDone ? messages.finish : messages.notYou}</Button>
    </form>
  )
}
