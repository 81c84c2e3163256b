// The handlers of /verify: the form and its answer. They belong to no contract, write nothing and log nothing of the file. [ceremony 27 and 28, D68]
import type { Context } from 'koa'
import type { FileForm } from '@paraph/web/file-form'
import { sendPage } from '@paraph/web/page-answer'
import type { Ceremony } from '../page-request.js'
import type { PageProps } from '../pages/frame/ceremony-frame.js'
import { VERIFY } from '../pages/frame/links.js'
import { ResultPage, VerifyPage, type VerifyPageProps } from '../pages/verify/verify-page.js'

const STATUS = { missing: 422, too_old: 422, too_costly: 422, too_large: 413, busy: 503 } as const
/** About as long as one check takes at most. */
const RETRY_SECONDS = 10

export function createVerifyHandlers({ checks, formTokens, isOwnForm, now }: Ceremony) {
  async function sendForm(ctx: Context, page: PageProps, status = 200, problem?: VerifyPageProps['problem']) {
    sendPage(ctx, status, <VerifyPage {...page} formToken={formTokens.issue(VERIFY, await now())} problem={problem} />)
  }

  async function answer(ctx: Context, page: PageProps, { fields, file, cut }: FileForm): Promise<void> {
    const refuse = (problem: NonNullable<VerifyPageProps['problem']>, status: number = STATUS[problem]) => {
      if (status === 503) ctx.set('Retry-After', String(RETRY_SECONDS))
      return sendForm(ctx, page, status, problem)
    }
    if (cut !== undefined) return refuse(cut)
    if (!isOwnForm(ctx)) return refuse('too_old', 403)
    if (!formTokens.verify(fields.get('formToken'), VERIFY, await now())) return refuse('too_old')
    if (file.length === 0) return refuse('missing')
    const found = await checks.check(file)
    if (found === 'busy' || found === 'too_costly') return refuse(found)
    sendPage(ctx, 200, <ResultPage {...page} report={found === 'other' ? undefined : found} />)
  }

  return {
    show: (ctx: Context, page: PageProps): Promise<void> => sendForm(ctx, page),
    send: (ctx: Context, page: PageProps): Promise<void> => checks.withForm(ctx.req, (form) => answer(ctx, page, form)),
  }
}
