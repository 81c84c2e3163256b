// Small parts of the console's pages: tags, tables that become blocks on a phone, panels of code.
import type { ComponentChildren } from 'preact'
import type { Environment } from '@paraph/protocol/caller'
import type { Locale } from '@paraph/web/locale'
import { frameWords } from './frame-words.js'

export function Tag({ look, children }: { look: 'production' | 'sandbox' | 'plain'; children: ComponentChildren }) {
  return <span class={`tag tag-${look}`}>{children}</span>
}

/** Production and sandbox, kept apart: two addresses of one page. */
export function EnvironmentTabs(props: {
  locale: Locale
  environment: Environment
  href: string
  /** What else the address keeps. */
  query?: Record<string, string>
}) {
  const { locale, environment, href, query = {} } = props
  const say = frameWords(locale)
  return (
    <nav class="tabs" aria-label={say.environment}>
      {(['production', 'sandbox'] as const).map((each) => (
        <a
          key={each}
          href={`${href}?${new URLSearchParams({ environment: each, ...query }).toString()}`}
          aria-current={each === environment ? 'page' : undefined}
        >
          {say[each]}
        </a>
      ))}
    </nav>
  )
}

/**
 * A table on paper; on a phone each row is a block with the heads as its labels. The first cell names the row.
 * @param bare inside a sheet already
 */
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

/** Something to type or to read, as it stands. Scrolls inside, by keyboard too. */
export function Code({ label, text }: { label: string; text: string }) {
  return (
    <pre class="code" tabindex={0} role="region" aria-label={label}>
      <code>{text}</code>
    </pre>
  )
}
