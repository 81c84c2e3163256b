// Form parts: fields, tick boxes, radios, buttons, error summary. Owns their markup, and associates label, hint and error with the control.
// Every error shows twice with the same text: in the summary, which takes the focus, and at its field. [WCAG 3.3.1, 3.3.3]
import type { ComponentChildren } from 'preact'

/** The `field` of an error that concerns the whole form, such as an expired form. `FormError` shows it above the button. */
export const WHOLE_FORM = 'whole-form'

export interface FieldError {
  /** The `name` of the field, which is also the id of the control; or `WHOLE_FORM`. */
  field: string
  message: ComponentChildren
}

/** The list of errors, first in `main`. Takes the focus without a script. Renders nothing without errors. */
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

/** Returns the props of a field by its name: its error, and its typed value. */
export const fieldsWith =
  <Typed extends object>(typed: Typed, errors: readonly FieldError[] = []) =>
  <Name extends keyof Typed & string>(name: Name) => ({
    name,
    error: errors.find(({ field }) => field === name)?.message,
    value: typed[name],
  })

interface FieldProps {
  name: string
  label: string
  /** Markup if the hint contains a name that a user chose. */
  hint?: ComponentChildren
  error?: ComponentChildren
}

interface TextFieldProps extends FieldProps {
  /** The typed value, kept on a page with errors. */
  value?: string | undefined
  /** `code`: wide digits; `code-long`: space for 12 of them; `name`: the serif font of handwritten parts. */
  look?: 'text' | 'code' | 'code-long' | 'name'
  /** `date`: a day as `YYYY-MM-DD`, from the browser's calendar. */
  type?: 'text' | 'email' | 'date'
  inputMode?: 'numeric' | 'email'
  /** The purpose of the field, so that the browser can fill it in. [WCAG 1.3.5] */
  autocomplete?: 'email' | 'name' | 'one-time-code' | 'organization' | 'url' | 'off'
}

/** One line of text. Forms set `novalidate`: the server validates and answers with the same page. */
export function TextField(props: TextFieldProps) {
  const attributes = {
    ...controlOf(props),
    class: `input input-${props.look ?? 'text'}`,
    value: props.value ?? '',
    inputmode: props.inputMode,
    autocomplete: props.autocomplete,
    autocapitalize: props.look === 'name' ? 'words' : 'none',
    spellcheck: false,
  } as const
  return (
    <Field {...props}>
      {/* One element a type, because each type allows other attributes. */}
      {props.type === 'email' ? (
        <input type="email" {...attributes} />
      ) : props.type === 'date' ? (
        <input type="date" {...attributes} />
      ) : (
        <input type="text" {...attributes} />
      )}
    </Field>
  )
}

/** One file. `accept`: what the browser offers first; the server decides what it takes. */
export function FileField(props: FieldProps & { accept: string }) {
  return (
    <Field {...props}>
      <input {...controlOf(props)} type="file" class="input input-file" accept={props.accept} />
    </Field>
  )
}

/** Several lines of text. */
export function TextArea(props: FieldProps & { value?: string | undefined; rows?: number }) {
  return (
    <Field {...props}>
      <textarea {...controlOf(props)} class="input input-area" rows={props.rows ?? 5} autocomplete="off">
        {props.value ?? ''}
      </textarea>
    </Field>
  )
}

/** A tick box with a sentence as its label. Sent as `yes`, or not at all. */
export function TickBox(props: {
  name: string
  label: ComponentChildren
  error?: ComponentChildren
  checked?: boolean | undefined
}) {
  return (
    <div class={classOf(props.error)}>
      <FieldErrorText name={props.name} message={props.error} />
      <div class="tick">
        <input {...controlOf(props)} type="checkbox" value="yes" checked={props.checked ?? false} />
        <label for={props.name}>{props.label}</label>
      </div>
    </div>
  )
}

interface ChoicesProps {
  name: string
  legend: string
  error?: ComponentChildren
  /** `detail`: a second line, in a muted colour, that explains the choice. */
  choices: readonly { value: string; label: ComponentChildren; detail?: string | undefined }[]
}

/** One choice of several. */
export function Radios(props: ChoicesProps & { value?: string | undefined }) {
  return (
    <FieldSet {...props} role="radiogroup">
      {choicesOf(props, 'tick radio', (value) => ({
        name: props.name,
        type: 'radio',
        value,
        checked: value === props.value,
      }))}
    </FieldSet>
  )
}

