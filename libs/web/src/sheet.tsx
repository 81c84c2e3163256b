// Paper and what lies on it: sheet, perforation, facts, notes. A sheet never lies inside a sheet.
import type { ComponentChildren } from 'preact'

/** A sheet of paper. Parts after the first are torn off along a dotted perforation. */
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

export interface Fact {
  label: string
  value: ComponentChildren
  /** A second, smaller line under the value. */
  detail?: ComponentChildren
}

/** Labels and values: two columns, on a phone the label left of its value. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map((fact) => (
        <div key={fact.label}>
          <dt>{fact.label}</dt>
          <dd>
            {fact.value}
            {fact.detail !== undefined && <span class="fact-detail">{fact.detail}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A remark beside the main matter. `kind` colours its edge; the words carry the meaning. */
export function Note(props: { kind: 'information' | 'warning' | 'danger'; children: ComponentChildren }) {
  return <div class={`note note-${props.kind}`}>{props.children}</div>
}

/** A native disclosure; works without script. */
export function Disclosure({ summary, children }: { summary: string; children: ComponentChildren }) {
  return (
    <details class="disclosure">
      <summary>
        <span>{summary}</span>
      </summary>
      <div class="disclosure-body">{children}</div>
    </details>
  )
}
