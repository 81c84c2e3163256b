// Handlers of an account's brand: an owner asks for one or removes it, an operator decides. [D36, D59]
import type { Context } from 'koa'
import { nearestThatHolds, readColour } from '@paraph/web/accent'
import type { FieldError } from '@paraph/web/fields'
import { wholeNumberOf } from '@paraph/web/form-body'
import { seeOther, sendPage } from '@paraph/web/page-answer'
import { reasonError, trimReason } from '../../accounts/application.js'
import type { AccountRow } from '../../accounts/account-store.js'
import type { BrandState, WantedBrand } from '../../brand/brand-store.js'
import { logoMessages } from '../../brand/messages.js'
import { BrandPage, type BrandPageProps } from '../brand/brand-page.js'
import { brandMessages } from '../brand/messages.js'
import { isRefused, operatorOf, ownerOf, PageNotFound } from '../console-context.js'
import type { ConsoleRequest, Handler, OwnerRequest, SignedInRequest } from '../console-context.js'
import { to } from '../frame/links.js'
import { OperatorBrandPage, type OperatorBrandProps } from '../operator/brand-page.js'
import { operatorMessages } from '../operator/messages.js'
import { withAccount } from './operator.js'

export const brandPage: Handler<OwnerRequest> = (ctx, request) => show(ctx, request, {})

export const askForBrand: Handler<OwnerRequest> = async (ctx, request) => {
  const { deps, page, fields, file, account } = request
  // Before the picture is read: anybody may apply for an account. The page says that it is too early.
  if (account.row.approvedAt === null) return seeOther(ctx, to.brand)
  const text = brandMessages(page.locale)
  const typed = (fields.get('accent') ?? '').trim()
  const errors: FieldError[] = []
  const accent = typed === '' ? null : (readColour(typed) ?? '')
  if (accent === '') errors.push({ field: 'accent', message: text.accentWrong })
  else if (accent !== null && nearestThatHolds(accent, 'light') !== accent)
    errors.push({ field: 'accent', message: text.accentPale(nearestThatHolds(accent, 'light')) })
  const logo = await logoOf(request, file)
  if (typeof logo === 'object' && logo !== null && 'wrong' in logo) {
    errors.push({ field: 'logo', message: logoMessages(page.locale)[logo.wrong] })
    return show(ctx, request, { errors, typed })
  }
  if (accent === null && logo === null) errors.push({ field: 'accent', message: text.nothing })
  if (errors.length > 0) return show(ctx, request, { errors, typed })
  await deps.brands.ask(account.row.id, { accent, logo }, ownerOf(request))
  seeOther(ctx, to.brand)
}

/** The chosen picture; `keep` if none was chosen and the page showed one. */
async function logoOf(
  { deps, fields, account }: OwnerRequest,
  file: Buffer,
): Promise<WantedBrand['logo'] | Extract<Awaited<ReturnType<typeof deps.logos.read>>, { wrong: unknown }>> {
  if (file.length > 0) return deps.logos.read(file)
  if (fields.get('noLogo') === 'yes') return null
  const { asked, approved } = await deps.brands.read(account.row.id)
  return (asked ?? approved)?.logo ? 'keep' : null
}

export const removeBrand: Handler<OwnerRequest> = async (ctx, request) => {
  await request.deps.brands.remove(request.account.row.id, ownerOf(request))
  seeOther(ctx, to.brand)
}

export const brandLogo: Handler<OwnerRequest> = (ctx, request) => sendLogo(ctx, request, request.account.row.id)

export const operatorBrand = withAccount((ctx, request, account) => showToOperator(ctx, request, account, {}))

export const operatorBrandLogo = withAccount((ctx, request, { id }) => sendLogo(ctx, request, id))

export const decideBrand = withAccount(async (ctx, request, account) => {
  const { deps, page, fields } = request
  const decision = fields.get('decision') ?? ''
  const field = decision === 'withdraw' ? 'withdrawReason' : 'reason'
  const reason = trimReason(fields.get(field) ?? '')
  const error = decision === 'approve' ? undefined : reasonError(reason)
  if (error) {
    const text = operatorMessages(page.locale)
    const message = { missing: text.reasonMissing, too_long: text.reasonLong, wrong: text.reasonWrong }[error]
    const more = { errors: [{ field, message }], typed: { decision, reason } }
    return showToOperator(ctx, request, account, more)
  }
  const actor = operatorOf(request)
  const id = wholeNumberOf(fields.get('brand'))
  try {
    if (decision === 'approve') await deps.brands.approve(account.id, id, actor)
    else if (decision === 'withdraw') await deps.brands.withdraw(account.id, reason, actor)
    else await deps.brands.refuse(account.id, { id, reason }, actor)
  } catch (error) {
    if (!isRefused(error)) throw error
    return showToOperator(ctx, request, account, { isDecided: true })
  }
  seeOther(ctx, to.operator.brand(account.id))
})

async function show(
  ctx: Context,
  request: OwnerRequest,
  more: Pick<BrandPageProps, 'errors' | 'typed'>,
): Promise<void> {
  const { deps, page, account } = request
  const brands = await deps.brands.read(account.row.id)
  sendPage(ctx, more.errors ? 422 : 200, <BrandPage {...{ page, account: account.row, brands, ...more }} />)
}

async function showToOperator(
  ctx: Context,
  { deps, page }: SignedInRequest,
  account: AccountRow,
  more: Pick<OperatorBrandProps, 'errors' | 'typed' | 'isDecided'>,
): Promise<void> {
  const brands = await deps.brands.read(account.id)
  const status = more.errors ? 422 : more.isDecided ? 409 : 200
  sendPage(ctx, status, <OperatorBrandPage {...{ page, account, brands, ...more }} />)
}

async function sendLogo(ctx: Context, { deps, parameters }: ConsoleRequest, accountId: string): Promise<void> {
  const state = (['asked', 'approved'] as const satisfies BrandState[]).find((each) => each === parameters['state'])
  const logo = state && (await deps.brands.readLogo(accountId, state))
  if (!logo) throw new PageNotFound()
  ctx.type = `image/${logo.type}`
  ctx.body = logo.bytes
}
