// The handler of the request log. [D62]
import { OUTCOMES, readRequests } from '../../request-log/queries.js'
import type { Handler, OwnerRequest } from '../console-context.js'
import { shownEnvironment } from '../environment.js'
import { hintOf } from '../keys/keys-page.js'
import { RequestsPage } from '../requests/requests-page.js'
import { sendPage } from '@paraph/web/page-answer'

const REQUEST_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const requestsPage: Handler<OwnerRequest> = async (ctx, request) => {
  const { deps, page, account } = request
  const accountId = account.row.id
  const environment = shownEnvironment(ctx, request)
  const parameter = (name: string): string => {
    const value = ctx.query[name]
    return typeof value === 'string' ? value.slice(0, 100).trim() : ''
  }
  const keys = (await deps.keys.list(accountId)).filter((key) => key.environment === environment)
  const requestId = parameter('requestId').toLowerCase()
  const isNoId = requestId !== '' && !REQUEST_ID.test(requestId)
  const outcome = OUTCOMES.find((each) => each === parameter('outcome'))
  const key = keys.find(({ id }) => id === parameter('key'))
  const before = /^[1-9]\d{0,14}$/.test(parameter('before')) ? Number(parameter('before')) : undefined
  const found = await readRequests(deps.database, {
    accountId,
    environment,
    outcome,
    keyId: key?.id,
    requestId: requestId === '' || isNoId ? undefined : requestId,
    before,
  })
  const shown = {
    environment,
    filter: { requestId: parameter('requestId'), outcome: outcome ?? ('' as const), key: key?.id ?? '' },
    keys: keys.map(({ id, name, lastFour }) => ({ id, name, hint: hintOf({ environment, lastFour }) })).toReversed(),
    ...(isNoId ? { calls: [], older: null } : found),
    isLater: before !== undefined,
    isNoId,
  }
  sendPage(ctx, 200, <RequestsPage {...{ page, ...shown }} timeZone={account.row.timeZone} />)
}
