// Handlers of the account page: settings, reply address, owners, audit log, export. [D4, D16, D25, D34, D36]
import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { addressFormError, type AddressError } from '@paraph/codes/address-form'
import { BUSY_RETRY_SECONDS, keepsInput, nextMinute, stateOfChallenge, stateOfOutcome } from '@paraph/codes/code-state'
import { codeMessages } from '@paraph/codes/code-words'
import { ACCOUNT_ROLES, type AccountRole } from '@paraph/protocol/account-role'
import { MAIL_LANGUAGES } from '@paraph/protocol/principal'
import { displayNameError, mailboxOf } from '@paraph/protocol/text-rules'
import type { FieldError } from '@paraph/web/fields'
import { wholeNumberOf, type FormFields } from '@paraph/web/form-body'
import type { Locale } from '@paraph/web/locale'
import { isTimeZone } from '@paraph/web/dates'
import { seeOther, sendPage, setRetryAfter } from '@paraph/web/page-answer'
import { listActs, type AuditPage } from '../../accounts/audit.js'
import { exportOf } from '../account-export.js'
import type { CodePurpose } from '../codes.js'
import {
  isRefused,
  ownerOf,
  rememberBrowser,
  visitorOf,
  type Console,
  type Handler,
  type OwnerRequest,
} from '../console-context.js'
import { to } from '../frame/links.js'
import { MAIL_CHOICES, ON_DECLINE, REMINDERS, type AccountNotice } from '../people/account-form.js'
import { AccountPage } from '../people/account-page.js'
import { AccountAuditPage, ExportWaitPage } from '../people/account-record-pages.js'
import { accountMessages } from '../people/messages.js'
import { ReplyCodePage, ReplyWaitPage } from '../people/reply-address.js'
import { sendCodePage, type ShownCode } from './sign-in.js'

const NAME_LENGTH_MAX = 100
/** The notices that a redirect after a form may request. */
const NOTICES: readonly AccountNotice[] = ['saved', 'replyConfirmed', 'inviteDone', 'roleChanged', 'resetDone']

/** The account page with a notice about what was done. */
export const accountWith = (notice: AccountNotice): string => `${to.account}?done=${notice}`

export const accountPage: Handler<OwnerRequest> = async (ctx, request) => {
  const error = (['missing', 'format', 'not_approved', 'replyOnHold'] as const).find(
    (each) => each === ctx.query['reply'],
  )
  if (error) return showAccount(ctx, request, { errors: [addressError('reply', error, request.page.locale)] })
  return showAccount(ctx, request, { notice: NOTICES.find((notice) => notice === ctx.query['done']) })
}

export const changeSettings: Handler<OwnerRequest> = async (ctx, request) => {
  const { deps, page, fields, account } = request
  const text = accountMessages(page.locale)
  const typed = {
    senderName: (fields.get('senderName') ?? '').trim(),
    language: fields.get('language') ?? '',
    timeZone: (fields.get('timeZone') ?? '').trim(),
    onDecline: fields.get('onDecline') ?? '',
    reminders: fields.get('reminders') ?? '',
  }
  const language = MAIL_LANGUAGES.find((each) => each === typed.language)
  const errors: FieldError[] = []
  if (typed.senderName === '' || displayNameError(typed.senderName, NAME_LENGTH_MAX))
    errors.push({ field: 'senderName', message: text.nameWrong })
  if (language === undefined) errors.push({ field: 'language', message: text.languageWrong })
  if (!isTimeZone(typed.timeZone)) errors.push({ field: 'timeZone', message: text.timeZoneWrong })
  if (!ON_DECLINE.some((each) => each === typed.onDecline))
    errors.push({ field: 'onDecline', message: text.onDeclineWrong })
  if (!REMINDERS.some((each) => each === typed.reminders))
    errors.push({ field: 'reminders', message: text.remindersWrong })
  if (errors.length > 0 || language === undefined) return showAccount(ctx, request, { errors, typed })
  const { senderName, timeZone } = typed
  const switches = { cancelsOnDecline: typed.onDecline === 'cancel', remindsParties: typed.reminders === 'remind' }
  const settings = { senderName, language, timeZone, ...switches }
  await deps.accounts.changeSettings(account.row.id, settings, ownerOf(request))
  seeOther(ctx, accountWith('saved'))
}

