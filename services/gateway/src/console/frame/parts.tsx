// Components of the console's pages: tags, tabs, tables, code.
import type { ComponentChildren } from 'preact'
import type { Environment } from '@paraph/protocol/environment'
import type { Locale } from '@paraph/web/locale'
import { frameMessages } from './messages.js'

export function Tag({ look, children }: { look: 'production' | 'sandbox' | 'plain'; children: ComponentChildren }) {
  return <span class={`tag tag-${look}`}>{children}</span>
}

/** Links to the same page for production and for sandbox. */
export function EnvironmentTabs(props: {
  locale: Locale
  environment: Environment
  href: string
  /** Other query parameters to keep. */
  query?: Record<string, string>
}) {
  const { locale, environment, href, query = {} } = props
  const text = frameMessages(locale)
  return (
    <nav class="tabs" aria-label={text.environment}>
      {(['production', 'sandbox'] as const).map((each) => (
        <a
          key={each}
          href={`${href}?${new URLSearchParams({ environment: each, ...query }).toString()}`}
          aria-current={each === environment ? 'page' : undefined}
        >
          {text[each]}
        </a>
      ))}
    </nav>
  )
}

/** A table; on a phone each row becomes a block with the heads as labels. The first cell names the row. @param bare without a sheet around it */
export function DataTable(props: {
  label: string
  bare?: boolean
  heads: readonly string[]
  rows: readonly { id: string; cells: readonly ComponentChildren[] }[]
}) {
  return (
    <div class={props.bare ? 'table-bare' : 'sheet table-sheet'}>
      <table aria-label={props.label}>
        <thead>
          <tr>
            {props.heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr key={row.id}>
              {row.cells.map((cell, at) =>
                at === 0 ? (
                  <th key={at} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={at}>
                    <span class="cell-label" aria-hidden="true">
                      {props.heads[at]}
                    </span>
                    <span class="cell">{cell}</span>
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Preformatted text. It scrolls in its own region, by keyboard too. */
export function Code({ label, text }: { label: string; text: string }) {
  return (
    <pre class="code" tabindex={0} role="region" aria-label={label}>
      <code>{text}</code>
    </pre>
  )
}
