// The operator's page of reports about contracts: what people who have a share link sent with "Report this request". [P8]
import type { Locale } from '@paraph/web/locale'
import { isolateNames } from '@paraph/web/names-in-words'
import type { ListedReport } from '../contracts/contract-rows.js'
import { ConsoleFrame } from '../frame/console-frame.js'
import { Instant } from '../frame/instant.js'
import { to } from '../frame/links.js'
import type { PageProps } from '../frame/page-props.js'
import { DataTable, Empty } from '../frame/parts.js'
import { Copyable } from '../frame/copyable.js'
import { EnvironmentTag } from '../keys/keys-page.js'
import { operatorMessages, reportReasonMessages } from './messages.js'

/** The reports, newest first. */
export function ReportsPage(props: { page: PageProps; reports: readonly ListedReport[] }) {
  const { page, reports } = props
  const { locale } = page
  const text = operatorMessages(locale)
  return (
    <ConsoleFrame page={page} at="reports" lead={text.reportsLead}>
      {reports.length === 0 ? (
        <Empty text={text.noReports} />
      ) : (
        <DataTable
          label={text.reports}
          heads={[text.received, text.contract, text.message]}
          rows={reports.map((report) => ({
            id: report.id,
            cells: [
              <Instant at={new Date(report.createdAt)} locale={locale} />,
              <ReportedContract report={report} locale={locale} />,
              <>
                {reportReasonMessages(locale)[report.reason]}
                <div class="written-small">
                  <bdi>{report.message}</bdi>
                </div>
              </>,
            ],
          }))}
        />
      )}
    </ConsoleFrame>
  )
}

/** Number, sender and account of the contract, and its identifier, which the operator's commands take. */
function ReportedContract({ report, locale }: { report: ListedReport; locale: Locale }) {
  const { id, contractId, contract } = report
  const text = operatorMessages(locale)
  return (
    <>
      {contract ? (
        <>
          <strong>{contract.contractNumber}</strong>{' '}
          <EnvironmentTag {...{ locale, environment: contract.environment }} />
          {contract.senderName !== null && <div class="sub">{isolateNames(text.sender, contract.senderName)}</div>}
          <a href={to.operator.account(contract.accountId)}>{text.openAccount}</a>
        </>
      ) : (
        <span class="soft">{text.contractUnknown}</span>
      )}
      <div class="sub">
        <Copyable {...{ locale, value: contractId }} id={`contract-${id}`} of={text.contractId} />
      </div>
    </>
  )
}
