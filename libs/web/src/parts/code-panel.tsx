// A code sample: its title, links to its languages, the code. The code scrolls, and takes the focus so that keyboard users can scroll it.
// Styled by reference.css. The renderer escapes the code.
import { Fragment } from 'preact'

interface CodeTab {
  text: string
  href: string
  isHere: boolean
}

/** @param props.title the panel's accessible name; unique on a page */
export function CodePanel(props: {
  id?: string | undefined
  title: string
  /** Such as `201 Created`, on a panel without tabs. */
  remark?: string | undefined
  tabs?: { label: string; links: readonly CodeTab[] } | undefined
  code: string
  /** Highlights the names of JSON fields. */
  isJson?: boolean
}) {
  return (
    <div class="panel" id={props.id}>
      <div class="panel-head">
        <p>{props.title}</p>
        {props.remark !== undefined && <p class="panel-remark">{props.remark}</p>}
        {props.tabs && (
          <nav aria-label={props.tabs.label}>
            {props.tabs.links.map(({ text, href, isHere }) => (
              <Fragment key={href}>
                <a href={href} aria-current={isHere ? 'true' : undefined}>
                  {text}
                </a>{' '}
              </Fragment>
            ))}
          </nav>
        )}
      </div>
      <pre class="mono" tabindex={0} role="region" aria-label={props.title}>
        <code>{props.isJson ? withNames(props.code) : props.code}</code>
      </pre>
    </div>
  )
}

/** Puts every `"name":` into a span; a quote that a shell escapes does not start a name. */
const withNames = (code: string) =>
  code.split(/(?<!\\)("[^"\\\n]*")(?=:)/).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <span class="code-name" key={at}>
        {part}
      </span>
    ),
  )
