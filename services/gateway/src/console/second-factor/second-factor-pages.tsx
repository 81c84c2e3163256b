// The pages between the one-time code and the console: prove a passkey, make the first one, and save the recovery codes.
import { fieldsWith, TextField, type FieldError } from '@paraph/web/fields'
import { isolateNames } from '@paraph/web/names-in-words'
import { SoloFrame } from '../frame/console-frame.js'
import { CopyButton } from '../frame/copyable.js'
import { ButtonForm } from '../frame/forms.js'
import { to } from '../frame/links.js'
import type { PageProps } from '../frame/page-props.js'
import { ActionLinks, Paper } from '../frame/parts.js'
import { Sheet } from '@paraph/web/sheet'
import { secondFactorMessages } from './messages.js'
import { PasskeyForm, RecoveryCodeForm } from './passkey-form.js'
import type { PasskeyOptions } from './passkeys.js'

interface SecondFactorProps {
  page: PageProps
  mailbox: string
  next: string
  asked: PasskeyOptions
  /** The name of a first passkey. */
  name: string
  errors?: readonly FieldError[]
}

/** Status 200, or 422 with errors. An operator without a passkey makes the first one. */
export function SecondFactorPage(props: SecondFactorProps) {
  const { page, mailbox, next, asked, name, errors = [] } = props
  const text = secondFactorMessages(page.locale)
  const isFirst = asked.kind === 'create'
  const hidden = { next }
  return (
    <SoloFrame
      page={page}
      title={isFirst ? text.firstTitle : text.title}
      lead={isolateNames(isFirst ? text.firstLead : text.lead, mailbox)}
      errors={errors}
    >
      {isFirst ? (
        <Paper>
          <PasskeyForm {...{ page, asked, hidden }} action={to.firstPasskey} button={text.make}>
            <PasskeyName page={page} name={name} errors={errors} />
          </PasskeyForm>
        </Paper>
      ) : (
        <Sheet
          parts={[
            <PasskeyForm {...{ page, asked, hidden }} action={to.secondFactorPasskey} button={text.use} />,
            <RecoveryCodeForm {...{ page, hidden }} action={to.secondFactorCode} error={errorAt('code', errors)} />,
          ]}
        />
      )}
      {!isFirst && <p class="after">{text.lost}</p>}
      <div class="after">
        <ButtonForm page={page} action={to.signOut} text={text.signOut} />
      </div>
    </SoloFrame>
  )
}

export const errorAt = (field: string, errors: readonly FieldError[]) =>
  errors.find((each) => each.field === field)?.message

/** The field for the name of a new passkey. */
export function PasskeyName({ page, name, errors }: { page: PageProps; name: string; errors: readonly FieldError[] }) {
  const text = secondFactorMessages(page.locale)
  return (
    <TextField {...fieldsWith({ name }, errors)('name')} label={text.name} hint={text.nameHint} autocomplete="off" />
  )
}

/** The response to the POST that made the codes, which no other page shows. Status 201. */
export function RecoveryCodesPage({ page, codes, next }: { page: PageProps; codes: readonly string[]; next: string }) {
  const text = secondFactorMessages(page.locale)
  return (
    <SoloFrame page={{ ...page, path: undefined }} title={text.onceTitle} lead={text.onceLead}>
      <Paper>
        <pre class="code" tabindex={0} role="region" aria-label={text.codes}>
          <code id="recovery-codes">{codes.join('\n')}</code>
        </pre>
        <div class="actions">
          <CopyButton locale={page.locale} from="recovery-codes" of={text.codes} />{' '}
          <button class="button button-quiet button-small" type="button" data-print hidden>
            {text.print}
          </button>
        </div>
      </Paper>
      <div class="after">
        <ActionLinks links={[{ href: next, text: text.saved, look: 'primary' }]} />
      </div>
    </SoloFrame>
  )
}
