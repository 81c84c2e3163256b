// The pages of a signed-in person: add a passkey, make new recovery codes.
import type { FieldError } from '@paraph/web/fields'
import { SoloFrame } from '../frame/console-frame.js'
import { ConsoleForm } from '../frame/forms.js'
import { to } from '../frame/links.js'
import type { PageProps } from '../frame/page-props.js'
import { FormActions, Paper } from '../frame/parts.js'
import { secondFactorMessages } from './messages.js'
import { PasskeyForm } from './passkey-form.js'
import type { PasskeyOptions } from './passkeys.js'
import { PasskeyName } from './second-factor-pages.js'

/** Status 200, or 422 with errors. */
export function NewPasskeyPage(props: {
  page: PageProps
  asked: PasskeyOptions
  name: string
  errors?: readonly FieldError[]
}) {
  const { page, asked, name, errors = [] } = props
  const text = secondFactorMessages(page.locale)
  return (
    <SoloFrame page={page} title={text.addTitle} lead={text.addLead} errors={errors}>
      <Paper>
        <PasskeyForm {...{ page, asked }} action={to.newPasskey} button={text.make}>
          <PasskeyName {...{ page, name, errors }} />
        </PasskeyForm>
      </Paper>
      <p class="after">
        <a href={to.sessions}>{text.goBack}</a>
      </p>
    </SoloFrame>
  )
}

export function NewRecoveryCodesPage({ page }: { page: PageProps }) {
  const text = secondFactorMessages(page.locale)
  return (
    <SoloFrame page={page} title={text.newCodes} lead={text.newCodesLead}>
      <ConsoleForm page={page} action={to.recoveryCodes}>
        <FormActions look="primary" text={text.newCodes} leave={{ href: to.sessions, text: text.goBack }} />
      </ConsoleForm>
    </SoloFrame>
  )
}
