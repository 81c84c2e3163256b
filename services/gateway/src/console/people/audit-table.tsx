// The audit log of one account, or of all, as a table.
import type { Locale } from '@paraph/web/locale'
import type { AuditEntry } from '../../accounts/audit.js'
import { actorMessages } from './act-messages.js'
import { actDetails, ActSentence } from './act-text.js'
import { accountMessages } from './messages.js'
import { Instant } from '../frame/instant.js'
import type { PageProps } from '../frame/page-props.js'
import { to } from '../frame/links.js'
import { ActionLinks, DataTable, Mailbox } from '../frame/parts.js'

/** @param withAccounts shows the account of each entry, for the operator */
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
      heads={[text.when, text.who, text.what]}
      rows={entries.map((entry) => ({
        id: String(entry.id),
        cells: [
          <Instant at={entry.at} {...{ locale, timeZone }} seconds />,
          <Actor entry={entry} locale={locale} />,
          <>
            <ActSentence {...{ entry, locale, timeZone }} />
            {actDetails({ entry, locale, timeZone }).map((line, at) => (
              <div key={at} class="sub">
                {line}
              </div>
            ))}
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

function Actor({ entry: { mailbox, actor, actorName }, locale }: { entry: AuditEntry; locale: Locale }) {
  return (
    <>
      {mailbox !== null && <Mailbox address={mailbox} />}
      <div class="sub">
        {actorMessages(locale)[actor]}
        {actorName !== null && (
          <>
            {' '}
            (<bdi>{actorName}</bdi>)
          </>
        )}
      </div>
    </>
  )
}

/**
 * The link to the next page of a log.
 * @param props.older id of the last entry on this page; undefined on the last page
 * @param props.query other parameters to keep
 */
export function OlderLink({
  page: { locale },
  href,
  older,
  query = {},
}: {
  page: PageProps
  href: string
  older: number | undefined
  query?: Record<string, string>
}) {
  const parameters = new URLSearchParams({ ...query, before: String(older) })
  const link = { href: `${href}?${parameters.toString()}`, text: accountMessages(locale).older }
  return <ActionLinks links={[older !== undefined && link]} />
}