/** Any number of choices. Each box is a field of its own, `<name>-<value>`, sent as `yes` or not at all. */
export function TickBoxes(
  props: ChoicesProps & {
    hint?: string
    values: readonly string[]
    /** Two columns on a wide screen. */
    columns?: 2
  },
) {
  return (
    <FieldSet {...props}>
      <div class={props.columns === 2 ? 'ticks ticks-two' : 'ticks'}>
        {choicesOf(props, 'tick', (value) => ({
          name: `${props.name}-${value}`,
          type: 'checkbox',
          value: 'yes',
          checked: props.values.includes(value),
        }))}
      </div>
    </FieldSet>
  )
}

function FieldSet(
  props: Omit<ChoicesProps, 'choices'> & { hint?: string; role?: 'radiogroup'; children: ComponentChildren },
) {
  const { name, hint, error } = props
  return (
    <fieldset class={classOf(error)} role={props.role} {...descriptionOf({ name, hint, error })}>
      <legend>{props.legend}</legend>
      <Hint name={name} text={hint} />
      <FieldErrorText name={name} message={error} />
      {props.children}
    </fieldset>
  )
}

/** The inputs with their labels. The first input has the field's name as its id, so that the error summary can link to it. */
const choicesOf = (
  { name, choices }: ChoicesProps,
  look: string,
  inputOf: (value: string) => { name: string; type: 'radio' | 'checkbox'; value: string; checked: boolean },
) =>
  choices.map(({ value, label, detail }, index) => {
    const id = index === 0 ? name : `${name}-${value}`
    return (
      <div class={look} key={value}>
        <input id={id} {...inputOf(value)} />
        <label for={id}>
          {label}
          {detail !== undefined && [' ', <span class="tick-detail">{detail}</span>]}
        </label>
      </div>
    )
  })

/** One choice of a list that is too long to show, or that has a usual answer. */
export function Select(
  props: FieldProps & { value?: string | undefined; choices: readonly { value: string; label: string }[] },
) {
  return (
    <Field {...props}>
      <select {...controlOf(props)} class="input input-select">
        {props.choices.map(({ value, label }) => (
          <option key={value} value={value} selected={value === (props.value ?? '')}>
            {label}
          </option>
        ))}
      </select>
    </Field>
  )
}

/** The button that sends a form. At most one `primary` on a page; `big` is for signing only. */
export function Button(props: {
  look: 'primary' | 'big' | 'quiet' | 'danger' | 'danger-quiet'
  /** Identifies the pressed button in a form with two buttons. */
  name?: string
  value?: string
  children: ComponentChildren
}) {
  const { look, ...attributes } = props
  return <button class={`button button-${look}`} type="submit" {...attributes} />
}

/** A link that looks like a button; it navigates and changes nothing. */
export function LinkButton(props: {
  look: 'primary' | 'quiet' | 'danger-quiet'
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

/** Hidden inputs of a form, by name; undefined values are omitted. */
export function HiddenFields({ values }: { values: Record<string, string | number | undefined> }) {
  return (
    <>
      {Object.entries(values).map(([name, value]) =>
        value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
    </>
  )
}

/** The error of the whole form, above its button. The error summary links here; no field is marked. */
export function FormError({ message }: { message: ComponentChildren }) {
  if (message === undefined) return null
  return (
    <p class="field-error" id={WHOLE_FORM} tabindex={-1}>
      {message}
    </p>
  )
}

/** A label, its hint and error, then the control. */
function Field({ name, label, hint, error, children }: FieldProps & { children: ComponentChildren }) {
  return (
    <div class={classOf(error)}>
      <label for={name}>{label}</label>
      <Hint name={name} text={hint} />
      <FieldErrorText name={name} message={error} />
      {children}
    </div>
  )
}

function Hint({ name, text }: { name: string; text: ComponentChildren }) {
  if (text === undefined) return null
  return (
    <p class="hint" id={`${name}-hint`}>
      {text}
    </p>
  )
}

function FieldErrorText({ name, message }: { name: string; message: ComponentChildren }) {
  if (message === undefined) return null
  return (
    <p class="field-error" id={`${name}-error`}>
      {message}
    </p>
  )
}

const classOf = (error: ComponentChildren): string => (error === undefined ? 'field' : 'field field-wrong')

/** Attributes of every control: its name, the ids that describe it, whether it is invalid. */
const controlOf = (field: Pick<FieldProps, 'name' | 'hint' | 'error'>) => ({
  id: field.name,
  name: field.name,
  ...descriptionOf(field),
})

function descriptionOf({ name, hint, error }: Pick<FieldProps, 'name' | 'hint' | 'error'>) {
  const ids = [hint !== undefined && `${name}-hint`, error !== undefined && `${name}-error`].filter(Boolean)
  return {
    'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
    'aria-invalid': error === undefined ? undefined : true,
  } as const
}
