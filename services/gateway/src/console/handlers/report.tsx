// Handlers of reports: an operator reads them, acts on the account or the contract, and handles them with a note. [P8, D75]
import type { Context } from 'koa'
import type { Environment } from '@paraph/protocol/environment'
import { countCodePoints, isUnstorable } from '@paraph/protocol/text-rules'
import type { FieldError } from '@paraph/web/fields'
import { seeOther, sendPage } from '@paraph/web/page-answer'
import { reasonError, trimReason } from '../../accounts/application.js'
import type { AccountRow } from '../../accounts/account-store.js'
import { asPageNotFound, operatorOf, PageNotFound, principalOf } from '../console-context.js'
import type { Handler, OtherServices, SignedInRequest } from '../console-context.js'
import { isOpenContract, type ContractDetail } from '../contracts/contract-rows.js'
import { contractMessages } from '../contracts/messages.js'
import { to } from '../frame/links.js'
import { OperatorCancelPage, OperatorContractPage } from '../operator/contract-page.js'
import { operatorMessages } from '../operator/messages.js'
import { ReportPage, ReportsPage } from '../operator/reports-page.js'
import { withAccount } from './operator.js'

const REPORTS_SHOWN = 100
const REASON_LENGTH_MAX = 500

export const reportList: Handler<SignedInRequest> = async (ctx, { deps, page }) => {
  const { account } = ctx.query
  const isHandled = ctx.query['state'] === 'handled'
  const accountId = typeof account === 'string' && /^\w{1,100}$/.test(account) ? account : undefined
  const { reports } = await deps.reports.list.query({ count: REPORTS_SHOWN, isHandled, accountId })
  sendPage(ctx, 200, <ReportsPage {...{ page, reports, isHandled, accountId }} />)
}

export const reportPage: Handler<SignedInRequest> = async (ctx, request) => showReport(ctx, request, {})

export const handleReport: Handler<SignedInRequest> = async (ctx, request) => {
  const { deps, page, fields, parameters, session } = request
  const id = parameters['report'] ?? ''
  const note = trimReason(fields.get('note') ?? '')
  const error = reasonError(note)
  if (error) {
    const text = operatorMessages(page.locale)
    const message = { missing: text.noteMissing, too_long: text.reasonLong, wrong: text.reasonWrong }[error]
    return showReport(ctx, request, { errors: [{ field: 'note', message }], typed: note })
  }
  const { isNew } = await deps.reports.handle.mutate({ id, by: session.mailbox, note }).catch(asPageNotFound)
  // Without an account: its owners read the log of their account, and do not hear of reports.
  if (isNew) await deps.accounts.recordAct(null, 'report.handled', operatorOf(request), id)
  seeOther(ctx, isNew ? to.operator.reports : to.operator.report(id))
}

async function showReport(
  ctx: Context,
  { deps, page, parameters }: SignedInRequest,
  more: { errors?: readonly FieldError[]; typed?: string },
): Promise<void> {
  // An id in another form is the id of no report.
  const id = parameters['report'] ?? ''
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw new PageNotFound()
  const report = await deps.reports.show.query({ id }).catch(asPageNotFound)
  const account = await deps.accounts.show(report.accountId).catch(() => undefined)
  sendPage(ctx, more.errors ? 422 : 200, <ReportPage {...{ page, report, account, ...more }} />)
}

/** A request for a contract of an account. */
interface ContractRequest extends SignedInRequest {
  owner: AccountRow
  environment: Environment
  contract: ContractDetail
  services: OtherServices
}

/** Calls `handle` with the contract that the path names. */
const withContract = (handle: (ctx: Context, request: ContractRequest) => Promise<void>) =>
  withAccount(async (ctx, request, owner) => {
    const { environment, contract: id = '' } = request.parameters
    if (environment !== 'production' && environment !== 'sandbox') throw new PageNotFound()
    const services = request.deps.others(principalOf(owner, environment))
    const contract = await services.contract.detail.query({ id }).catch(asPageNotFound)
    return handle(ctx, { ...request, owner, environment, contract, services })
  })

const pathOf = ({ owner, environment, contract }: ContractRequest): string =>
  to.operator.contract(owner.id, environment, contract.id)

export const contractPage = withContract((ctx, request) => {
  sendPage(ctx, 200, <OperatorContractPage {...request} />)
  return Promise.resolve()
})

export const cancelPage = withContract(async (ctx, request) => {
  if (!isOpenContract(request.contract)) return seeOther(ctx, pathOf(request))
  sendPage(ctx, 200, <OperatorCancelPage {...request} at={pathOf(request)} />)
})

/** The page of the contract then shows who was first: the operator, the last party, or the clock. */
export const cancelContract = withContract(async (ctx, request) => {
  const { deps, page, fields, owner, contract, services } = request
  const typed = (fields.get('reason') ?? '').replaceAll('\r\n', '\n').trim()
  if (countCodePoints(typed) > REASON_LENGTH_MAX || isUnstorable(typed)) {
    const errors = [{ field: 'reason', message: contractMessages(page.locale).reasonLong }]
    return sendPage(ctx, 422, <OperatorCancelPage {...request} at={pathOf(request)} {...{ errors, typed }} />)
  }
  const cancel = { id: contract.id, reason: typed, actor: 'operator' } as const
  const { outcome } = await services.contract.cancel.mutate(cancel)
  if (outcome === 'cancelled')
    await deps.accounts.recordAct(owner.id, 'contract.cancelled', operatorOf(request), contract.id)
  seeOther(ctx, pathOf(request))
})
