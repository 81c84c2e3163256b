// Components of the console's pages: links, notes, tabs, tables, code.
import { Fragment, type ComponentChildren } from 'preact'
import type { Environment } from '@paraph/protocol/environment'
import { Button, LinkButton } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { Note, Sheet } from '@paraph/web/sheet'
import { frameMessages } from './messages.js'

/** The link above the heading, to the parent page. */
export function Back({ href, children }: { href: string; children: ComponentChildren }) {
  return (
    <p class="back">
      <a href={href}>{children}</a>
    </p>
  )
}

/** The button of a form, and the link that leaves the form. */
export function FormActions(props: {
  look: 'primary' | 'danger'
  text: string
  leave: { href: string; text: string } | false
}) {
  const { look, text, leave } = props
  return (
    <div class="actions">
      <Button look={look}>{text}</Button>{' '}
      {leave && (
        <a class="plain-link" href={leave.href}>
          {leave.text}
        </a>
      )}
    </div>
  )
}

/** The button of a form in a list. @param of names the entry, for screen readers */
export function SmallButton({ text, of }: { text: string; of: string }) {
  return (
    <button class="button button-quiet button-small" type="submit" aria-label={`${text}: ${of}`}>
      {text}
    </button>
  )
}

type ActionLink = Omit<Parameters<typeof LinkButton>[0], 'look' | 'children'> & {
  text: string
  look?: 'primary' | 'quiet'
}

/** Links that look like buttons, such as links to the adjacent pages of a list. Renders nothing without links. */
export function ActionLinks({ links }: { links: readonly (ActionLink | false)[] }) {
  const shown = links.filter((link) => link !== false)
  if (shown.length === 0) return null
  return (
    <div class="actions">
      {shown.map(({ text, look = 'quiet', ...link }) => (
        <Fragment key={link.href}>
          <LinkButton look={look} {...link}>
            {text}
          </LinkButton>{' '}
        </Fragment>
      ))}
    </div>
  )
}

/** A section of a page with its heading. */
export function Section(props: { title: string; class?: string; children: ComponentChildren }) {
  return (
    <section class={props.class ?? 'apart'}>
      <h2>{props.title}</h2>
      {props.children}
    </section>
  )
}

/** A section on a sheet of its own, with its heading. */
export function SheetSection({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="sheet pad">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** A name that somebody chose, in bold. */
export function BoldName({ name }: { name: string }) {
  return (
    <strong>
      <bdi>{name}</bdi>
    </strong>
  )
}

/** A mailbox, which breaks after its @ where a line is too short. */
export function Mailbox({ address }: { address: string }) {
  const end = address.lastIndexOf('@') + 1
  return (
    <bdi>
      {address.slice(0, end)}
      <wbr />
      {address.slice(end)}
    </bdi>
  )
}

/** A sheet of one part. */
export const Paper = ({ children }: { children: ComponentChildren }) => <Sheet parts={[children]} />

/** Replaces a table that has no rows. */
export function Empty({ text }: { text: string }) {
  return (
    <div class="empty">
      <hr class="bare-line" />
      <p>{text}</p>
    </div>
  )
}

/** A note of one sentence. Renders nothing without `text`. */
export function Notice({ kind, text }: { kind: 'information' | 'warning'; text: string | false | undefined }) {
  if (!text) return null
  return (
    <Note kind={kind}>
      <p>{text}</p>
    </Note>
  )
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
        <Fragment key={each}>
          <a
            href={`${href}?${new URLSearchParams({ environment: each, ...query }).toString()}`}
            aria-current={each === environment ? 'page' : undefined}
          >
            {text[each]}
          </a>{' '}
        </Fragment>
      ))}
    </nav>
  )
}

/** A table; on a phone each row becomes a block with the heads as labels. The first cell names the row. @param bare omits the sheet */
export function DataTable(props: {
  label: string
  bare?: boolean
  class?: string
  heads: readonly string[]
  rows: readonly { id: string; cells: readonly ComponentChildren[] }[]
}) {
  return (
    <div class={props.bare ? 'table-bare' : 'sheet table-sheet'}>
      <table class={props.class} aria-label={props.label}>
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
                    <div class="cell-label" aria-hidden="true">
                      {props.heads[at]}
                    </div>
                    <div class="cell">{cell}</div>
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
