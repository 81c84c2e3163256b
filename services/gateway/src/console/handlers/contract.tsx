// Handlers of contracts: list, export, show, send an invitation again, cancel, erase, download. [D10, D19, D24, D30, D43, D71]
// The service token contains account and environment, so a contract of another account is not found.
import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { nextMinute } from '@paraph/codes/code-state'
import type { Environment } from '@paraph/protocol/environment'
import { countCodePoints, isMailAddress } from '@paraph/protocol/text-rules'
import { refusalOf } from '@paraph/rpc/link'
import { formatInstant, formatTime } from '@paraph/web/dates'
import type { FieldError } from '@paraph/web/fields'
import type { Act } from '../../accounts/audit.js'
import { asPageNotFound, ownerOf, PageNotFound, principalOf } from '../console-context.js'
import type { Handler, OtherServices, OwnerRequest } from '../console-context.js'
import { isOpenContract, mayErase, mayReaddress, type ContractDetail } from '../contracts/contract-rows.js'
import { AddressPage } from '../contracts/address-page.js'
import { CancelPage, ErasePage } from '../contracts/contract-end-pages.js'
import { csvOf } from '../contracts/contracts-csv.js'
import { queryOf, readFilter } from '../contracts/list-filter.js'
import { ContractListPage } from '../contracts/contract-list-page.js'
import { ContractPage } from '../contracts/contract-page.js'
import type { ContractNotice } from '../contracts/contract-page-props.js'
import { contractMessages } from '../contracts/messages.js'
import { OutcomePage } from '../people/sign-in-pages.js'
import { wholeNumberOf } from '@paraph/web/form-body'
import { seeOther, sendPage } from '@paraph/web/page-answer'
import { shownEnvironment } from '../environment.js'
import { to } from '../frame/links.js'
import { sendExportWait } from './account.js'

const REASON_LENGTH_MAX = 500

/** A request for a contract that exists. */
interface ContractRequest extends OwnerRequest {
  environment: Environment
  contract: ContractDetail
  services: OtherServices
}

const servicesFor = ({ deps, account: { row } }: OwnerRequest, environment: Environment): OtherServices =>
  deps.others(principalOf(row, environment))

export const contractList: Handler<OwnerRequest> = async (ctx, request) => {
  const { page, account } = request
  const { timeZone } = account.row
  const environment = shownEnvironment(ctx, request)
  const filter = readFilter(ctx.query)
  const { older, newer } = ctx.query
  const cursor = typeof older === 'string' ? { page: { older } } : typeof newer === 'string' ? { page: { newer } } : {}
  const wanted = queryOf(filter, timeZone)
  const { list } = servicesFor(request, environment).contract
  const found = await list.query({ ...wanted, ...cursor }).catch((error: unknown) => {
    // An invalid cursor, for example a typed one, shows the newest contracts.
    if (refusalOf(error)?.code !== 'invalid_request') throw error
    return undefined
  })
  const shown = found ?? (await list.query(wanted))
  sendPage(ctx, 200, <ContractListPage {...{ page, environment, filter, ...shown, timeZone, isAstray: !found }} />)
}

/** The filtered list as CSV. It counts as an export of the account, because it has the names of parties. [D71, P33, P34] */
export const exportContracts: Handler<OwnerRequest> = async (ctx, request) => {
  const { deps, account, now } = request
  const environment = shownEnvironment(ctx, request)
  const filter = queryOf(readFilter(ctx.query), account.row.timeZone)
  const tryAgainAt = await deps.accounts.recordExport(account.row, ownerOf(request), 'contracts.exported')
  if (tryAgainAt) return sendExportWait(ctx, request, tryAgainAt)
  const { list } = servicesFor(request, environment).contract
  ctx.type = 'text/csv; charset=utf-8'
  const name = `contracts-${environment}-${now.toISOString().slice(0, 10)}.csv`
  ctx.set('Content-Disposition', `attachment; filename="${name}"`)
  ctx.body = Readable.from(csvOf((input) => list.query(input), filter))
}

/** Calls `handle` with the contract that the path names. */
const withContract =
  (handle: (ctx: Context, request: ContractRequest) => Promise<void>): Handler<OwnerRequest> =>
  async (ctx, request) => {
    const { environment, contract: id = '' } = request.parameters
    if (environment !== 'production' && environment !== 'sandbox') throw new PageNotFound()
    const services = servicesFor(request, environment)
    const contract = await services.contract.detail.query({ id }).catch(asPageNotFound)
    return handle(ctx, { ...request, environment, contract, services })
  }

export const contractPage = withContract((ctx, request) => show(ctx, request))

/** The index of the party that the form names; -1 without such a party. */
const partyOf = ({ contract, fields }: ContractRequest): number =>
  contract.parties.findIndex((_, index) => String(index) === fields.get('party'))

