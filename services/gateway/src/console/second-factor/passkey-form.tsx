// The forms of the second factor: one that passkey.js completes, and one for a recovery code.
import type { ComponentChildren } from 'preact'
import { Button, TextField } from '@paraph/web/fields'
import { ConsoleForm } from '../frame/forms.js'
import type { PageProps } from '../frame/page-props.js'
import type { PasskeyOptions } from './passkeys.js'
import { secondFactorMessages } from './messages.js'

/** The script behind the forms of passkeys. */
export const PASSKEY_SCRIPT = new URL('./passkey.js', import.meta.url)

/** The hidden field for the browser's answer. */
export const ANSWER = 'answer'

/** A form whose button makes or uses a passkey. Its script fills in the answer; without the script, a sentence takes its place. */
export function PasskeyForm(props: {
  page: PageProps
  action: string
  asked: PasskeyOptions
  hidden?: Record<string, string>
  button: string
  /** The fields above the button. */
  children?: ComponentChildren
}) {
  const { page, action, asked, hidden = {}, button, children } = props
  const text = secondFactorMessages(page.locale)
  return (
    <div id="passkey" data-passkey={asked.kind} data-options={JSON.stringify(asked.options)}>
      <p data-passkey-missing>{text.needsScript}</p>
      <ConsoleForm {...{ page, action }} hidden={{ ...hidden, [ANSWER]: '' }}>
        {children}
        <button class="button button-primary" type="submit" data-passkey-button hidden>
          {button}
        </button>
        <p class="field-error" role="alert" data-passkey-failed hidden>
          {text.cancelled}
        </p>
      </ConsoleForm>
    </div>
  )
}

/** @param props.error the message at the field */
export function RecoveryCodeForm(props: {
  page: PageProps
  action: string
  hidden: Record<string, string>
  error?: ComponentChildren
}) {
  const { page, action, hidden, error } = props
  const text = secondFactorMessages(page.locale)
  return (
    <details class="disclosure" open={error !== undefined}>
      <summary>
        <span>{text.useCode}</span>
      </summary>
      <div class="disclosure-body">
        <ConsoleForm {...{ page, action, hidden }}>
          <TextField name="code" label={text.code} hint={text.codeHint} error={error} autocomplete="off" />
          <Button look="quiet">{text.useCodeNow}</Button>
        </ConsoleForm>
      </div>
    </details>
  )
}
