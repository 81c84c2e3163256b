// The audit log as a table: of one account, or of all.
import type { Locale } from '@paraph/web/locale'
import type { AuditEntry } from '../../audit.js'
import { accountWords } from './account-words.js'
import { actText, actorText, factsText } from './act-words.js'
import { Instant } from './console-frame.js'
import { to } from './links.js'
import { DataTable } from './parts.js'

/** @param withAccounts names the account of each, for the operator */
export function AuditTable(props: {
  locale: Locale
  entries: readonly AuditEntry[]
  timeZone?: string | undefined
  withAccounts?: boolean
}) {
  const { locale, entries, timeZone, withAccounts = false } = props
  const say = accountWords(locale)
  return (
    <DataTable
      label={say.record}
      heads={[say.when, say.who, say.what, say.details]}
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
              <bdi>{factsText(entry)}</bdi>
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
