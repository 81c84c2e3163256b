// The operator's page of the audit log: the acts on all accounts, by actor, act and day. [D75]
import { Button, Select, TextField } from '@paraph/web/fields'
import { ACTOR_KINDS, ACTS, type AuditEntry } from '../../accounts/audit.js'
import { ConsoleFrame } from '../frame/console-frame.js'
import { DayField } from '../frame/forms.js'
import { to } from '../frame/links.js'
import type { PageProps } from '../frame/page-props.js'
import { ActionLinks, Empty } from '../frame/parts.js'
import { actorMessages } from '../people/act-messages.js'
import { actLabel } from '../people/act-text.js'
import { AuditTable, OlderLink } from '../people/audit-table.js'
import { operatorMessages } from './messages.js'

/** The values of the filters as the form shows them; empty: not filtered. */
export type TypedFilter = Record<'actor' | 'who' | 'act' | 'from' | 'until', string>

/** A page of the log, newest first. */
export function AuditPage(props: {
  page: PageProps
  typed: TypedFilter
  entries: readonly AuditEntry[]
  older: number | undefined
}) {
  const { page, typed, entries, older } = props
  const { locale } = page
  const text = operatorMessages(locale)
  const set = Object.entries(typed).filter(([, value]) => value !== '')
  const query = new URLSearchParams(set).toString()
  const choices = <Value extends string>(values: readonly Value[], labelOf: (value: Value) => string) => [
    { value: '', label: text.all },
    ...values.map((value) => ({ value, label: labelOf(value) })),
  ]
  return (
    <ConsoleFrame page={page} at="audit" lead={text.auditLead}>
      <form class="filters" method="get" action={to.operator.audit}>
        <Select
          name="actor"
          label={text.actor}
          value={typed.actor}
          choices={choices(ACTOR_KINDS, (kind) => actorMessages(locale)[kind])}
        />
        <TextField name="who" label={text.who} value={typed.who} autocomplete="off" />
        <Select name="act" label={text.act} value={typed.act} choices={choices(ACTS, (act) => actLabel(act, locale))} />
        <DayField name="from" label={text.from} value={typed.from} />
        <DayField name="until" label={text.upTo} value={typed.until} />
        <Button look="quiet">{text.show}</Button>
      </form>
      {entries.length === 0 ? (
        <Empty text={text.noActs} />
      ) : (
        <AuditTable locale={locale} entries={entries} withAccounts />
      )}
      <ActionLinks
        links={[{ href: `${to.operator.auditCsv}${query && `?${query}`}`, text: text.csv, download: 'audit.csv' }]}
      />
      <OlderLink {...{ page, older, href: to.operator.audit, query: Object.fromEntries(set) }} />
    </ConsoleFrame>
  )
}