/** What owners hear of their contracts. [D70] */
export const changeMails: Handler<OwnerRequest> = async (ctx, request) => {
  const { deps, page, fields, account } = request
  const typed = Object.fromEntries(Object.keys(MAIL_CHOICES).map((name) => [name, fields.get(name) ?? '']))
  const errors = Object.entries(MAIL_CHOICES).flatMap(([field, choices]): FieldError[] =>
    choices.some((each) => each === typed[field]) ? [] : [{ field, message: accountMessages(page.locale).mailsWrong }],
  )
  const mailsCompleted = MAIL_CHOICES.mailsCompleted.find((each) => each === typed['mailsCompleted'])
  if (errors.length > 0 || mailsCompleted === undefined) return showAccount(ctx, request, { errors, typed })
  const isOn = (name: keyof typeof MAIL_CHOICES): boolean => typed[name] !== 'off'
  const switches = {
    mailsRefused: isOn('mailsRefused'),
    mailsDeclined: isOn('mailsDeclined'),
    mailsExpired: isOn('mailsExpired'),
  }
  await deps.accounts.changeSettings(account.row.id, { mailsCompleted, ...switches }, ownerOf(request))
  seeOther(ctx, accountWith('saved'))
}

export const inviteOwner: Handler<OwnerRequest> = async (ctx, request) => {
  const { deps, page, fields, account } = request
  const text = accountMessages(page.locale)
  const typed = { owner: (fields.get('owner') ?? '').trim(), role: fields.get('role') ?? '' }
  const error = addressFormError(typed.owner, false)
  const role = roleIn(fields)
  const errors = error ? [addressError('owner', error, page.locale)] : []
  if (role === undefined) errors.push({ field: 'role', message: text.roleWrong })
  if (role === undefined || errors.length > 0) return showAccount(ctx, request, { errors, typed })
  const outcome = await deps.owners.invite(account.row.id, { address: typed.owner, role }, ownerOf(request))
  if (outcome === 'invited') return seeOther(ctx, accountWith('inviteDone'))
  return showAccount(ctx, request, { errors: [{ field: 'owner', message: text[outcome] }], typed })
}

const roleIn = (fields: FormFields): AccountRole | undefined =>
  ACCOUNT_ROLES.find((role) => role === fields.get('role'))

export const changeRole: Handler<OwnerRequest> = async (ctx, request) => {
  const { deps, page, fields, account, session } = request
  const role = roleIn(fields)
  const mailbox = mailboxOf(fields.get('owner') ?? '')
  if (role === undefined)
    return showAccount(ctx, request, { errors: [{ field: 'role', message: accountMessages(page.locale).roleWrong }] })
  const change = deps.owners.changeRole(account.row.id, { mailbox, role }, ownerOf(request))
  await changePeople(ctx, request, change, mailbox === session.mailbox ? to.home : accountWith('roleChanged'))
}

export const removeOwner: Handler<OwnerRequest> = async (ctx, request) => {
  const { deps, fields, account, session } = request
  const mailbox = mailboxOf(fields.get('owner') ?? '')
  const change = deps.owners.remove(account.row.id, mailbox, ownerOf(request))
  await changePeople(ctx, request, change, mailbox === session.mailbox ? to.home : to.account)
}

export const leave: Handler<OwnerRequest> = async (ctx, request) => {
  const { deps, account, session } = request
  await changePeople(ctx, request, deps.owners.remove(account.row.id, session.mailbox, ownerOf(request)), to.home)
}

/** Redirects after a change of the people; shows the page again if nobody would be an owner any more. */
async function changePeople(ctx: Context, request: OwnerRequest, change: Promise<void>, next: string): Promise<void> {
  try {
    await change
  } catch (error) {
    if (!isRefused(error)) throw error
    const message = accountMessages(request.page.locale).lastOwner
    return showAccount(ctx, request, { errors: [{ field: 'owner', message }] })
  }
  seeOther(ctx, next)
}

export const accountAudit: Handler<OwnerRequest> = async (ctx, { deps, page, account }) => {
  const log = await readAuditPage(ctx, deps, { accountId: account.row.id })
  sendPage(ctx, 200, <AccountAuditPage {...{ page, ...log, timeZone: account.row.timeZone }} />)
}

/** Reads the page of an audit log that the query parameter `before` selects. */
export async function readAuditPage(ctx: Context, { database }: Console, filter: AuditPage) {
  const before = wholeNumberOf(ctx.query['before'])
  const { entries, hasMore } = await listActs(database, { ...filter, before: before > 0 ? before : undefined })
  return { entries, older: hasMore ? entries.at(-1)?.id : undefined }
}

/** The page for an account that was exported too often. */
export function sendExportWait(ctx: Context, { page, now }: OwnerRequest, tryAgainAt: Date): void {
  setRetryAfter(ctx, tryAgainAt, now)
  sendPage(ctx, 429, <ExportWaitPage page={page} tryAgainAt={nextMinute(tryAgainAt)} />)
}

export const exportAll: Handler<OwnerRequest> = async (ctx, request) => {
  const { deps, account, now } = request
  const tryAgainAt = await deps.accounts.recordExport(account.row, ownerOf(request))
  if (tryAgainAt) return sendExportWait(ctx, request, tryAgainAt)
  ctx.type = 'application/json'
  ctx.set('Content-Disposition', `attachment; filename="${account.row.id}.json"`)
  ctx.body = Readable.from(exportOf(deps, account, now))
}

