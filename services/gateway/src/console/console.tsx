// Serves the paths below /console: reads the session, checks the role and the form token, calls the handler.
// Owns error pages. handlers/ own what a page does, routes.ts what it requires, permissions.ts what each role may do.
import { Readable } from 'node:stream'
import type { Context, Middleware } from 'koa'
import { withTimeout } from '@paraph/protocol/deadline'
import type { Environment } from '@paraph/protocol/environment'
import { asDomainError } from '@paraph/http/render-errors'
import type { Logger } from '@paraph/telemetry/logger'
import { logFailure, setRoute } from '@paraph/http/failed-request'
import { browserCookie, cookieName, parseCookies } from '@paraph/web/cookies'
import { readFileForm } from '@paraph/web/file-form'
import { readForm, type FormFields } from '@paraph/web/form-body'
import { pageHeaders } from '@paraph/web/security-headers'
import { recordRead } from '../accounts/audit.js'
import { accessOf } from '../accounts/access.js'
import type { OwnedAccount } from '../accounts/account-owners.js'
import { formBodyOf } from '../pages/form-limits.js'
import { localeOf, setLocaleCookie } from '../pages/locale.js'
import { pathOfTarget } from '../edge/endpoints.js'
import { isActive, PageNotFound, principalOf } from './console-context.js'
import type { Console, ConsoleRequest, OwnerRequest, ShownAccount } from './console-context.js'
import { environmentOf } from './environment.js'
import { isAllowed, isPermission } from './permissions.js'
import { CONSOLE_BROWSER, isFresh, shownAccount, type ConsoleSession } from './session.js'
import type { ContractCounts, PageProps, ShellProps } from './frame/page-props.js'
import { to, withNext } from './frame/links.js'
import { OutcomePage } from './people/sign-in-pages.js'
import { findRoute, mayAs, pageOfForm, type Route } from './routes.js'
import { sendPage, seeOther } from '@paraph/web/page-answer'
import { SESSION_COOKIE } from './handlers/sign-in.js'

/** Timeout of the counts in the side list that another service gives. */
const COUNT_MS_MAX = 500
const NO_FIELDS: FormFields = new Map()
const NO_FILE = Buffer.alloc(0)

/** The script behind copy buttons. */
export const COPY_SCRIPT = new URL('./frame/copy.js', import.meta.url)

interface Frame {
  /** Path of the style sheet. */
  styleHref: string
  /** Paths of the scripts of every page. */
  scripts: readonly string[]
  logger: Logger
}

export function createConsole(deps: Console, { styleHref, scripts, logger }: Frame): Middleware {
  const headers = pageHeaders(deps.https)

  return async (ctx, next) => {
    const path = pathOfTarget(ctx.req.url ?? '')
    if (path !== to.home && !path.startsWith(`${to.home}/`)) return next()
    ctx.set(headers)
    setLocaleCookie(ctx, deps.https)
    let page: PageProps = {
      locale: localeOf(ctx, deps.https),
      styleHref,
      scripts,
      path: isRead(ctx) ? `${path}${ctx.search}` : pageOfForm(path),
      isProven: false,
      formToken: undefined,
      shell: undefined,
      statusHref: deps.statusUrl,
      operatorAddress: deps.operatorAddress,
    }
    try {
      const found = findRoute(ctx.method, path)
      if (found) setRoute(ctx, found.route.template)
      const request = await requestOf(ctx, deps, page, found?.parameters ?? {})
      page = request.page
      if (!found) throw new PageNotFound()
      await answer(ctx, path, found.route, request)
    } catch (thrown) {
      sendErrorPage(ctx, page, thrown, logger)
    }
  }
}

