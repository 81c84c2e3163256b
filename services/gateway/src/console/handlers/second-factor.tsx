// Handlers between the one-time code and the console: a passkey, a recovery code, or an operator's first passkey. [D73]
import type { Context } from 'koa'
import type { FieldError } from '@paraph/web/fields'
import { seeOther, sendPage } from '@paraph/web/page-answer'
import { nameError } from '@paraph/protocol/text-rules'
import type { ConsoleRequest, Handler, PendingRequest } from '../console-context.js'
import { pageAfterSignIn, to, withNext } from '../frame/links.js'
import { browserNameOf } from '../people/browser-name.js'
import { secondFactorMessages } from '../second-factor/messages.js'
import { ANSWER } from '../second-factor/passkey-form.js'
import { RecoveryCodesPage, SecondFactorPage } from '../second-factor/second-factor-pages.js'

const NAME_LENGTH_MAX = 50

/** The page that the visitor wanted, from the query of a page or a field of a form. */
export const nextOf = (ctx: Context, { fields }: ConsoleRequest): string =>
  pageAfterSignIn(fields.get('next') ?? ctx.query['next'])

/** The typed name of a passkey, or the browser's. */
export function passkeyNameOf(ctx: Context, { fields, page }: ConsoleRequest): string {
  const browser = [...browserNameOf(ctx.get('user-agent'), page.locale)].slice(0, NAME_LENGTH_MAX).join('')
  return fields.get('name')?.trim() ?? browser
}

export const isPasskeyName = (name: string): boolean => name !== '' && nameError(name, NAME_LENGTH_MAX) === undefined

/** The codes, which no other page shows. */
export const sendRecoveryCodes = (ctx: Context, request: ConsoleRequest, codes: readonly string[], next: string) =>
  sendPage(ctx, 201, <RecoveryCodesPage {...{ page: request.page, codes, next }} />)

export const secondFactorPage: Handler<PendingRequest> = async (ctx, request) => show(ctx, request)

export const usePasskey: Handler<PendingRequest> = async (ctx, request) => {
  const { deps, pending, fields, page } = request
  if (await deps.passkeys.prove(pending, fields.get(ANSWER) ?? '')) return seeOther(ctx, nextOf(ctx, request))
  await show(ctx, request, [{ field: 'passkey', message: secondFactorMessages(page.locale).refused }])
}

export const useRecoveryCode: Handler<PendingRequest> = async (ctx, request) => {
  const { deps, pending, fields, page } = request
  const outcome = await deps.passkeys.proveByCode(pending, fields.get('code') ?? '')
  // The device may be lost, so the page with the passkeys comes first.
  if (outcome === 'proven') return seeOther(ctx, `${to.sessions}?done=recovered`)
  const { codeLocked, codeWrong } = secondFactorMessages(page.locale)
  await show(ctx, request, [{ field: 'code', message: outcome === 'locked' ? codeLocked : codeWrong }])
}

/** The first passkey of an operator, for which the code alone is the proof. */
export const makeFirstPasskey: Handler<PendingRequest> = async (ctx, request) => {
  const { deps, pending, fields, page } = request
  const text = secondFactorMessages(page.locale)
  const name = passkeyNameOf(ctx, request)
  if (!isPasskeyName(name)) return show(ctx, request, [{ field: 'name', message: text.nameWrong }])
  const added = await deps.passkeys.add(pending, { answer: fields.get(ANSWER) ?? '', name, isFirst: true })
  if (typeof added === 'string') return show(ctx, request, [{ field: 'passkey', message: text.refused }])
  sendRecoveryCodes(ctx, request, added.codes ?? [], nextOf(ctx, request))
}

async function show(ctx: Context, request: PendingRequest, errors: FieldError[] = []): Promise<void> {
  const { deps, page, pending } = request
  const next = nextOf(ctx, request)
  const { passkeys } = await deps.passkeys.read(pending.mailbox)
  const asked = await deps.passkeys.challenge(pending, passkeys.length === 0 ? 'create' : 'get')
  const props = { next, asked, errors, mailbox: pending.mailbox, name: passkeyNameOf(ctx, request) }
  const path = withNext(to.secondFactor, next)
  sendPage(ctx, errors.length > 0 ? 422 : 200, <SecondFactorPage {...props} page={{ ...page, path }} />)
}
