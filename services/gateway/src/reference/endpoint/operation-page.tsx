// A page of the reference about one endpoint: fields and errors on one side, sample request and responses on the other.
import { errorRows } from '../error-messages.js'
import { CodePanel } from '../frame/code-panel.js'
import { OnThisPage, PageTitle, SectionTitle, type Section } from '../frame/heading.js'
import { InlineParagraph, Table } from '../frame/inline-text.js'
import { SamplePanel } from '../frame/sample-panel.js'
import { referenceMessages } from '../messages.js'
import { withCode, type PageProps } from '../page-props.js'
import { ERRORS_PATH } from '../../edge/endpoints.js'
import type { SampleName } from '../samples.js'
import { FieldList } from './field-list.js'
import type { Field } from './fields.js'
import type { Operation } from './operation.js'

interface FieldSection extends Section {
  fields: readonly Field[]
  isResponse: boolean
  levelsShown: number
}

/** The parts of an operation that have fields, in the order of the page. Their ids begin those of the fields. */
export function sectionsOf(operation: Operation, locale: PageProps['locale']): FieldSection[] {
  const text = referenceMessages(locale)
  const inRequest = { isResponse: false, levelsShown: Infinity }
  // The resource beside `success` is shown as a whole; small objects are behind a disclosure.
  const hasEnvelope = operation.responseFields.some(({ path }) => path === 'success')
  const inResponse = { isResponse: true, levelsShown: hasEnvelope ? 2 : 1 }
  return [
    { id: 'path', title: text.path, fields: operation.pathFields, ...inRequest },
    { id: 'header', title: text.headers, fields: operation.headerFields, ...inRequest },
    { id: 'body', title: text.body, fields: operation.bodyFields, ...inRequest },
    { id: 'response', title: text.response, fields: operation.responseFields, ...inResponse },
    { id: 'response-header', title: text.responseHeaders, fields: operation.responseHeaders, ...inResponse },
  ].filter(({ fields }) => fields.length > 0)
}

/** What a call costs and needs, in a sentence. */
export function costOf({ endpoint }: Operation, locale: PageProps['locale']): string {
  const text = referenceMessages(locale)
  const { scope, weight } = endpoint
  return `${scope === undefined ? text.noScope : text.scope(scope)} · ${weight > 0 ? text.costs : text.costsNothing}`
}

/** The content of `main`, or of a section of the page with all pages. */
export function OperationPage(props: { page: PageProps; operation: Operation; sample: SampleName }) {
  const { page, operation, sample } = props
  const { locale, place } = page
  const text = referenceMessages(locale)
  const sections = sectionsOf(operation, locale)
  const errors = { id: 'errors', title: text.errors }
  const panel = (id: string, title: string, { status, body }: Operation['response']) => (
    <CodePanel
      id={place.id(id)}
      title={place.label(title)}
      remark={status}
      code={body}
      isJson
      copy={{ label: text.copy, done: text.copied }}
    />
  )
  return (
    <div class="reference-columns">
      <div class="reference-text">
        <PageTitle page={page} text={operation.summary} />
        <p class="reference-endpoint mono">
          <span class="reference-method">{operation.method}</span> <span>{operation.path}</span>
        </p>
        <InlineParagraph class="lead" text={operation.description} />
        <InlineParagraph class="small soft" text={costOf(operation, locale)} />
        {place.level === 1 && <OnThisPage sections={[...sections, errors]} title={text.onThisPage} />}
      </div>
      <div class="reference-panels">
        <SamplePanel page={page} sample={sample} title={text.request} />
        {panel('response-example', text.response, operation.response)}
        {panel('failure-example', text.fails, operation.failure)}
      </div>
      <div class="reference-text reference-details">
        {sections.map((section) => (
          <section key={section.id}>
            <SectionTitle page={page} section={section} />
            <FieldList {...section} page={page} section={section.id} />
          </section>
        ))}
        <section>
          <SectionTitle page={page} section={errors} />
          <Table
            columns={[text.statusColumn, text.code, text.todo]}
            rows={errorRows(operation.errors, locale).map(({ status, code, todo }) => ({
              cells: [String(status), `[\`${code}\`](${withCode(page, ERRORS_PATH)}#${code})`, todo],
            }))}
          />
        </section>
      </div>
    </div>
  )
}
