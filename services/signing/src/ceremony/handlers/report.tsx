// "Report this request": the page and its form. [ceremony: report]
// For whoever holds the link, in every state of the contract; nothing is proven.
import { countCodePoints } from '@paraph/protocol/text-rules'
import { readForm } from '@paraph/web/form-body'
import type { Ceremony, Step } from './ceremony.js'
import { refuseForm } from './in-session.js'
import { links } from './pages/links.js'
import { ReportPage, ReportedPage, type ReportPageProps } from './pages/report-page.js'
import { sayRetryAfter, seeOther, sendPage } from '@paraph/web/page-answer'
import { visitorOf } from './page-request.js'
import { REPORT_MESSAGE_MAX, REPORT_REASONS } from './report.js'

/** The two steps of a report. */
export function createReportSteps(ceremony: Ceremony) {
  const { formTokens, reports, operatorAddress } = ceremony
  // A token of its own: a form of the ceremony must not pass as a report.
  const bindingOf = (token: string) => `report ${token}`
  const newForm = (token: string, now: Date) => ({ token, formToken: formTokens.issue(bindingOf(token), now) })

  const show: Step = async (ctx, { token, page, now }) => {
    if (ctx.query['sent'] === '1') return sendPage(ctx, 200, <ReportedPage {...page} token={token} />)
    sendPage(ctx, 200, <ReportPage {...page} form={newForm(token, now)} operatorAddress={operatorAddress} />)
  }

  const send: Step = async (ctx, { facts, token, page, now }) => {
    const fields = await readForm(ctx)
    if (!ceremony.isOwnForm(ctx)) return refuseForm(ctx, { facts, token, page })
    const reason = REPORT_REASONS.find((each) => each === fields.get('reason'))
    // A form sends line breaks as two characters; people count one.
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
    const full = await reports.add(facts.contractId, { reason, message }, visitorOf(ctx).clientAddress)
    if (full) {
      sayRetryAfter(ctx, full.tryAgainAt, now)
      return again(429, { isTooMany: true })
    }
    seeOther(ctx, `${links(token).report}?sent=1`)
  }

  return { show, send }
}
