// Handlers of webhooks: an owner makes, tests, rotates, enables and removes endpoints, and sends messages again. [D65]
// The service token contains account and environment, so an endpoint of another account is not found.
import type { Context } from 'koa'
import type { Environment } from '@paraph/protocol/environment'
import { refusalOf } from '@paraph/rpc/link'
import { seeOther, sendPage } from '@paraph/web/page-answer'
import type { Act } from '../../accounts/audit.js'
import { asPageNotFound, ownerOf, PageNotFound, principalOf } from '../console-context.js'
import type { Handler, OwnerRequest } from '../console-context.js'
import { shownEnvironment } from '../environment.js'
import { to } from '../frame/links.js'
import { webhookMessages } from '../webhooks/messages.js'
import { WebhookOncePage, WebhookPage, WebhookQuestion, WebhooksPage } from '../webhooks/webhook-pages.js'

const webhooksOf = ({ deps, account }: OwnerRequest, environment: Environment) =>
  deps.others(principalOf(account.row, environment)).mails.webhooks

export const webhookList: Handler<OwnerRequest> = async (ctx, request) => {
  const environment = shownEnvironment(ctx, request)
  const endpoints = await webhooksOf(request, environment).list.query()
  const { page, account } = request
  sendPage(ctx, 200, <WebhooksPage {...{ page, environment, endpoints }} timeZone={account.row.timeZone} />)
}

export const createWebhook: Handler<OwnerRequest> = async (ctx, request) => {
  const { page, fields, account } = request
  const environment = environmentNamed(fields.get('environment'))
  const webhooks = webhooksOf(request, environment)
  const typed = (fields.get('url') ?? '').trim()
  const keys = await webhooks.create.mutate({ url: typed.slice(0, 2_000) }).catch((error: unknown) => {
    if (refusalOf(error)?.code !== 'invalid_request') throw error
    return undefined
  })
  if (keys) {
    await recordAct(request, 'webhook.created', keys.id)
    return sendPage(ctx, 201, <WebhookOncePage {...{ page, environment, keys }} />)
  }
  const endpoints = await webhooks.list.query()
  const errors = [{ field: 'url', message: webhookMessages(page.locale).urlWrong }]
  const shown = { page, environment, endpoints, typed, errors, timeZone: account.row.timeZone }
  sendPage(ctx, 422, <WebhooksPage {...shown} />)
}

type Handle = (ctx: Context, request: OwnerRequest & { environment: Environment; id: string }) => Promise<void>

/** Calls `handle` with the endpoint that the path names. */
const withEndpoint =
  (handle: Handle): Handler<OwnerRequest> =>
  async (ctx, request) => {
    const { environment: name, hook: id = '' } = request.parameters
    await handle(ctx, { ...request, environment: environmentNamed(name), id }).catch(asPageNotFound)
  }

const recordAct = (request: OwnerRequest, act: Act, id: string): Promise<void> =>
  request.deps.accounts.recordAct(request.account.row.id, act, ownerOf(request), id)

function environmentNamed(name: string | undefined): Environment {
  if (name !== 'production' && name !== 'sandbox') throw new PageNotFound()
  return name
}

export const webhookPage = withEndpoint(async (ctx, request) => {
  const { page, environment, id, account } = request
  const endpoint = await webhooksOf(request, environment).read.query({ id })
  sendPage(ctx, 200, <WebhookPage {...{ page, environment, endpoint }} timeZone={account.row.timeZone} />)
})

const question = (act: 'rotate' | 'remove') =>
  withEndpoint(async (ctx, request) => {
    const { page, environment, id } = request
    const endpoint = await webhooksOf(request, environment).read.query({ id })
    sendPage(ctx, 200, <WebhookQuestion {...{ page, environment, endpoint, act }} />)
  })

export const rotateWebhookPage = question('rotate')
export const removeWebhookPage = question('remove')

export const rotateWebhook = withEndpoint(async (ctx, request) => {
  const { page, environment, id } = request
  const keys = await webhooksOf(request, environment).rotate.mutate({ id })
  await recordAct(request, 'webhook.rotated', id)
  sendPage(ctx, 200, <WebhookOncePage {...{ page, environment, keys }} />)
})

export const removeWebhook = withEndpoint(async (ctx, request) => {
  const { environment, id } = request
  await webhooksOf(request, environment).remove.mutate({ id })
  await recordAct(request, 'webhook.removed', id)
  seeOther(ctx, `${to.webhooks}?environment=${environment}`)
})

export const testWebhook = withEndpoint(async (ctx, request) => {
  const { environment, id } = request
  await webhooksOf(request, environment).sendTest.mutate({ id })
  seeOther(ctx, to.webhook(environment, id))
})

export const enableWebhook = withEndpoint(async (ctx, request) => {
  const { environment, id } = request
  await webhooksOf(request, environment).enable.mutate({ id })
  await recordAct(request, 'webhook.enabled', id)
  seeOther(ctx, to.webhook(environment, id))
})

export const sendWebhookAgain = withEndpoint(async (ctx, request) => {
  const { environment, id, fields } = request
  await webhooksOf(request, environment).sendAgain.mutate({
    id,
    messageId: (fields.get('message') ?? '').slice(0, 100),
  })
  seeOther(ctx, to.webhook(environment, id))
})
