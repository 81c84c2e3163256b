// The handlers of "Report this request": the page and its form. [ceremony: report]
// Any link holder can report, in every state of the contract; the reporter is not verified.
import { countCodePoints } from '@paraph/protocol/text-rules'
import { readForm } from '@paraph/web/form-body'
import { type Ceremony, type Handler, refuseForm, visitorOf } from '../page-request.js'
import { links } from '../pages/frame/links.js'
import { ReportPage, ReportedPage, type ReportPageProps } from '../pages/report/report-page.js'
import { setRetryAfter, seeOther, sendPage } from '@paraph/web/page-answer'
import { REPORT_MESSAGE_MAX, REPORT_REASONS } from '../../reports/report.js'

export function createReportHandlers(ceremony: Ceremony) {
  const { formTokens, reports, operatorAddress } = ceremony
  // Binds form tokens to the report form, which must not accept the token of another form.
  const bindingOf = (token: string) => `report ${token}`
  const newForm = (token: string, now: Date) => ({ token, formToken: formTokens.issue(bindingOf(token), now) })

  const show: Handler = async (ctx, { token, page, now }) => {
    if (ctx.query['sent'] === '1') return sendPage(ctx, 200, <ReportedPage {...page} token={token} />)
    sendPage(ctx, 200, <ReportPage {...page} form={newForm(token, now)} operatorAddress={operatorAddress} />)
  }

  const send: Handler = async (ctx, request) => {
    const { view, token, page, now } = request
    const fields = await readForm(ctx)
    if (!ceremony.isOwnForm(ctx)) return refuseForm(ctx, request)
    const reason = REPORT_REASONS.find((each) => each === fields.get('reason'))
    // A browser sends a line break as two characters (CRLF); the limit counts one.
    const message = (fields.get('message') ?? '').replaceAll('\r\n', '\n').trim()
    const isMessageTooLong = countCodePoints(message) > REPORT_MESSAGE_MAX
    const isOld = !formTokens.verify(fields.get('formToken'), bindingOf(token), now)
    const again = (status: number, more: Pick<ReportPageProps, 'errors' | 'isTooMany'>) => {
      const form = { ...newForm(token, now), reason, message }
      sendPage(ctx, status, <ReportPage {...page} {...more} form={form} operatorAddress={operatorAddress} />)
    }
    if (reason === undefined || isMessageTooLong || isOld) {
      return again(422, {
        errors: { reason: reason === undefined ? 'missing' : isOld ? 'too_old' : undefined, isMessageTooLong },
      })
    }
    const full = await reports.add(view, { reason, message }, visitorOf(ctx).clientAddress)
    if (full) {
      setRetryAfter(ctx, full.tryAgainAt, now)
      return again(429, { isTooMany: true })
    }
    seeOther(ctx, `${links(token).report}?sent=1`)
  }

  return { show, send }
}
