// Serves everything below /console, and its script: reads the session, checks the role and the form token, calls the handler.
// Owns error pages. handlers/ own what a page does, routes.ts the required roles.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Context, Middleware } from 'koa'
import { withTimeout } from '@paraph/protocol/deadline'
import { asDomainError } from '@paraph/http/render-errors'
import type { Logger } from '@paraph/telemetry/logger'
import { recordRoute } from '@paraph/telemetry/tracing-seam'
import { cookieName, parseCookies } from '@paraph/web/cookies'
import { readForm, type FormFields } from '@paraph/web/form-body'
import { pageHeaders } from '@paraph/web/security-headers'
import { accessOf } from '../accounts/access.js'
import { localeOf, setLocaleCookie } from '../pages/locale.js'
import { pathOfTarget } from '../edge/endpoints.js'
import { principalOf, type Console, type ConsoleRequest, type ShownAccount, type Handler } from './console-context.js'
import { shownAccountId, type ConsoleSession } from './session.js'
import type { PageProps, ShellProps } from './frame/console-frame.js'
import { to } from './frame/links.js'
import { OutcomePage } from './people/sign-in-pages.js'
import { mayAs } from './roles.js'
import { findRoute, pageOfForm, type Route } from './routes.js'
import { createHandlers } from './handlers/all-handlers.js'
import { sendPage, seeOther } from '@paraph/web/page-answer'
import { SESSION_COOKIE } from './handlers/sign-in.js'

const YEAR_SECONDS = 31_536_000
/** Timeout of the contract count beside its section. */
const COUNT_MS_MAX = 500
const NO_FIELDS: FormFields = new Map()

/** The style sheet of the console, after the shared one. */
export const CONSOLE_SHEET = new URL('./frame/console.css', import.meta.url)

