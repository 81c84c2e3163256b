// The fields of a request or response, each with an anchor.
import { Anchor } from '../frame/heading.js'
import { InlineText } from '../frame/inline-text.js'
import { referenceMessages } from '../messages.js'
import type { PageProps } from '../page-props.js'
import { anchorOf, type Field } from './fields.js'

interface FieldListProps {
  page: PageProps
  /** The section of the page, with which the ids begin. */
  section: string
  fields: readonly Field[]
  /** In a response every field is present, so none is marked as required. */
  isResponse: boolean
  /** Levels that are shown at once; the fields of deeper levels are behind a disclosure. */
  levelsShown: number
}

export function FieldList(props: FieldListProps) {
  const { page, section, fields, isResponse } = props
  const text = referenceMessages(page.locale)
  return (
    <dl class="reference-fields">
      {fields.map((field) => {
        const id = page.place.id(anchorOf(section, field))
        const { path, type, isRequired, description, values } = field
        return (
          <div key={path} id={id}>
            <dt>
              <Anchor id={id}>
                <code>{path}</code>
              </Anchor>{' '}
              {type !== '' && <span>{type}</span>} {isRequired && !isResponse && <strong>{text.required}</strong>}
            </dt>
            {description !== undefined && (
              <dd>
                <InlineText text={description} />
              </dd>
            )}
            {values.length > 0 && (
              <dd class="small">
                <InlineText text={values.map((value) => `\`${value}\``).join(', ')} />
              </dd>
            )}
            {field.fields.length > 0 && (
              <dd>
                <Nested {...props} fields={field.fields} levelsShown={props.levelsShown - 1} name={path} />
              </dd>
            )}
          </div>
        )
      })}
    </dl>
  )
}

function Nested({ name, ...props }: FieldListProps & { name: string }) {
  if (props.levelsShown > 0) return <FieldList {...props} />
  return (
    <details class="disclosure">
      <summary>
        <span>{referenceMessages(props.page.locale).fieldsWithin(props.fields.length, name)}</span>
      </summary>
      <FieldList {...props} />
    </details>
  )
}
