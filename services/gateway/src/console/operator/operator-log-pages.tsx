// What people reported, and what was done.
import { LinkButton } from '@paraph/web/fields'
import type { AuditEntry } from '../../audit.js'
import { accountWords } from './account-words.js'
import { AuditTable } from './audit-table.js'
import { ConsoleFrame, Instant, type PageProps } from './console-frame.js'
import { frameWords } from './frame-words.js'
import { to } from './links.js'
import { operatorWords, reportReasonWords } from './operator-words.js'
import type { ListedReport } from './contract-facts.js'
import { DataTable } from './parts.js'

/** What people reported, in their words. */
export function ReportsPage(props: { page: PageProps; reports: readonly ListedReport[] }) {
  const { page, reports } = props
  const { locale } = page
  const say = operatorWords(locale)
  return (
    <ConsoleFrame page={page} title={say.reports} at="reports">
      <div>
        <h1>{say.reports}</h1>
        <p class="soft">{say.reportsLead}</p>
      </div>
      {reports.length === 0 ? (
        <div class="empty">
          <hr class="bare-line" />
          <p>{say.noReports}</p>
        </div>
      ) : (
        <DataTable
          label={say.reports}
          heads={[say.received, say.contract, say.reason, say.message]}
          rows={reports.map(({ id, contractId, reason, message, createdAt }) => ({
            id,
            cells: [
              <Instant at={new Date(createdAt)} locale={locale} />,
              <span class="mono sub">{contractId}</span>,
              reportReasonWords(locale)[reason],
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

/** What was done to any account, newest first. */
export function AuditPage(props: { page: PageProps; entries: readonly AuditEntry[]; older: number | undefined }) {
  const { page, entries, older } = props
  const say = operatorWords(page.locale)
  return (
    <ConsoleFrame page={page} title={frameWords(page.locale).audit} at="audit">
      <div>
        <h1>{say.audit}</h1>
        <p class="soft">{say.auditLead}</p>
      </div>
      <AuditTable locale={page.locale} entries={entries} withAccounts />
      {older !== undefined && (
        <div class="actions">
          <LinkButton look="quiet" href={`${to.operator.audit}?before=${older}`}>
            {accountWords(page.locale).older}
          </LinkButton>
        </div>
      )}
    </ConsoleFrame>
  )
}
