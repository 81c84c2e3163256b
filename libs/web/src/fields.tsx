// Form parts: fields, tick box, radios, button, error summary. Owns their markup and how label, hint and error hang together.
// Every error stands twice in the same words: in the summary, which takes the focus, and at its field. [WCAG 3.3.1, 3.3.3]
import type { ComponentChildren } from 'preact'

export interface FieldError {
  /** The `name` of the field, which is also its id. */
  field: string
  message: string
}

/** The list of what is wrong, first thing in `main`. Takes the focus without a script. Nothing when there are no errors. */
export function ErrorSummary({ title, errors }: { title: string; errors: readonly FieldError[] }) {
  if (errors.length === 0) return null
  return (
    <div class="error-summary" role="alert" aria-labelledby="problem" tabindex={-1} autofocus>
      <h2 id="problem">{title}</h2>
      <ul>
        {errors.map((error) => (
          <li key={error.field}>
            <a href={`#${error.field}`}>{error.message}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

export interface TextFieldProps {
  name: string
  label: string
  hint?: string | undefined
  error?: string | undefined
  /** What the person typed, kept on a page with errors. */
  value?: string | undefined
  /** `code` is set in wide figures (`code-long` has room for 12), `name` in the serif of what people write. */
  look?: 'text' | 'code' | 'code-long' | 'name'
  type?: 'text' | 'email'
  inputMode?: 'numeric' | 'email'
  /** The purpose of the field, for the browser to fill it in. [WCAG 1.3.5] */
  autocomplete?: 'email' | 'name' | 'one-time-code' | 'off'
  spellcheck?: boolean
}

/** One line of text. The form says `novalidate`; the server checks and answers with the same page. */
export function TextField(props: TextFieldProps) {
  const attributes = {
    class: `input input-${props.look ?? 'text'}`,
    id: props.name,
    name: props.name,
    value: props.value ?? '',
    inputmode: props.inputMode,
    autocomplete: props.autocomplete,
    autocapitalize: props.look === 'name' ? 'words' : 'none',
    spellcheck: props.spellcheck ?? false,
    'aria-describedby': describedBy(props.name, props.hint, props.error),
    'aria-invalid': props.error === undefined ? undefined : true,
  } as const
  return (
    <div class={props.error === undefined ? 'field' : 'field field-wrong'}>
      <label for={props.name}>{props.label}</label>
      {props.hint !== undefined && (
        <p class="hint" id={`${props.name}-hint`}>
          {props.hint}
        </p>
      )}
      <FieldErrorText name={props.name} message={props.error} />
      {props.type === 'email' ? <input type="email" {...attributes} /> : <input type="text" {...attributes} />}
    </div>
  )
}

/** A box to tick, with its sentence as the label. Sent as `yes`, or not at all. */
export function TickBox(props: {
  name: string
  label: ComponentChildren
  error?: string | undefined
  checked?: boolean | undefined
}) {
  return (
    <div class={props.error === undefined ? 'field' : 'field field-wrong'}>
      <FieldErrorText name={props.name} message={props.error} />
      <div class="tick">
        <input
          id={props.name}
          name={props.name}
          type="checkbox"
          value="yes"
          checked={props.checked ?? false}
          aria-describedby={describedBy(props.name, undefined, props.error)}
          aria-invalid={props.error === undefined ? undefined : true}
        />
        <label for={props.name}>{props.label}</label>
      </div>
    </div>
  )
}

/** Several lines of text. */
export function TextArea(props: Pick<TextFieldProps, 'name' | 'label' | 'hint' | 'error' | 'value'>) {
  return (
    <div class={props.error === undefined ? 'field' : 'field field-wrong'}>
      <label for={props.name}>{props.label}</label>
      {props.hint !== undefined && (
        <p class="hint" id={`${props.name}-hint`}>
          {props.hint}
        </p>
      )}
      <FieldErrorText name={props.name} message={props.error} />
      <textarea
        class="input input-area"
        id={props.name}
        name={props.name}
        rows={5}
        autocomplete="off"
        aria-describedby={describedBy(props.name, props.hint, props.error)}
        aria-invalid={props.error === undefined ? undefined : true}
      >
        {props.value ?? ''}
      </textarea>
    </div>
  )
}

/** One of several. The first choice has the field's name as its id, for the link in the summary. */
export function Radios(props: {
  name: string
  legend: string
  error?: string | undefined
  value?: string | undefined
  choices: readonly { value: string; label: string }[]
}) {
  return (
    <fieldset
      class={props.error === undefined ? 'field' : 'field field-wrong'}
      aria-describedby={describedBy(props.name, undefined, props.error)}
    >
      <legend>{props.legend}</legend>
      <FieldErrorText name={props.name} message={props.error} />
      {props.choices.map(({ value, label }, index) => {
        const id = index === 0 ? props.name : `${props.name}-${value}`
        return (
          <div class="tick radio" key={value}>
            <input id={id} name={props.name} type="radio" value={value} checked={value === props.value} />
            <label for={id}>{label}</label>
          </div>
        )
      })}
    </fieldset>
  )
}

/** The button that sends a form. One `primary` on a page; `big` is for signing alone. */
export function Button({
  look,
  children,
}: {
  look: 'primary' | 'big' | 'quiet' | 'danger'
  children: ComponentChildren
}) {
  return (
    <button class={`button button-${look}`} type="submit">
      {children}
    </button>
  )
}

/** A link with the weight of a button: it goes somewhere and changes nothing. */
export function LinkButton(props: {
  look: 'primary' | 'quiet'
  href: string
  download?: string
  children: ComponentChildren
}) {
  return (
    <a class={`button button-${props.look}`} href={props.href} download={props.download}>
      {props.children}
    </a>
  )
}

/** Hidden inputs of a form, by name; undefined values are left out. */
export function HiddenFields({ values }: { values: Record<string, string | number | undefined> }) {
  return (
    <>
      {Object.entries(values).map(([name, value]) =>
        value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
    </>
  )
}

function FieldErrorText({ name, message }: { name: string; message: string | undefined }) {
  if (message === undefined) return null
  return (
    <p class="field-error" id={`${name}-error`}>
      {message}
    </p>
  )
}

function describedBy(name: string, hint: string | undefined, error: string | undefined): string | undefined {
  const ids = [hint !== undefined && `${name}-hint`, error !== undefined && `${name}-error`].filter(Boolean)
  return ids.length > 0 ? ids.join(' ') : undefined
}
