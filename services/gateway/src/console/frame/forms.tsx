// The forms of the console: a form with the session's token, a form of one button, and a page with one question.
import type { ComponentChildren } from 'preact'
import { Button, HiddenFields, type FieldError } from '@paraph/web/fields'
import { Sheet } from '@paraph/web/sheet'
import { ConsoleFrame } from './console-frame.js'
import type { PageProps, Section } from './page-props.js'
import { Back, FormActions } from './parts.js'

/** A form with the session's token, which protects against cross-site requests. */
export function ConsoleForm(props: {
  page: PageProps
  action: string
  hidden?: Record<string, string | number | undefined>
  /** The form sends a file, and its route reads one. */
  hasFile?: boolean
  children: ComponentChildren
}) {
  return (
    <form method="post" action={props.action} enctype={props.hasFile ? 'multipart/form-data' : undefined} noValidate>
      <HiddenFields values={{ formToken: props.page.formToken, ...props.hidden }} />
      {props.children}
    </form>
  )
}

/** A form of one button. */
export function ButtonForm({
  text,
  look = 'quiet',
  ...form
}: Omit<Parameters<typeof ConsoleForm>[0], 'children'> & { text: string; look?: 'primary' | 'quiet' }) {
  return (
    <ConsoleForm {...form}>
      <Button look={look}>{text}</Button>
    </ConsoleForm>
  )
}

/** A UTC day, which the browser offers in a calendar and sends as `YYYY-MM-DD`. */
export function DayField(props: {
  name: string
  label: string
  hint?: string
  error?: ComponentChildren
  value?: string | undefined
}) {
  const { name, label, hint, error, value = '' } = props
  const described = [hint !== undefined && `${name}-hint`, error !== undefined && `${name}-error`]
    .filter(Boolean)
    .join(' ')
  return (
    <div class={error === undefined ? 'field' : 'field field-wrong'}>
      <label for={name}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p class="field-error" id={`${name}-error`}>
          {error}
        </p>
      )}
      <input
        class="input input-day"
        type="date"
        id={name}
        name={name}
        value={value}
        aria-describedby={described === '' ? undefined : described}
        aria-invalid={error === undefined ? undefined : true}
      />
    </div>
  )
}

/** A page with one question, and the form that answers it: on a sheet if it has fields. */
export function Question(props: {
  page: PageProps
  at: Section
  /** The parent page. */
  back: { href: string; text: ComponentChildren }
  title: string
  /** The title with isolated names. */
  heading?: ComponentChildren
  /** The content above the form. */
  lead?: ComponentChildren
  errors?: readonly FieldError[]
  action: string
  hidden?: Record<string, string | number>
  /** The fields of the form. */
  children?: ComponentChildren
  look?: 'primary' | 'danger'
  button: string
  leave: string
}) {
  const { page, at, back, title, errors = [], action, hidden = {}, look = 'danger', children } = props
  const form = (
    <ConsoleForm {...{ page, action, hidden }}>
      {children}
      <FormActions look={look} text={props.button} leave={{ href: back.href, text: props.leave }} />
    </ConsoleForm>
  )
  return (
    <ConsoleFrame {...{ page, title, at, errors }} width="form">
      <Back href={back.href}>{back.text}</Back>
      <h1>{props.heading ?? title}</h1>
      {props.lead}
      {children === undefined ? form : <Sheet parts={[form]} />}
    </ConsoleFrame>
  )
}
