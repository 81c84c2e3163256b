// Handlers of the passkeys and recovery codes of a signed-in person, and of a lost device of a person of the account. [D73]
import type { Context } from 'koa'
import type { FieldError } from '@paraph/web/fields'
import { mailboxOf } from '@paraph/protocol/text-rules'
import { seeOther, sendPage } from '@paraph/web/page-answer'
import { ownerOf, PageNotFound, type Handler, type OwnerRequest, type SignedInRequest } from '../console-context.js'
import { to } from '../frame/links.js'
import { secondFactorMessages } from '../second-factor/messages.js'
import { ANSWER } from '../second-factor/passkey-form.js'
import { NewPasskeyPage, NewRecoveryCodesPage } from '../second-factor/passkey-pages.js'
import { accountWith, showAccount } from './account.js'
import { isPasskeyName, passkeyNameOf, sendRecoveryCodes } from './second-factor.js'
import { showSessions } from './sign-in.js'

/** A handler of the passkeys and recovery codes of the session's person. */
const ofPerson =
  (handler: Handler<SignedInRequest>): Handler<SignedInRequest> =>
  async (ctx, request) => {
    if (!request.deps.passkeys.mayChange(request.session)) throw new PageNotFound()
    return handler(ctx, request)
  }

export const newPasskeyPage = ofPerson(async (ctx, request) => showNew(ctx, request))

/** The first passkey of an owner makes the other sessions of the mailbox prove it too. */
export const addPasskey = ofPerson(async (ctx, request) => {
  const { deps, session, fields, page } = request
  const text = secondFactorMessages(page.locale)
  const name = passkeyNameOf(ctx, request)
  if (!isPasskeyName(name)) return showNew(ctx, request, [{ field: 'name', message: text.nameWrong }])
  const added = await deps.passkeys.add(session, { answer: fields.get(ANSWER) ?? '', name, isFirst: false })
  if (typeof added === 'string') return showNew(ctx, request, [{ field: 'passkey', message: text[added] }])
  if (added.codes) return sendRecoveryCodes(ctx, request, added.codes, to.sessions)
  seeOther(ctx, `${to.sessions}?done=passkeyAdded`)
})

export const removePasskey = ofPerson(async (ctx, request) => {
  const { deps, session, fields, page } = request
  const outcome = await deps.passkeys.remove(session.mailbox, fields.get('passkey') ?? '')
  if (outcome === 'removed') return seeOther(ctx, `${to.sessions}?done=passkeyRemoved`)
  await showSessions(ctx, request, {
    errors: [{ field: 'passkeys', message: secondFactorMessages(page.locale).lastOne }],
  })
})

export const recoveryCodesPage = ofPerson(async (ctx, { page }) =>
  sendPage(ctx, 200, <NewRecoveryCodesPage page={page} />),
)

export const replaceRecoveryCodes = ofPerson(async (ctx, request) => {
  const codes = await request.deps.passkeys.replaceCodes(request.session.mailbox)
  if (codes === undefined) return seeOther(ctx, to.sessions)
  sendRecoveryCodes(ctx, request, codes, to.sessions)
})

export const resetPasskeys: Handler<OwnerRequest> = async (ctx, request) => {
  const { deps, fields, page, account } = request
  const mailbox = mailboxOf(fields.get('lost') ?? '')
  const people = await deps.owners.list(account.row.id)
  const isHere = people.some((person) => person.mailbox === mailbox && person.confirmedAt !== null)
  const outcome = isHere ? await deps.passkeys.reset(mailbox, ownerOf(request)) : 'not_yours'
  if (outcome !== 'not_yours') return seeOther(ctx, accountWith('resetDone'))
  await showAccount(ctx, request, { errors: [{ field: 'lost', message: secondFactorMessages(page.locale).notYours }] })
}

async function showNew(ctx: Context, request: SignedInRequest, errors: FieldError[] = []): Promise<void> {
  const { deps, page, session } = request
  const asked = await deps.passkeys.challenge(session, 'create')
  const props = { page: { ...page, path: to.newPasskey }, asked, errors, name: passkeyNameOf(ctx, request) }
  sendPage(ctx, errors.length > 0 ? 422 : 200, <NewPasskeyPage {...props} />)
}
