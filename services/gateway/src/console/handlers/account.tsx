// Handlers of the account page: settings, owners, sessions, audit log, export. [D4, D25, D34]
import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { addressFormError } from '@paraph/codes/address-form'
import { codeMessages } from '@paraph/codes/code-words'
import { MAIL_LANGUAGES } from '@paraph/protocol/principal'
import { DomainError } from '@paraph/protocol/errors'
import { displayNameError, mailboxOf } from '@paraph/protocol/text-rules'
import { clearCookie } from '@paraph/web/cookies'
import type { FieldError } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { listActs } from '../../accounts/audit.js'
import { exportOf } from '../account-export.js'
import { ownerOf, type Console, type OwnerRequest, type Handler } from '../console-context.js'
import { AccountAuditPage, AccountPage, type AccountNotice } from '../people/account-page.js'
import { accountMessages } from '../people/messages.js'
import { to } from '../frame/links.js'
import { seeOther, sendPage } from '@paraph/web/page-answer'
import { SESSION_COOKIE } from './sign-in.js'

const NAME_LENGTH_MAX = 100
/** The notices that a redirect after a form may request. */
const NOTICES: readonly AccountNotice[] = ['saved', 'replyConfirmed', 'inviteDone']

export const accountWith = (notice: AccountNotice): string => `${to.account}?done=${notice}`

export function createAccountHandlers(deps: Console) {
  const { database, accounts, owners, sessions, https } = deps

  const accountPage: Handler<OwnerRequest> = async (ctx, request) => {
    const error = (['missing', 'format', 'not_approved'] as const).find((each) => each === ctx.query['reply'])
    if (error) return show(ctx, request, { errors: [addressError('reply', error, request.page.locale)] })
    return show(ctx, request, { notice: NOTICES.find((notice) => notice === ctx.query['done']) })
  }

  const changeSettings: Handler<OwnerRequest> = async (ctx, request) => {
    const { page, fields, account } = request
    const text = accountMessages(page.locale)
    const typed = {
      senderName: (fields.get('senderName') ?? '').trim(),
      language: fields.get('language') ?? '',
      timeZone: (fields.get('timeZone') ?? '').trim(),
    }
    const language = MAIL_LANGUAGES.find((each) => each === typed.language)
    const errors: FieldError[] = []
    if (typed.senderName === '' || displayNameError(typed.senderName, NAME_LENGTH_MAX))
      errors.push({ field: 'senderName', message: text.nameWrong })
    if (language === undefined) errors.push({ field: 'language', message: text.languageWrong })
    if (!isTimeZone(typed.timeZone)) errors.push({ field: 'timeZone', message: text.timeZoneWrong })
    if (errors.length > 0 || language === undefined) return show(ctx, request, { errors, typed })
    const { senderName, timeZone } = typed
    await accounts.changeSettings(account.row.id, { senderName, language, timeZone }, ownerOf(request))
    seeOther(ctx, accountWith('saved'))
  }

  const inviteOwner: Handler<OwnerRequest> = async (ctx, request) => {
    const { page, fields, account } = request
    const owner = (fields.get('owner') ?? '').trim()
    const error = addressFormError(owner, false)
    if (error) return show(ctx, request, { errors: [addressError('owner', error, page.locale)], typed: { owner } })
    const outcome = await owners.invite(account.row.id, owner, ownerOf(request))
    if (outcome !== 'invited') {
      const errors = [{ field: 'owner', message: accountMessages(page.locale)[outcome] }]
      return show(ctx, request, { errors, typed: { owner } })
    }
    seeOther(ctx, accountWith('inviteDone'))
  }

  const removeOwner: Handler<OwnerRequest> = async (ctx, request) => {
    const { page, fields, account, session } = request
    const mailbox = mailboxOf(fields.get('owner') ?? '')
    try {
      await owners.remove(account.row.id, mailbox, ownerOf(request))
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'invalid_request') throw error
      return show(ctx, request, { errors: [{ field: 'owner', message: accountMessages(page.locale).lastOwner }] })
    }
    seeOther(ctx, mailbox === session.mailbox ? to.home : to.account)
  }

  const signOutEverywhere: Handler<OwnerRequest> = async (ctx, { session, account }) => {
    await sessions.endAll(session.mailbox, account.row.id)
    ctx.append('Set-Cookie', [clearCookie(SESSION_COOKIE, { https })])
    seeOther(ctx, to.signIn)
  }

  const accountAudit: Handler<OwnerRequest> = async (ctx, { page, account }) => {
    const { entries, hasMore } = await listActs(database, { accountId: account.row.id, before: beforeOf(ctx) })
    const older = hasMore ? entries.at(-1)?.id : undefined
    sendPage(ctx, 200, <AccountAuditPage {...{ page, entries, older, timeZone: account.row.timeZone }} />)
  }

  const exportAll: Handler<OwnerRequest> = async (ctx, request) => {
    const { account, now } = request
    await accounts.recordAct(account.row.id, 'account.exported', ownerOf(request))
    ctx.type = 'application/json'
    ctx.set('Content-Disposition', `attachment; filename="${account.row.id}.json"`)
    ctx.body = Readable.from(exportOf(deps, account, now))
  }

  async function show(
    ctx: Context,
    { page, account, session }: OwnerRequest,
    more: Pick<Parameters<typeof AccountPage>[0], 'notice' | 'errors' | 'typed'>,
  ): Promise<void> {
    const props = {
      page,
      account: account.row,
      sessionId: session.id,
      owners: await owners.list(account.row.id),
      sessions: await sessions.list(session.mailbox),
    }
    sendPage(ctx, more.errors ? 422 : 200, <AccountPage {...props} {...more} />)
  }

  return { accountPage, changeSettings, inviteOwner, removeOwner, signOutEverywhere, accountAudit, exportAll }
}

/** The message for an invalid address, at its field. */
export function addressError(
  field: string,
  error: 'missing' | 'format' | 'too_old' | 'not_approved',
  locale: Locale,
): FieldError {
  if (error === 'not_approved') return { field, message: accountMessages(locale).not_approved }
  const text = codeMessages(locale)
  return { field, message: error === 'missing' ? text.emailMissing : text.emailFormat }
}

/** The `before` parameter of an audit log page: the id of the entry after its newest; undefined for the first page. */
export function beforeOf(ctx: Context): number | undefined {
  const before = Number(ctx.query['before'])
  return Number.isSafeInteger(before) && before > 0 ? before : undefined
}

function isTimeZone(name: string): boolean {
  try {
    return (
      new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '' &&
      /^[\w+/-]{1,64}$/.test(name)
    )
  } catch {
    return false
  }
}
