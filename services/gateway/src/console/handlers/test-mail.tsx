// Handlers of the test mailbox: the mails of the account's sandbox contracts as a list, text, HTML and raw. [D64]
import { asPageNotFound, PageNotFound, principalOf, type Handler, type OwnerRequest } from '../console-context.js'
import { TestMailPage, TestMailsPage } from '../test-mail/test-mail-pages.js'
import { sendPage } from '@paraph/web/page-answer'

/**
 * The mail is a document of its own: inline styles, no script, no other site, no form. The logo of a brand is at our origin, unless the
 * share links have another one; then the mail shows the name in its place. [D59]
 */
const MAIL_POLICY =
  "sandbox allow-popups; default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'none'"

const mailsOf = ({ deps, account }: OwnerRequest) => deps.others(principalOf(account.row, 'sandbox')).mails.testMail

/** The mail that the path names. @throws PageNotFound */
async function mailOf(request: OwnerRequest) {
  const id = Number(request.parameters['mail'])
  if (!Number.isSafeInteger(id) || id < 1) throw new PageNotFound()
  return mailsOf(request).read.query({ id }).catch(asPageNotFound)
}

export const testMails: Handler<OwnerRequest> = async (ctx, request) => {
  const mails = await mailsOf(request).list.query()
  sendPage(ctx, 200, <TestMailsPage page={request.page} mails={mails} timeZone={request.account.row.timeZone} />)
}

export const testMailPage: Handler<OwnerRequest> = async (ctx, request) => {
  const mail = await mailOf(request)
  sendPage(ctx, 200, <TestMailPage page={request.page} mail={mail} timeZone={request.account.row.timeZone} />)
}

export const testMailHtml: Handler<OwnerRequest> = async (ctx, request) => {
  const { html } = await mailOf(request)
  ctx.set('Content-Security-Policy', MAIL_POLICY)
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = html
}

export const testMailRaw: Handler<OwnerRequest> = async (ctx, request) => {
  const { id, raw } = await mailOf(request)
  ctx.attachment(`mail-${id}.eml`)
  ctx.type = 'message/rfc822'
  ctx.body = Buffer.from(raw, 'base64')
}
