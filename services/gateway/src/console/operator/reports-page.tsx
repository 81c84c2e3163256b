// The operator's pages of reports: what people who have a share link sent with "Report this request", and what to do about it. [P8, D75]
import type { Locale } from '@paraph/web/locale'
import { Button, LinkButton, TextArea, fieldsWith, type FieldError } from '@paraph/web/fields'
import { isolateNames } from '@paraph/web/names-in-words'
import { Details, Sheet } from '@paraph/web/sheet'
import type { AccountRow } from '../../accounts/account-store.js'
import { contractMessages, statusMessages } from '../contracts/messages.js'
import type { ListedReport } from '../contracts/contract-rows.js'
import { ConsoleFrame } from '../frame/console-frame.js'
import { Copyable } from '../frame/copyable.js'
import { ConsoleForm } from '../frame/forms.js'
import { Instant } from '../frame/instant.js'
import { to } from '../frame/links.js'
import type { PageProps } from '../frame/page-props.js'
import { Back, DataTable, Empty, SheetSection } from '../frame/parts.js'
import { EnvironmentTag } from '../keys/keys-page.js'
import { operatorMessages, reportReasonMessages } from './messages.js'

/** The open reports or the handled ones, newest first. @param props.accountId of one account alone */
export function ReportsPage(props: {
  page: PageProps
  reports: readonly ListedReport[]
  isHandled: boolean
  accountId?: string | undefined
}) {
  const { page, reports, isHandled, accountId } = props
  const { locale } = page
  const text = operatorMessages(locale)
  return (
    <ConsoleFrame page={page} at="reports" lead={text.reportsLead}>
      <nav class="tabs" aria-label={text.state}>
        <a href={to.operator.reportsOf(accountId, false)} aria-current={isHandled ? undefined : 'page'}>
          {text.openReports}
        </a>{' '}
        <a href={to.operator.reportsOf(accountId, true)} aria-current={isHandled ? 'page' : undefined}>
          {text.handledReports}
        </a>
      </nav>
      {accountId !== undefined && (
        <p>
          {isolateNames(text.reportsOf, {
            text: accountId,
            markup: <a href={to.operator.account(accountId)}>{accountId}</a>,
          })}
        </p>
      )}
      {reports.length === 0 ? (
        <Empty text={isHandled ? text.noReportsHandled : text.noReports} />
      ) : (
        <DataTable
          label={text.reports}
          heads={[text.received, text.contract, text.message]}
          rows={reports.map((report) => ({
            id: report.id,
            cells: [
              <a href={to.operator.report(report.id)}>
                <Instant at={new Date(report.createdAt)} locale={locale} />
              </a>,
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

/** Number and sender of the contract. */
function ReportedContract({ report: { contract }, locale }: { report: ListedReport; locale: Locale }) {
  const text = operatorMessages(locale)
  if (!contract) return <span class="soft">{text.contractUnknown}</span>
  return (
    <>
      <strong>{contract.contractNumber}</strong> <EnvironmentTag {...{ locale, environment: contract.environment }} />
      {contract.senderName !== null && <div class="sub">{isolateNames(text.sender, contract.senderName)}</div>}
    </>
  )
}

/** One report: account, sender and contract, and the acts. Status 200, or 422 with errors. @param props.account undefined if it is unknown */
export function ReportPage(props: {
  page: PageProps
  report: ListedReport
  account: AccountRow | undefined
  errors?: readonly FieldError[]
  typed?: string
}) {
  const { page, report, account, errors = [] } = props
  const { locale } = page
  const text = operatorMessages(locale)
  const { contract } = report
  const contractPath = contract && to.operator.contract(report.accountId, contract.environment, report.contractId)
  const isOpen = contract?.status === 'pending_signature' || contract?.status === 'partially_signed'
  return (
    <ConsoleFrame page={page} title={text.report} at="reports" errors={errors}>
      <Back href={to.operator.reports}>{text.reports}</Back>
      <h1>{text.report}</h1>
      <Sheet
        parts={[
          <>
            <p>
              <strong>{reportReasonMessages(locale)[report.reason]}</strong>
            </p>
            <p class="written">
              <bdi>{report.message}</bdi>
            </p>
          </>,
          <Details
            rows={[
              { label: text.received, value: <Instant at={new Date(report.createdAt)} locale={locale} /> },
              {
                label: text.account,
                value: (
                  <>
                    <a href={to.operator.account(report.accountId)}>
                      <bdi>{account?.name ?? report.accountId}</bdi>
                    </a>
                    {account?.status === 'suspended' && ` (${text.suspendedState})`}
                  </>
                ),
              },
              ...(contract
                ? [
                    {
                      label: text.contract,
                      value: (
                        <>
                          <a href={contractPath ?? ''}>{contract.contractNumber}</a>{' '}
                          <EnvironmentTag {...{ locale, environment: contract.environment }} />
                          <div class="sub">{statusMessages(locale)[contract.status]}</div>
                        </>
                      ),
                    },
                    ...(contract.senderName === null
                      ? []
                      : [{ label: text.senderLabel, value: <bdi>{contract.senderName}</bdi> }]),
                  ]
                : [{ label: text.contract, value: text.contractUnknown }]),
              {
                label: contractMessages(locale).apiId,
                value: <Copyable {...{ locale, value: report.contractId }} id="contract" of={text.contractId} />,
              },
            ]}
          />,
        ]}
      />
      <div class="actions">
        {account?.status === 'active' && (
          <LinkButton look="danger-quiet" href={to.operator.suspend(account.id)}>
            {text.suspend}
          </LinkButton>
        )}{' '}
        {isOpen && (
          <LinkButton look="danger-quiet" href={`${contractPath}/cancel`}>
            {contractMessages(locale).cancelOpen}
          </LinkButton>
        )}
      </div>
      <Handling {...props} />
    </ConsoleFrame>
  )
}

/** Who handled the report and how, or the form for that. */
function Handling({ page, report, errors = [], typed }: Parameters<typeof ReportPage>[0]) {
  const { locale } = page
  const text = operatorMessages(locale)
  if (report.handledAt !== null)
    return (
      <SheetSection title={text.handledReports}>
        <p>
          {isolateNames(text.handledBy, report.handledBy ?? '')}{' '}
          <span class="soft">
            <Instant at={new Date(report.handledAt)} locale={locale} />
          </span>
        </p>
        <p class="written">
          <bdi>{report.note}</bdi>
        </p>
      </SheetSection>
    )
  return (
    <SheetSection title={text.handleTitle}>
      <ConsoleForm page={page} action={to.operator.report(report.id)}>
        <TextArea {...fieldsWith({ note: typed }, errors)('note')} label={text.note} hint={text.noteHint} rows={3} />
        <Button look="primary">{text.handle}</Button>
      </ConsoleForm>
    </SheetSection>
  )
}
