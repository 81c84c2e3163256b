// A page of the reference about one endpoint: fields and errors on one side, request and answers on the other.
import { CodePanel } from '@paraph/web/code-panel'
import { errorRows } from './error-words.js'
import type { Field } from './fields.js'
import { InlineText } from './inline-text.js'
import type { Operation } from './operation.js'
import type { PageProps } from './page-props.js'
import { SamplePanel } from './sample-panel.js'
import type { SampleName } from './samples.js'
import { Table } from './table.js'
import { words } from './words.js'

/** What stands in `main`. */
export function OperationPage(props: { page: PageProps; operation: Operation; sample: SampleName }) {
  const { page, operation } = props
  const say = words(page.locale)
  const { scope, weight } = operation.endpoint
  const errors = errorRows(operation.errors, page.locale)
  return (
    <>
      <div class="reference-columns">
        <div class="reference-text">
          <h1>{operation.summary}</h1>
          <p class="reference-endpoint mono">
            <span class="reference-method">{operation.method}</span> <span>{operation.path}</span>
          </p>
          <p class="lead">
            <InlineText text={operation.description} />
          </p>
          <p class="small soft">
            <InlineText
              text={`${scope === undefined ? say.noScope : say.scope(scope)} · ${weight > 0 ? say.costs : say.costsNothing}`}
            />
          </p>
          <Fields title={say.path} fields={operation.pathFields} required={say.required} />
          <Fields title={say.headers} fields={operation.headerFields} required={say.required} />
          <Fields title={say.body} fields={operation.bodyFields} required={say.required} />
        </div>
        <SamplePanel page={page} sample={props.sample} title={say.request} />
      </div>
      <div class="reference-columns">
        <div class="reference-text">
          <Fields title={say.answer} fields={operation.answerFields} />
          <Fields title={say.answerHeaders} fields={operation.answerHeaders} />
        </div>
        <CodePanel title={say.answer} remark={operation.answer.status} code={operation.answer.body} isJson />
      </div>
      <div class="reference-columns">
        <div class="reference-text">
          <h2 id="errors">{say.errors}</h2>
          <Table
            columns={[say.statusColumn, say.code, say.todo]}
            rows={errors.map(({ status, code, todo }) => [String(status), `\`${code}\``, todo])}
          />
        </div>
        <CodePanel title={say.fails} remark={operation.failure.status} code={operation.failure.body} isJson />
      </div>
    </>
  )
}

/** @param props.required what to say of a field that must be there; left out where all are */
function Fields(props: { title: string; fields: readonly Field[]; required?: string }) {
  if (props.fields.length === 0) return null
  return (
    <>
      <h2>{props.title}</h2>
      <dl class="reference-fields">
        {props.fields.map(({ path, type, isRequired, description, values }) => (
          <div key={path}>
            <dt>
              <code>{path}</code>
              {type !== '' && <span>{type}</span>}
              {isRequired && props.required !== undefined && <strong>{props.required}</strong>}
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
          </div>
        ))}
      </dl>
    </>
  )
}
