// The audit log as a table: of one account, or of all.
import type { Locale } from '@paraph/web/locale'
import type { AuditEntry } from '../../accounts/audit.js'
import { accountMessages } from './messages.js'
import { actText, actorText, actDetails } from './act-messages.js'
import { Instant } from '../frame/console-frame.js'
import { to } from '../frame/links.js'
import { DataTable } from '../frame/parts.js'

/** @param withAccounts names the account of each, for the operator */
export function AuditTable(props: {
  locale: Locale
  entries: readonly AuditEntry[]
  timeZone?: string | undefined
  withAccounts?: boolean
}) {
  const { locale, entries, timeZone, withAccounts = false } = props
  const text = accountMessages(locale)
  return (
    <DataTable
      label={text.record}
      heads={[text.when, text.who, text.what, text.details]}
      rows={entries.map((entry) => ({
        id: String(entry.id),
        cells: [
          <Instant at={entry.at} {...{ locale, timeZone }} seconds />,
          <>
            {entry.mailbox !== null && (
              <span class="unbroken">
                <bdi>{entry.mailbox}</bdi>
              </span>
            )}
            <span class="sub">{actorText(entry.actor, locale)}</span>
          </>,
          actText(entry.act, locale),
          <>
            {entry.subject !== null && <span class="mono sub">{entry.subject}</span>}
            <span class="sub">
              <bdi>{actDetails(entry)}</bdi>
            </span>
            {withAccounts && entry.accountId !== null && (
              <a class="sub" href={to.operator.account(entry.accountId)}>
                {entry.accountId}
              </a>
            )}
          </>,
        ],
      }))}
    />
  )
}