const purposeOf = ({ account, session }: OwnerRequest): CodePurpose => ({
  kind: 'reply_address',
  accountId: account.row.id,
  by: session.mailbox,
})

const findChallenge = (ctx: Context, request: OwnerRequest, id = '') =>
  request.deps.codes.find(id, purposeOf(request), visitorOf(ctx, request))

export const askReplyAddress: Handler<OwnerRequest> = async (ctx, request) => {
  const typed = (request.fields.get('reply') ?? '').trim()
  const error = addressFormError(typed, false)
  if (error) return seeOther(ctx, `${to.account}?reply=${error}`)
  await requestCode(ctx, request, typed, false)
}

export const askReplyAgain: Handler<OwnerRequest> = async (ctx, request) => {
  const previous = await findChallenge(ctx, request, request.fields.get('challenge'))
  if (!previous) return seeOther(ctx, to.account)
  await requestCode(ctx, request, previous.typed, true)
}

export const replyChallenge: Handler<OwnerRequest> = async (ctx, request) => {
  const { deps, parameters } = request
  const challenge = await findChallenge(ctx, request, parameters['challenge'])
  if (!challenge) return seeOther(ctx, to.account)
  showCode(ctx, request, { challenge, state: stateOfChallenge(challenge, await deps.isMailDelayed()) })
}

export const confirmReplyAddress: Handler<OwnerRequest> = async (ctx, request) => {
  const typed = request.fields.get('code') ?? ''
  const { deps, parameters } = request
  const outcome = await deps.codes.verify(
    parameters['challenge'] ?? '',
    typed,
    purposeOf(request),
    visitorOf(ctx, request),
  )
  if (!outcome) return seeOther(ctx, to.account)
  if (outcome.kind === 'verified') return seeOther(ctx, accountWith('replyConfirmed'))
  const state = stateOfOutcome(outcome, typed, undefined)
  showCode(ctx, request, { challenge: outcome.challenge, state, typed: keepsInput(state) ? typed : undefined })
}

export const removeReplyAddress: Handler<OwnerRequest> = async (ctx, request) => {
  const { database, accounts } = request.deps
  const { id } = request.account.row
  await database.transaction().execute((trx) => accounts.setReplyAddress(trx, id, null, ownerOf(request)))
  seeOther(ctx, accountWith('saved'))
}

async function requestCode(ctx: Context, request: OwnerRequest, typed: string, isResend: boolean): Promise<void> {
  const { deps, page, now, account } = request
  // The mail shows the account's name to an unproven mailbox, so an operator must have approved the name and not suspended the account.
  // [D36, D37]
  if (account.row.approvedAt === null) return seeOther(ctx, `${to.account}?reply=not_approved`)
  if (account.row.status === 'suspended') return seeOther(ctx, `${to.account}?reply=replyOnHold`)
  rememberBrowser(ctx, request)
  const result = await deps.codes.request({ typed, isResend }, purposeOf(request), visitorOf(ctx, request))
  if ('challengeId' in result) return seeOther(ctx, to.replyChallenge(result.challengeId))
  if ('isBusy' in result) {
    await showAccount(ctx, request, { errors: [addressError('reply', 'busy', page.locale)], typed: { reply: typed } })
    ctx.set('Retry-After', String(BUSY_RETRY_SECONDS))
    return void (ctx.status = 503)
  }
  setRetryAfter(ctx, result.tryAgainAt, now)
  sendPage(ctx, 429, <ReplyWaitPage page={page} tryAgainAt={nextMinute(result.tryAgainAt)} />)
}

function showCode(ctx: Context, request: OwnerRequest, shown: ShownCode): void {
  const page = { ...request.page, path: to.replyChallenge(shown.challenge.id) }
  sendCodePage(ctx, request, shown, (code) => <ReplyCodePage {...{ page, ...code }} />)
}

/** The account page. */
export async function showAccount(
  ctx: Context,
  { deps, page, account }: OwnerRequest,
  more: Pick<Parameters<typeof AccountPage>[0], 'notice' | 'errors' | 'typed'>,
): Promise<void> {
  const owners = await deps.owners.list(account.row.id)
  const withPasskey = await deps.passkeys.holders(owners.map(({ mailbox }) => mailbox))
  const props = { page, account: account.row, owners, withPasskey }
  sendPage(ctx, more.errors ? 422 : 200, <AccountPage {...props} {...more} />)
}

/** The message for an invalid address, at its field. */
function addressError(field: string, error: AddressError | 'not_approved' | 'replyOnHold', locale: Locale): FieldError {
  if (error === 'not_approved' || error === 'replyOnHold') return { field, message: accountMessages(locale)[error] }
  const text = codeMessages(locale)
  if (error === 'busy') return { field, message: text.busy }
  return { field, message: error === 'missing' ? text.emailMissing : text.emailFormat }
}
