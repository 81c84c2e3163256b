// A page of the reference about one endpoint: fields and errors on one side, sample request and responses on the other.
import { CodePanel } from '@paraph/web/code-panel'
import { errorRows } from './error-messages.js'
import type { Field } from './fields.js'
import { InlineParagraph, InlineText, Table } from './inline-text.js'
import type { Operation } from './operation.js'
import type { PageProps } from './page-props.js'
import { SamplePanel } from './sample-panel.js'
import type { SampleName } from './samples.js'
import { referenceMessages } from './messages.js'

/** The content of `main`. */
export function OperationPage(props: { page: PageProps; operation: Operation; sample: SampleName }) {
  const { page, operation } = props
  const text = referenceMessages(page.locale)
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
          <InlineParagraph class="lead" text={operation.description} />
          <InlineParagraph
            class="small soft"
            text={`${scope === undefined ? text.noScope : text.scope(scope)} · ${weight > 0 ? text.costs : text.costsNothing}`}
          />
          <Fields title={text.path} fields={operation.pathFields} required={text.required} />
          <Fields title={text.headers} fields={operation.headerFields} required={text.required} />
          <Fields title={text.body} fields={operation.bodyFields} required={text.required} />
        </div>
        <SamplePanel page={page} sample={props.sample} title={text.request} />
      </div>
      <div class="reference-columns">
        <div class="reference-text">
          <Fields title={text.answer} fields={operation.responseFields} />
          <Fields title={text.answerHeaders} fields={operation.responseHeaders} />
        </div>
        <CodePanel title={text.answer} remark={operation.response.status} code={operation.response.body} isJson />
      </div>
      <div class="reference-columns">
        <div class="reference-text">
          <h2 id="errors">{text.errors}</h2>
          <Table
            columns={[text.statusColumn, text.code, text.todo]}
            rows={errors.map(({ status, code, todo }) => [String(status), `\`${code}\``, todo])}
          />
        </div>
        <CodePanel title={text.fails} remark={operation.failure.status} code={operation.failure.body} isJson />
      </div>
    </>
  )
}

/** @param props.required label of a required field; omit it in a response, where every field is present */
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
