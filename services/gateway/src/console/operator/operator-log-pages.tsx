// The operator's pages of reports and of the audit log.
import type { AuditEntry } from '../../accounts/audit.js'
import { accountMessages } from '../people/messages.js'
import { AuditTable } from '../people/audit-table.js'
import { ConsoleFrame, Instant, type PageProps } from '../frame/console-frame.js'
import { frameMessages } from '../frame/messages.js'
import { to } from '../frame/links.js'
import { DataTable, Empty, PageLinks } from '../frame/parts.js'
import { operatorMessages, reportReasonMessages } from './messages.js'
import type { ListedReport } from '../contracts/contract-rows.js'

/** The reports about contracts, newest first. */
export function ReportsPage(props: { page: PageProps; reports: readonly ListedReport[] }) {
  const { page, reports } = props
  const { locale } = page
  const text = operatorMessages(locale)
  return (
    <ConsoleFrame page={page} title={text.reports} at="reports">
      <div>
        <h1>{text.reports}</h1>
        <p class="soft">{text.reportsLead}</p>
      </div>
      {reports.length === 0 ? (
        <Empty text={text.noReports} />
      ) : (
        <DataTable
          label={text.reports}
          heads={[text.received, text.contract, text.reason, text.message]}
          rows={reports.map(({ id, contractId, reason, message, createdAt }) => ({
            id,
            cells: [
              <Instant at={new Date(createdAt)} locale={locale} />,
              <span class="mono sub">{contractId}</span>,
              reportReasonMessages(locale)[reason],
              <span class="written-small">
                <bdi>{message}</bdi>
              </span>,
            ],
          }))}
        />
      )}
    </ConsoleFrame>
  )
}

/** A page of the audit log of all accounts, newest first. */
export function AuditPage(props: { page: PageProps; entries: readonly AuditEntry[]; older: number | undefined }) {
  const { page, entries, older } = props
  const text = operatorMessages(page.locale)
  return (
    <ConsoleFrame page={page} title={frameMessages(page.locale).audit} at="audit">
      <div>
        <h1>{text.audit}</h1>
        <p class="soft">{text.auditLead}</p>
      </div>
      <AuditTable locale={page.locale} entries={entries} withAccounts />
      <PageLinks
        links={[
          older !== undefined && {
            href: `${to.operator.audit}?before=${older}`,
            text: accountMessages(page.locale).older,
          },
        ]}
      />
    </ConsoleFrame>
  )
}
