// Contracts of the account that the session shows: found, sent again, cancelled, erased, downloaded. [D10, D19, D24, D30, D43]
// Account and environment travel in the caller token: another's contract is one that does not exist, wherever its id came from.
import type { Context } from 'koa'
import { CONTRACT_STATUSES, CONTRACT_TYPES } from '@paraph/protocol/contract'
import { nextMinute } from '@paraph/codes/code-state'
import type { Environment } from '@paraph/protocol/caller'
import { countCodePoints } from '@paraph/protocol/text-rules'
import { refusalOf } from '@paraph/service/rpc-link'
import { formatInstant, formatTime } from '@paraph/web/dates'
import type { FieldError } from '@paraph/web/fields'
import { ownerOf, principalOf, type Console, type OtherServices, type OwnerRequest, type Step } from '../console.js'
import type { ContractDetail } from '../pages/contract-facts.js'
import { CancelPage, ErasePage } from '../pages/contract-end-pages.js'
import { ContractListPage } from '../pages/contract-list-page.js'
import { ContractPage, type ContractNotice } from '../pages/contract-page.js'
import { contractWords } from '../pages/contract-words.js'
import { OutcomePage } from '../pages/sign-in-pages.js'
import { seeOther, sendPage } from '@paraph/web/page-answer'
import { to } from '../pages/links.js'
import { environmentOf } from './usage-steps.js'

const REASON_LENGTH_MAX = 500

/** A request for one contract, which is there. */
interface ContractRequest extends OwnerRequest {
  environment: Environment
  contract: ContractDetail
  ask: OtherServices
}

