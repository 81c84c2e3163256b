// A page of the reference that explains: its blocks one after the other, samples where they are spoken of.
import type { ErrorCode } from '@paraph/protocol/errors'
import { ERROR_STATUS } from '@paraph/protocol/errors'
import { errorRows } from './error-words.js'
import type { Block, Guide } from './guide.js'
import { InlineText } from './inline-text.js'
import type { PageProps } from './page-props.js'
import { SamplePanel } from './sample-panel.js'
import { Table } from './table.js'
import { words } from './words.js'

/** What stands in `main`. */
export function GuidePage({ page, guide }: { page: PageProps; guide: Guide }) {
  const { title, lead, blocks } = guide[page.locale]
  return (
    <div class="reference-text">
      <h1>{title}</h1>
      <p class="lead">
        <InlineText text={lead} />
      </p>
      {blocks.map((block, at) => (
        <BlockView key={at} page={page} block={block} />
      ))}
    </div>
  )
}

function BlockView({ page, block }: { page: PageProps; block: Block }) {
  if (typeof block === 'string')
    return (
      <p>
        <InlineText text={block} />
      </p>
    )
  if ('heading' in block) return <h2 id={block.id}>{block.heading}</h2>
  if ('items' in block)
    return (
      <ul>
        {block.items.map((item) => (
          <li key={item}>
            <InlineText text={item} />
          </li>
        ))}
      </ul>
    )
  if ('columns' in block) return <Table {...block} />
  if ('sample' in block) return <SamplePanel page={page} {...block} />
  if ('steps' in block)
    return (
      <ol class="reference-steps">
        {block.steps.map((parts, at) => (
          <li key={at}>
            {parts.map((part, place) => (
              <BlockView key={place} page={page} block={part} />
            ))}
          </li>
        ))}
      </ol>
    )
  if ('readersKey' in block) return <ReadersKey page={page} />
  return <EveryError page={page} />
}

function ReadersKey({ page: { reader, locale } }: { page: PageProps }) {
  const say = words(locale)
  const text = !reader ? say.keyOfNobody : reader.testKey ? say.keyOfReader(reader.testKey) : say.keyOfNone
  return (
    <p>
      <InlineText text={text} />
    </p>
  )
}

function EveryError({ page }: { page: PageProps }) {
  const say = words(page.locale)
  const rows = errorRows(Object.keys(ERROR_STATUS) as ErrorCode[], page.locale)
  return (
    <Table
      columns={[say.code, say.statusColumn, say.when, say.todo]}
      rows={rows.map(({ code, status, when, todo }) => [`\`${code}\``, String(status), when, todo])}
    />
  )
}
