// A code sample: its title, links to its languages, a copy button, the code. The code scrolls, and takes the focus so that keyboard users
// can scroll it. Styled by panels.css. The renderer escapes the code.
import { Fragment } from 'preact'

interface CodeTab {
  text: string
  href: string
  isHere: boolean
}

/** @param props.title the panel's accessible name; unique on a page */
export function CodePanel(props: {
  id: string
  title: string
  /** Such as `201 Created`, on a panel without tabs. */
  remark?: string | undefined
  tabs?: { label: string; links: readonly CodeTab[] } | undefined
  code: string
  /** Highlights the names of JSON fields. */
  isJson?: boolean
  /** The label of the copy button, before and after the click. A script shows the button. */
  copy: { label: string; done: string }
}) {
  const [titleId, codeId] = [`${props.id}-title`, `${props.id}-code`]
  return (
    <div class="panel" id={props.id}>
      <div class="panel-head">
        <p id={titleId}>{props.title}</p> {props.remark !== undefined && <p class="panel-remark">{props.remark}</p>}
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
        <button
          class="panel-copy"
          type="button"
          data-copy={codeId}
          data-copied={props.copy.done}
          aria-describedby={titleId}
          aria-live="polite"
          hidden
        >
          {props.copy.label}
        </button>
      </div>
      <pre class="mono" tabindex={0} role="region" aria-labelledby={titleId}>
        <code id={codeId}>{props.isJson ? withNames(props.code) : props.code}</code>
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
