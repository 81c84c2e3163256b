// A sample as people copy it: its name, its languages as links, the code. Scrolls inside, and can be reached by the keyboard for that.
// Looks as reference.css says. What is inside is text: escaped by the renderer, whatever it holds.

export interface CodeTab {
  text: string
  href: string
  isHere: boolean
}

/** @param props.title names the panel; on a page no two may have the same one */
export function CodePanel(props: {
  id?: string | undefined
  title: string
  /** Such as `201 Created`, where there are no tabs. */
  remark?: string | undefined
  tabs?: { label: string; links: readonly CodeTab[] } | undefined
  code: string
  /** Whether names of JSON fields stand out. */
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
              <a key={href} href={href} aria-current={isHere ? 'true' : undefined}>
                {text}
              </a>
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

/** Every `"name":` in a span of its own; quotes that a shell escapes begin none. */
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