async function answer(ctx: Context, path: string, route: Route, request: ConsoleRequest) {
  const { method, may, handler, hasFile } = route
  const { deps, session, pending, account, owned, page } = request
  if (!mayAs(may, request)) {
    // The one place that keeps a session without its second factor out of everything else. [D73]
    if (pending) return seeOther(ctx, leadingBack(to.secondFactor, path, ctx.method))
    if (!session) return seeOther(ctx, leadingBack(to.signIn, path, ctx.method))
    if (may === 'pending') return seeOther(ctx, to.home)
    if (may === 'operator' && request.isUnchecked) {
      ctx.set('Retry-After', '15')
      return sendPage(ctx, 503, <OutcomePage page={page} kind="unchecked" />)
    }
    // Only operators learn that an operator's page exists. Without an account, /console leads to the application form.
    if (may === 'operator') throw new PageNotFound()
    return account ? sendPage(ctx, 403, <OutcomePage page={page} kind="role" />) : seeOther(ctx, to.home)
  }
  if (method === 'GET') {
    if (await lacksProof(route, request)) return seeOther(ctx, withNext(to.prove, pageToProveFor(ctx, path, route)))
    await handler(ctx, request)
    if (may === 'operator' && ctx.status === 200) await recordPageRead(path, request)
    return
  }
  const { fields, file } = await (hasFile && isFileForm(ctx) ? readBufferedFileForm(ctx) : readPlainForm(ctx))
  // A form of an account is bound to the account it was rendered for. Other forms stay valid when the session switches accounts.
  const accountIds = isPermission(may) ? [account?.row.id] : [undefined, ...owned.map(({ accountId }) => accountId)]
  const proven = session ?? pending
  const hasToken =
    proven === undefined ||
    accountIds.some((id) => deps.formTokens.verifyForSession(fields.get('formToken'), formsOf(proven, id)))
  // Before sign-in the handlers check the form's own token, so that the page can explain that the form is too old.
  if (!deps.isOwnForm(ctx) || (!hasToken && may !== 'anybody'))
    return sendPage(ctx, 403, <OutcomePage page={page} kind="form" />)
  const sent = { ...request, fields, file }
  if (await lacksProof(route, sent)) return seeOther(ctx, withNext(to.prove, pageToProveFor(ctx, path, route)))
  return handler(ctx, sent)
}

/** The one place that asks for a fresh proof. [D73] */
async function lacksProof({ fresh }: Route, request: ConsoleRequest): Promise<boolean> {
  if (fresh === undefined || request.page.isProven) return false
  // The caller has checked that the request has what the route requires.
  return fresh === true || fresh(request as OwnerRequest)
}

/** Where a proof leads: to the page itself, to the page of a form, or to the page with the link to a file. */
function pageToProveFor(ctx: Context, path: string, { method, isFile }: Route): string {
  if (method === 'POST') return pageOfForm(path)
  return isFile ? `${pageOfForm(path.slice(0, path.lastIndexOf('/')))}${ctx.search}` : `${path}${ctx.search}`
}

const readPlainForm = async (ctx: Context) => ({ fields: await readForm(ctx, formBodyOf(ctx)), file: NO_FILE })

/** A form with a file, whose body `createFormLimits` has read. */
async function readBufferedFileForm(ctx: Context): Promise<Pick<ConsoleRequest, 'fields' | 'file'>> {
  const body = (await formBodyOf(ctx)) ?? NO_FILE
  return readFileForm(Object.assign(Readable.from([body]), { headers: ctx.req.headers }), { bytesMax: body.length + 1 })
}

/** Records what an operator's page shows, before the page is sent. [P36] */
async function recordPageRead(path: string, { deps, session, parameters }: ConsoleRequest) {
  if (!session) return
  const { account: accountId, contract } = parameters
  // The contract, the account, or the list that the path names: /console/operator/LIST.
  const subject = contract ?? accountId ?? path.split('/')[3] ?? path
  await recordRead(deps.database, { kind: 'operator', mailbox: session.mailbox }, { subject, accountId })
}

/** Reads the session, its account and the data of the page frame. @param bare the props of a page before sign-in */
async function requestOf(
  ctx: Context,
  deps: Console,
  bare: PageProps,
  parameters: Record<string, string>,
): Promise<ConsoleRequest> {
  const cookies = parseCookies(ctx.get('cookie'))
  const { session: found, pending } = await deps.sessions.find(cookies.get(cookieName(SESSION_COOKIE, deps.https)))
  const operatorState = found && (await deps.issuers.operatorStateOf(found))
  const session = operatorState === 'ended' ? undefined : found
  const now = await deps.now()
  const browser = browserCookie(ctx.get('cookie'), CONSOLE_BROWSER, deps)
  const isOperator = operatorState === 'yes'
  const isUnchecked = operatorState === 'unavailable'
  const common = { deps, now, parameters, browser, fields: NO_FIELDS, file: NO_FILE, isUnchecked }
  if (!session) {
    const formToken = pending && deps.formTokens.issueForSession(formsOf(pending, undefined))
    return {
      ...common,
      page: { ...bare, formToken },
      session,
      pending,
      owned: [],
      account: undefined,
      isOperator: false,
    }
  }
  const owned = await deps.owners.accountsOf(session.mailbox)
  const account = await accountOf(deps, shownAccount(session, owned), now)
  const page = {
    ...bare,
    isProven: isFresh(session, now),
    formToken: deps.formTokens.issueForSession(formsOf(session, account?.row.id)),
    shell: await shellOf(ctx, deps, { session, account, isOperator, now, parameters }),
  }
  return { ...common, page, session, pending, owned, account, isOperator }
}