export const sendAgain = withContract(async (ctx, request) => {
  const { page, contract, services, account } = request
  const text = contractMessages(page.locale)
  const partyIndex = partyOf(request)
  if (partyIndex === -1) return sendPage(ctx, 400, <OutcomePage page={page} kind="form" />)
  const result = await services.mails.invitation.resend.mutate({ contractId: contract.id, partyIndex })
  if (result.outcome === 'too_soon') {
    const at = nextMinute(new Date(result.tryAgainAt))
    const time = formatTime(at, page.locale, { timeZone: account.row.timeZone })
    return show(ctx, request, { kind: 'warning', text: text.againTooSoon(time) })
  }
  if (result.outcome === 'queued') await recordAct(request, 'invitation.sent_again')
  const notices: Record<typeof result.outcome, ContractNotice> = {
    queued: { kind: 'information', text: account.row.status === 'suspended' ? text.sentAgainHeld : text.sentAgain },
    still_waiting: { kind: 'information', text: text.againWaiting },
    party_has_signed: { kind: 'warning', text: text.againSigned },
    contract_final: { kind: 'warning', text: text.againFinal },
  }
  return show(ctx, request, notices[result.outcome])
})

/** Calls `handle` with the party that the path names, if its address can be corrected; otherwise shows the contract. */
const withParty = (handle: (ctx: Context, request: ContractRequest, party: number) => Promise<void>) =>
  withContract((ctx, request) => {
    const { contract, environment } = request
    const party = contract.parties.findIndex((_, index) => String(index) === request.parameters['party'])
    if (mayReaddress(contract, party)) return handle(ctx, request, party)
    return Promise.resolve(seeOther(ctx, to.contract(environment, contract.id)))
  })

export const addressPage = withParty(async (ctx, request, party) =>
  sendPage(ctx, 200, <AddressPage {...{ ...request, party }} />),
)

export const correctAddress = withParty(async (ctx, request, party) => {
  const { page, fields, contract, services } = request
  const text = contractMessages(page.locale)
  const email = (fields.get('email') ?? '').trim()
  const refuse = (message: string): void =>
    sendPage(ctx, 422, <AddressPage {...{ ...request, party, typed: email, errors: [{ field: 'email', message }] }} />)
  if (!isMailAddress(email)) return refuse(text.addressWrong)
  // The number in the form is that of the address that the owner saw: a second click corrects nothing.
  const addressNumber = wholeNumberOf(fields.get('addressNumber')) ?? 0
  const wanted = { id: contract.id, partyIndex: party, addressNumber, email }
  const { outcome } = await services.contract.readdress.mutate(wanted)
  if (outcome === 'unchanged') return refuse(text.addressSame)
  if (outcome === 'readdressed') await recordAct(request, 'party.readdressed')
  const isDone = outcome === 'readdressed'
  const notice = {
    kind: isDone ? 'information' : 'warning',
    text: isDone ? text.corrected : text.notCorrected,
  } as const
  return show(ctx, await reload(request), notice)
})

export const signAs = withContract(async (ctx, request) => {
  const { page, contract, services } = request
  const partyIndex = partyOf(request)
  if (partyIndex === -1) return sendPage(ctx, 400, <OutcomePage page={page} kind="form" />)
  await services.simulator.signAs.mutate({ contractId: contract.id, partyIndex }).catch(asPageNotFound)
  await recordAct(request, 'contract.signed_as')
  return show(ctx, request, { kind: 'information', text: contractMessages(page.locale).signsNow })
})

export const expireNow = withContract(async (ctx, request) => {
  const { contract, services, environment } = request
  const { hasExpired } = await services.contract.expireNow.mutate({ id: contract.id }).catch(asPageNotFound)
  if (hasExpired) await recordAct(request, 'contract.expired')
  seeOther(ctx, to.contract(environment, contract.id))
})

export const cancelPage = withContract(async (ctx, request) => {
  if (!isOpenContract(request.contract)) return seeOther(ctx, to.contract(request.environment, request.contract.id))
  sendPage(ctx, 200, <CancelPage {...request} />)
})

export const cancelContract = withContract(async (ctx, request) => {
  const { page, fields, contract, services, account } = request
  const text = contractMessages(page.locale)
  const reason = (fields.get('reason') ?? '').replaceAll('\r\n', '\n').trim()
  const typed = { number: (fields.get('number') ?? '').trim(), reason }
  const errors: FieldError[] = []
  if (countCodePoints(reason) > REASON_LENGTH_MAX) errors.push({ field: 'reason', message: text.reasonLong })
  if (!isNumber(typed.number, contract)) errors.push({ field: 'number', message: text.numberWrong })
  if (errors.length > 0) return sendPage(ctx, 422, <CancelPage {...request} {...{ typed, errors }} />)
  const { outcome, at } = await services.contract.cancel.mutate({ id: contract.id, reason })
  const when = formatInstant(new Date(at), page.locale, { timeZone: account.row.timeZone })
  if (outcome === 'cancelled') await recordAct(request, 'contract.cancelled')
  // A signature or the expiry may have come first, so the notice shows the actual outcome.
  const notices: Record<typeof outcome, ContractNotice> = {
    cancelled: { kind: 'information', text: text.cancelled },
    already_cancelled: { kind: 'information', text: text.alreadyCancelled },
    signed: { kind: 'warning', text: text.lostToSigner(when) },
    expired: { kind: 'warning', text: text.lostToTime(when) },
  }
  await show(ctx, await reload(request), notices[outcome])
})

