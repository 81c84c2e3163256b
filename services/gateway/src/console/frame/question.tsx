// The page that asks before an act: what the act does, what the reader fills in, the button, and the way out.
import type { ComponentChildren } from 'preact'
import type { FieldError } from '@paraph/web/fields'
import { ConsoleForm, ConsoleFrame, type PageProps, type Section } from './console-frame.js'
import { Back, FormActions } from './parts.js'

export function Question(props: {
  page: PageProps
  at: Section
  /** The page above this one. */
  back: { href: string; text: ComponentChildren }
  title: string
  /** The title with isolated names. */
  heading?: ComponentChildren
  /** What stands above the form. */
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