async function accountOf(
  { accounts }: Console,
  shown: OwnedAccount | undefined,
  now: Date,
): Promise<ShownAccount | undefined> {
  if (shown === undefined) return undefined
  const { row, application } = await accounts.showWithApplication(shown.accountId)
  return { row, role: shown.role, access: accessOf({ ...row, application }, now) }
}

async function shellOf(
  ctx: Context,
  deps: Console,
  request: { session: ConsoleSession } & Pick<ConsoleRequest, 'account' | 'isOperator' | 'now' | 'parameters'>,
): Promise<ShellProps> {
  const { session, account, isOperator, now, parameters } = request
  const keys = account ? await deps.keys.list(account.row.id) : []
  const contracts = account && (await countsOf(deps, account))
  const named = parameters['environment'] ?? ctx.query['environment']
  const mayReadAll = account && isAllowed(account.role, 'read', 'production')
  return {
    mailbox: session.mailbox,
    account: account && {
      name: account.row.name,
      role: account.role,
      access: account.access,
      environment: environmentOf(named ?? (mayReadAll ? undefined : 'sandbox'), contracts),
      contracts,
      keys: keys.filter((key) => isActive(key, now)).length,
    },
    operator: isOperator ? await waitingOf(deps) : undefined,
  }
}

/** What waits for operators. */
async function waitingOf({ applications, brands, reports }: Console): Promise<NonNullable<ShellProps['operator']>> {
  const [{ waiting }, asked, open] = await Promise.all([
    applications.queue(1),
    brands.waiting(),
    withTimeout(COUNT_MS_MAX, reports.countOpen.query({})).catch(() => undefined),
  ])
  return { applications: waiting + asked.length, reports: open }
}

/** The numbers of contracts; undefined without a plan, and while the contract service does not respond. */
async function countsOf({ others }: Console, { row }: ShownAccount): Promise<ContractCounts | undefined> {
  if (row.tier === null) return undefined
  const totalIn = async (environment: Environment) =>
    (await others(principalOf(row, environment)).contract.count.query()).total
  return withTimeout(COUNT_MS_MAX, Promise.all([totalIn('production'), totalIn('sandbox')])).then(
    ([production, sandbox]) => ({ production, sandbox }),
    () => undefined,
  )
}

/** Sends a general page for an error. Handlers show errors of form fields themselves. */
function sendErrorPage(ctx: Context, page: PageProps, thrown: unknown, logger: Logger): void {
  if (thrown instanceof PageNotFound) return sendPage(ctx, 404, <OutcomePage page={page} kind="notFound" />)
  const error = asDomainError(thrown)
  const { requestId } = ctx.state
  if (error.status >= 500) logFailure(ctx, error, logger)
  if (error.status === 503) ctx.set('Retry-After', '5')
  ctx.set(error.headers)
  const kind =
    error.status >= 500 ? 'trouble' : error.status === 413 ? (isFileForm(ctx) ? 'tooLarge' : 'tooLong') : 'form'
  const reference = kind === 'trouble' ? requestId : undefined
  sendPage(ctx, error.status, <OutcomePage {...{ page, kind, reference }} />)
}

/** The subject of a form token: a session and the account it shows. */
const formsOf = ({ id }: ConsoleSession, accountId: string | undefined): string =>
  accountId === undefined ? id : `${id} ${accountId}`

const isFileForm = (ctx: Context): boolean => Boolean(ctx.is('multipart/form-data'))

const isRead = (ctx: Context): boolean => ctx.method === 'GET' || ctx.method === 'HEAD'

/** The path of a page that leads back to `path` after sign-in, but never repeats a form. */
const leadingBack = (page: string, path: string, method: string): string =>
  method === 'GET' ? withNext(page, path) : page
