// The sheet, a box that looks like paper, and its parts: perforation, details, notes. A sheet never contains a sheet.
import type { ComponentChildren } from 'preact'

/** A sheet. A dotted line, the perforation, separates its parts. */
export function Sheet({ parts }: { parts: readonly ComponentChildren[] }) {
  return (
    <div class="sheet">
      {parts.map((part, index) => (
        <div class="sheet-part" key={index}>
          {part}
        </div>
      ))}
    </div>
  )
}

interface DetailRow {
  label: string
  value: ComponentChildren
  /** A second, smaller line under the value. */
  detail?: ComponentChildren
}

/** Labels and values, in two columns of rows; on a phone, one row per line with the label left of its value. */
export function Details({ rows }: { rows: readonly DetailRow[] }) {
  return (
    <dl class="facts">
      {rows.map(({ label, value, detail }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value}
            {detail !== undefined && [' ', <span class="fact-detail">{detail}</span>]}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A remark beside the main text. `kind` sets the colour of the edge; only the text has a meaning. */
export function Note(props: { kind: 'information' | 'warning' | 'danger'; children: ComponentChildren }) {
  return <div class={`note note-${props.kind}`}>{props.children}</div>
}

/**
 * A native disclosure; works without a script.
 * @param props.whenOpen replaces the summary while the disclosure is open, such as "Hide ..." for "Show ..."
 */
export function Disclosure(props: { summary: string; whenOpen?: string; children: ComponentChildren }) {
  return (
    <details class="disclosure">
      <summary>
        {props.whenOpen === undefined ? (
          <span>{props.summary}</span>
        ) : (
          <>
            <span class="when-closed">{props.summary}</span> <span class="when-open">{props.whenOpen}</span>
          </>
        )}
      </summary>
      <div class="disclosure-body">{props.children}</div>
    </details>
  )
}