export const erasePage = withContract(async (ctx, request) => {
  const { contract, environment, account } = request
  if (!mayErase(contract, account.row.status === 'suspended'))
    return seeOther(ctx, to.contract(environment, contract.id))
  sendPage(ctx, 200, <ErasePage {...request} />)
})

export const eraseContract = withContract(async (ctx, request) => {
  const { page, fields, contract, services, account, session } = request
  const text = contractMessages(page.locale)
  if (account.row.status === 'suspended') return show(ctx, request, { kind: 'warning', text: text.notErasedOnHold })
  const typed = { number: (fields.get('number') ?? '').trim(), reason: '' }
  if (!isNumber(typed.number, contract)) {
    const errors = [{ field: 'number', message: text.numberWrong }]
    return sendPage(ctx, 422, <ErasePage {...request} {...{ typed, errors }} />)
  }
  const { id, contractNumber } = contract
  const result = await services.contract.requestErasure.mutate({ id, by: session.mailbox })
  if (result.outcome === 'not_final') return show(ctx, request, { kind: 'warning', text: text.notFinal })
  if (result.outcome === 'requested')
    await request.deps.accounts.recordErasureRequest(
      account.row,
      { id, contractNumber, at: result.at },
      ownerOf(request),
    )
  // The page shows the state: when the contract is erased, that it is held, or that it is erased.
  await show(ctx, await reload(request))
})

/** Takes back a request to erase, also while the account is suspended. */
export const keepContract = withContract(async (ctx, request) => {
  const { page, contract, services } = request
  const { outcome } = await services.contract.keep.mutate({ id: contract.id })
  if (outcome === 'kept') await recordAct(request, 'contract.kept')
  const text = contractMessages(page.locale).kept
  await show(ctx, await reload(request), outcome === 'erased' ? undefined : { kind: 'information', text })
})

/** Sends a file of the contract and records the download; sends the 404 page if there is no file. */
const download = (read: (request: ContractRequest) => Promise<{ name: string; body: string | Buffer } | undefined>) =>
  withContract(async (ctx, request) => {
    const file = await read(request)
    if (!file) throw new PageNotFound()
    await request.deps.accounts.recordDownload(request.account.row.id, ownerOf(request), request.contract.id)
    ctx.type = typeof file.body === 'string' ? 'text/plain; charset=utf-8' : 'application/pdf'
    ctx.set('Content-Disposition', `attachment; filename="${request.contract.contractNumber}${file.name}"`)
    ctx.body = file.body
  })

export const evidenceFile = download(async ({ contract, services }) => {
  const file = await services.evidence.export.query({ contractId: contract.id })
  return file ? { name: `-${file.fileName}`, body: file.text } : undefined
})

export const disclosuresFile = download(async ({ contract, services }) => {
  const { text } = await services.evidence.openings.query({ contractId: contract.id })
  return text === null ? undefined : { name: '-openings.txt', body: text }
})

export const copyFile = download(async ({ contract, services }) => {
  const { pdf } = await services.evidence.copy.query({ contractId: contract.id })
  return pdf === null ? undefined : { name: '.pdf', body: Buffer.from(pdf, 'base64') }
})

const recordAct = (request: ContractRequest, act: Act): Promise<void> =>
  request.deps.accounts.recordAct(request.account.row.id, act, ownerOf(request), request.contract.id)

/** The request with the current state of its contract. */
const reload = async (request: ContractRequest): Promise<ContractRequest> => ({
  ...request,
  contract: await request.services.contract.detail.query({ id: request.contract.id }),
})

async function show(ctx: Context, request: ContractRequest, notice?: ContractNotice): Promise<void> {
  const { page, environment, contract, services, account } = request
  const contractId = contract.id
  // Without text, mails or history the page still shows the contract, and states which part is missing.
  const [content, mails, history] = await Promise.all([
    services.contract.text.query({ id: contractId }).then(
      (found) => found.content,
      () => undefined,
    ),
    services.mails.deliveries.ofContract.query({ contractId }).catch(() => undefined),
    services.evidence.story.query({ contractId }).catch(() => undefined),
  ])
  const isSuspended = account.row.status === 'suspended'
  const props = { page, environment, contract, content, mails, history, notice, isSuspended }
  sendPage(ctx, 200, <ContractPage {...props} timeZone={account.row.timeZone} />)
}

/** Ignores upper and lower case, because people type the number by hand. */
const isNumber = (typed: string, { contractNumber }: ContractDetail): boolean => typed.toUpperCase() === contractNumber