/** @param mayTry `AUTO_APPROVE=trial` [D38] @param styleHref path of the style sheet */
export function createConsole(
  deps: Console,
  { mayTry, styleHref, logger }: { mayTry: boolean; styleHref: string; logger: Logger },
): Middleware {
  const handlers = createHandlers(deps, { mayTry })
  const script = readFileSync(new URL('./frame/copy.js', import.meta.url), 'utf8')
  const scriptHref = `/assets/gateway/${createHash('sha256').update(script).digest('hex').slice(0, 16)}.js`
  const headers = pageHeaders(deps.https)

  return async (ctx, next) => {
    const path = pathOfTarget(ctx.req.url ?? '')
    if (path === scriptHref && isRead(ctx)) return sendScript(ctx)
    if (path !== to.home && !path.startsWith(`${to.home}/`)) return next()
    ctx.set(headers)
    let page = signedOutPage(ctx, path)
    try {
      const found = findRoute(ctx.method, path)
      if (found) recordRoute(found.route.template)
      const request = await requestOf(ctx, page, found?.parameters ?? {})
      page = request.page
      if (!found) return sendPage(ctx, 404, <OutcomePage page={page} kind="notFound" />)
      await answer(ctx, path, found.route, request)
    } catch (thrown) {
      sendErrorPage(ctx, page, thrown)
    }
  }

  async function answer(ctx: Context, path: string, route: Route, request: ConsoleRequest): Promise<void> {
    const { session, account, owned, isOperator, page } = request
    const visitor = { isSignedIn: session !== undefined, ownsAccount: account !== undefined, isOperator }
    if (!mayAs(route.may, visitor)) {
      if (!session) return seeOther(ctx, signInFor(path, ctx.method))
      // Only operators learn that an operator's page exists. Without an account, /console leads to the application.
      if (route.may === 'operator') return sendPage(ctx, 404, <OutcomePage page={page} kind="notFound" />)
      return seeOther(ctx, to.home)
    }
    const handler = handlers[route.handler] as Handler
    if (route.method === 'GET') return handler(ctx, request)
    const fields = await readForm(ctx)
    // An owner's form is bound to the account it was rendered for. Other forms stay valid when the session switches accounts.
    const accountIds =
      route.may === 'owner' ? [account?.row.id] : [undefined, ...owned.map(({ accountId }) => accountId)]
    const hasToken =
      session === undefined ||
      accountIds.some((id) => deps.formTokens.verifyForSession(fields.get('formToken'), formsOf(session, id)))
    // Before sign-in the handlers check the form's own token, so that the page can say that it is too old.
    if (!deps.isOwnForm(ctx) || (!hasToken && route.may !== 'anybody'))
      return sendPage(ctx, 403, <OutcomePage page={page} kind="form" />)
    return handler(ctx, { ...request, fields })
  }

  async function requestOf(ctx: Context, bare: PageProps, parameters: Record<string, string>): Promise<ConsoleRequest> {
    const cookies = parseCookies(ctx.get('cookie'))
    const session = await deps.sessions.find(cookies.get(cookieName(SESSION_COOKIE, deps.https)))
    const now = await deps.now()
    const common = { now, parameters, fields: NO_FIELDS }
    if (!session) return { ...common, page: bare, session, owned: [], account: undefined, isOperator: false }
    const owned = await deps.owners.accountsOf(session.mailbox)
    const account = await accountOf(session, owned, now)
    const isOperator = deps.operatorEmails.includes(session.mailbox)
    const page = {
      ...bare,
      formToken: deps.formTokens.issueForSession(formsOf(session, account?.row.id)),
      shell: await shellOf(session, account, isOperator, now),
    }
    return { ...common, page, session, owned, account, isOperator }
  }

  async function accountOf(
    session: ConsoleSession,
    owned: ConsoleRequest['owned'],
    now: Date,
  ): Promise<ShownAccount | undefined> {
    const id = shownAccountId(session, owned)
    if (id === undefined) return undefined
    const [row, { record }] = await Promise.all([deps.accounts.show(id), deps.accounts.readAccess(id)])
    return { row, access: accessOf(record, now) }
  }

  async function shellOf(
    { mailbox }: ConsoleSession,
    account: ShownAccount | undefined,
    isOperator: boolean,
    now: Date,
  ): Promise<ShellProps> {
    const keys = account ? await deps.keys.list(account.row.id) : []
    const isActive = ({ revokedAt, expiresAt }: (typeof keys)[number]) =>
      revokedAt === null && (expiresAt === null || expiresAt > now)
    return {
      mailbox,
      account: account && {
        name: account.row.name,
        access: account.access,
        keys: keys.filter(isActive).length,
        contracts: await countOf(account),
      },
      operator: isOperator ? { applications: (await deps.applications.queue(1)).waiting } : undefined,
    }
  }

  /** The number of production contracts; undefined while the contract service does not respond. */
  async function countOf({ row }: ShownAccount): Promise<{ count: number; isMore: boolean } | undefined> {
    if (row.tier === null) return undefined
    const { contract } = deps.others(principalOf(row, 'production'))
    return withTimeout(COUNT_MS_MAX, contract.count.query()).then(
      ({ total }) => total,
      () => undefined,
    )
  }

  /** The props of a page before the session is known. */
  function signedOutPage(ctx: Context, requestPath: string): PageProps {
    setLocaleCookie(ctx, deps.https)
    const path = isRead(ctx) ? `${requestPath}${ctx.search}` : pageOfForm(requestPath)
    return {
      locale: localeOf(ctx, deps.https),
      styleHref,
      scriptHref,
      path,
      formToken: undefined,
      shell: undefined,
      statusHref: deps.statusUrl,
      operatorAddress: deps.operatorAddress,
    }
  }

  /** Sends a general page for an error. Handlers show errors of form fields themselves. */
  function sendErrorPage(ctx: Context, page: PageProps, thrown: unknown): void {
    const error = asDomainError(thrown)
    const { requestId } = ctx.state
    if (error.status >= 500)
      logger.error({ err: error.cause ?? error, requestId }, 'a console request failed; sent an error page')
    if (error.status === 503) ctx.set('Retry-After', '5')
    ctx.set(error.headers)
    const kind = error.status >= 500 ? 'trouble' : error.status === 413 ? 'tooLong' : 'form'
    sendPage(
      ctx,
      error.status,
      <OutcomePage {...{ page, kind }} {...(kind === 'trouble' ? { reference: requestId } : {})} />,
    )
  }

  function sendScript(ctx: Context): void {
    ctx.set('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`)
    ctx.type = 'text/javascript; charset=utf-8'
    ctx.body = script
  }
}

/** The subject of a form token: a session and the account it shows. */
const formsOf = ({ id }: ConsoleSession, accountId: string | undefined): string =>
  accountId === undefined ? id : `${id} ${accountId}`

const isRead = (ctx: Context): boolean => ctx.method === 'GET' || ctx.method === 'HEAD'

/** The sign-in page; it leads back to a page, but never repeats a form. */
const signInFor = (path: string, method: string): string =>
  method === 'GET' && path !== to.home ? `${to.signIn}?${new URLSearchParams({ next: path }).toString()}` : to.signIn