export function createContractSteps({ accounts, others }: Console) {
  const askFor = ({ account: { row } }: OwnerRequest, environment: Environment): OtherServices =>
    others(principalOf(row, environment))

  const contractList: Step<OwnerRequest> = async (ctx, request) => {
    const { page, account } = request
    const environment = environmentOf(ctx.query['environment'])
    const asked = (name: string): string => {
      const value = ctx.query[name]
      return typeof value === 'string' ? value.slice(0, 100) : ''
    }
    const status = CONTRACT_STATUSES.find((each) => each === asked('status'))
    const contractType = CONTRACT_TYPES.find((each) => each === asked('contractType'))
    const filter = { number: asked('number').trim(), status: status ?? '', contractType: contractType ?? '' }
    const [older, newer] = [asked('older'), asked('newer')]
    const place = older !== '' ? { page: { older } } : newer !== '' ? { page: { newer } } : {}
    const wanted = { ...(status && { status }), ...(contractType && { contractType }), ...numberOf(filter.number) }
    const list = askFor(request, environment).contract.list
    // A place that somebody typed is none: the newest are shown.
    const found = await list.query({ ...wanted, ...place }).catch((error: unknown) => {
      if (refusalOf(error)?.code !== 'invalid_request') throw error
      return undefined
    })
    const shown = found ?? (await list.query({}))
    const props = { page, environment, filter, ...shown, timeZone: account.row.timeZone, isAstray: !found }
    sendPage(ctx, 200, <ContractListPage {...props} />)
  }

  /** Runs `act` on the contract that the path names; a page that says there is none otherwise. */
  const withContract =
    (act: (ctx: Context, request: ContractRequest) => Promise<void>): Step<OwnerRequest> =>
    async (ctx, request) => {
      const { environment: named, contract: id = '' } = request.parameters
      const environment = named === 'production' || named === 'sandbox' ? named : undefined
      const ask = environment && askFor(request, environment)
      const contract = await ask?.contract.detail.query({ id }).catch((error: unknown) => {
        if (refusalOf(error)?.code !== 'not_found') throw error
        return undefined
      })
      if (!environment || !ask || !contract)
        return sendPage(ctx, 404, <OutcomePage page={request.page} kind="notFound" />)
      return act(ctx, { ...request, environment, contract, ask })
    }

  const contractPage = withContract((ctx, request) => show(ctx, request))

  const sendAgain = withContract(async (ctx, request) => {
    const { page, fields, contract, ask, account } = request
    const say = contractWords(page.locale)
    const partyIndex = contract.parties.findIndex((_, index) => String(index) === fields.get('party'))
    if (partyIndex === -1) return sendPage(ctx, 400, <OutcomePage page={page} kind="form" />)
    const result = await ask.mails.invitation.resend.mutate({ contractId: contract.id, partyIndex })
    switch (result.outcome) {
      case 'queued':
        await accounts.note(account.row.id, 'invitation.sent_again', ownerOf(request), contract.id)
        return show(ctx, request, {
          kind: 'information',
          text: account.row.status === 'suspended' ? say.sentAgainHeld : say.sentAgain,
        })
      case 'still_waiting':
        return show(ctx, request, { kind: 'information', text: say.againWaiting })
      case 'too_soon':
        return show(ctx, request, {
          kind: 'warning',
          text: say.againTooSoon(
            formatTime(nextMinute(new Date(result.tryAgainAt)), page.locale, { timeZone: account.row.timeZone }),
          ),
        })
      case 'party_has_signed':
        return show(ctx, request, { kind: 'warning', text: say.againSigned })
      case 'contract_final':
        return show(ctx, request, { kind: 'warning', text: say.againFinal })
    }
  })

  const cancelPage = withContract(async (ctx, request) => {
    if (!isOpen(request.contract)) return seeOther(ctx, to.contract(request.environment, request.contract.id))
    sendPage(ctx, 200, <CancelPage {...request} />)
  })

  const cancelContract = withContract(async (ctx, request) => {
    const { page, fields, contract, ask, account } = request
    const say = contractWords(page.locale)
    const reason = (fields.get('reason') ?? '').replaceAll('\r\n', '\n').trim()
    const typed = { number: (fields.get('number') ?? '').trim(), reason }
    const errors: FieldError[] = []
    if (countCodePoints(reason) > REASON_LENGTH_MAX) errors.push({ field: 'reason', message: say.reasonLong })
    if (!isNumber(typed.number, contract)) errors.push({ field: 'number', message: say.numberWrong })
    if (errors.length > 0) return sendPage(ctx, 422, <CancelPage {...request} {...{ typed, errors }} />)
    const { outcome, at } = await ask.contract.cancel.mutate({ id: contract.id, reason })
    const when = formatInstant(new Date(at), page.locale, { timeZone: account.row.timeZone })
    if (outcome === 'cancelled')
      await accounts.note(account.row.id, 'contract.cancelled', ownerOf(request), contract.id)
    // What stands, whoever was first.
    const notices: Record<typeof outcome, ContractNotice> = {
      cancelled: { kind: 'information', text: say.cancelled },
      already_cancelled: { kind: 'information', text: say.alreadyCancelled },
      signed: { kind: 'warning', text: say.lostToSigner(when) },
      expired: { kind: 'warning', text: say.lostToTime(when) },
    }
    await show(ctx, await again(request), notices[outcome])
  })

  const erasePage = withContract(async (ctx, request) => {
    const { contract, environment } = request
    if (isOpen(contract) || contract.erasedAt !== null) return seeOther(ctx, to.contract(environment, contract.id))
    sendPage(ctx, 200, <ErasePage {...request} />)
  })

  const eraseContract = withContract(async (ctx, request) => {
    const { page, fields, contract, ask, account } = request
    const say = contractWords(page.locale)
    const typed = { number: (fields.get('number') ?? '').trim(), reason: '' }
    if (!isNumber(typed.number, contract)) {
      const errors = [{ field: 'number', message: say.numberWrong }]
      return sendPage(ctx, 422, <ErasePage {...request} {...{ typed, errors }} />)
    }
    const { outcome } = await ask.contract.erase.mutate({ id: contract.id })
    if (outcome === 'not_final') return show(ctx, request, { kind: 'warning', text: say.notFinal })
    if (outcome === 'erased') await accounts.note(account.row.id, 'contract.erased', ownerOf(request), contract.id)
    await show(ctx, await again(request), { kind: 'information', text: say.erasedNow })
  })

  const evidenceFile = withContract(async (ctx, request) => {
    const { contract, ask } = request
    const file = await ask.evidence.export.query({ contractId: contract.id })
    if (!file) return sendPage(ctx, 404, <OutcomePage page={request.page} kind="notFound" />)
    await download(ctx, request, `${contract.contractNumber}-${file.fileName}`, 'text/plain; charset=utf-8', file.text)
  })

  const openingsFile = withContract(async (ctx, request) => {
    const { contract, ask } = request
    const { text } = await ask.evidence.openings.query({ contractId: contract.id })
    if (text === null) return sendPage(ctx, 404, <OutcomePage page={request.page} kind="notFound" />)
    await download(ctx, request, `${contract.contractNumber}-openings.txt`, 'text/plain; charset=utf-8', text)
  })

  const copyFile = withContract(async (ctx, request) => {
    const { contract, ask } = request
    const { pdf } = await ask.evidence.copy.query({ contractId: contract.id })
    if (pdf === null) return sendPage(ctx, 404, <OutcomePage page={request.page} kind="notFound" />)
    await download(ctx, request, `${contract.contractNumber}.pdf`, 'application/pdf', Buffer.from(pdf, 'base64'))
  })

  /** Who fetched what opens the evidence, or the signed copy, is on record. */
  async function download(
    ctx: Context,
    request: ContractRequest,
    fileName: string,
    type: string,
    body: string | Buffer,
  ): Promise<void> {
    await accounts.note(request.account.row.id, 'evidence.downloaded', ownerOf(request), request.contract.id)
    ctx.type = type
    ctx.set('Content-Disposition', `attachment; filename="${fileName}"`)
    ctx.body = body
  }

  /** The contract as it stands now. */
  const again = async (request: ContractRequest): Promise<ContractRequest> => ({
    ...request,
    contract: await request.ask.contract.detail.query({ id: request.contract.id }),
  })

  async function show(ctx: Context, request: ContractRequest, notice?: ContractNotice): Promise<void> {
    const { page, environment, contract, ask, account } = request
    const contractId = contract.id
    // The page says what it cannot say; a contract is worth showing without its mails.
    const [mails, story] = await Promise.all([
      ask.mails.deliveries.ofContract.query({ contractId }).catch(() => undefined),
      ask.evidence.story.query({ contractId }).catch(() => undefined),
    ])
    const props = { page, environment, contract, mails, story, notice, timeZone: account.row.timeZone }
    sendPage(ctx, 200, <ContractPage {...props} />)
  }

  return {
    ...{ contractList, contractPage, sendAgain, cancelPage, cancelContract, erasePage, eraseContract },
    ...{ evidenceFile, openingsFile, copyFile },
  }
}

const numberOf = (number: string) => (number === '' ? {} : { number })

const isOpen = ({ status }: ContractDetail): boolean => status === 'pending_signature' || status === 'partially_signed'

/** Typed by hand: letters in any case. */
const isNumber = (typed: string, { contractNumber }: ContractDetail): boolean => typed.toUpperCase() === contractNumber
