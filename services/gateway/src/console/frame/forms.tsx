// The forms of the console: a form with the session's token, a form of one button, and a page with one question.
import type { ComponentChildren } from 'preact'
import { Button, HiddenFields, type FieldError } from '@paraph/web/fields'
import { ConsoleFrame, type PageProps, type Section } from './console-frame.js'
import { Back, FormActions } from './parts.js'

/** A form with the session's token, which protects against cross-site requests. */
export function ConsoleForm(props: {
  page: PageProps
  action: string
  hidden?: Record<string, string | number | undefined>
  children: ComponentChildren
}) {
  return (
    <form method="post" action={props.action} noValidate>
      <HiddenFields values={{ formToken: props.page.formToken, ...props.hidden }} />
      {props.children}
    </form>
  )
}

/** A form of one button. */
export function ButtonForm({ text, ...form }: Omit<Parameters<typeof ConsoleForm>[0], 'children'> & { text: string }) {
  return (
    <ConsoleForm {...form}>
      <Button look="quiet">{text}</Button>
    </ConsoleForm>
  )
}

/** A page with one question, and the form that answers it. */
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
  hidden?: Record<string, string>
  /** The fields of the form. */
  children?: ComponentChildren
  look?: 'primary' | 'danger'
  button: string
  leave: string
}) {
  const { page, at, back, title, errors = [], action, hidden = {}, look = 'danger' } = props
  return (
    <ConsoleFrame {...{ page, title, at, errors }} width="form">
      <Back href={back.href}>{back.text}</Back>
      <h1>{props.heading ?? title}</h1>
      {props.lead}
      <ConsoleForm {...{ page, action, hidden }}>
        {props.children}
        <FormActions look={look} text={props.button} leave={{ href: back.href, text: props.leave }} />
      </ConsoleForm>
    </ConsoleFrame>
  )
}
