// The console: who asks, what they may, which step answers. Everything below /console, and its script.
// Owns: sessions and form tokens before every step, trouble said on a page. Does not own: what the steps do (steps/), who may what (routes.ts).
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Context, Middleware } from 'koa'
import { within } from '@paraph/service/deadline'
import { asDomainError } from '@paraph/service/render-errors'
import type { Logger } from '@paraph/telemetry/logger'
import { noteRoute } from '@paraph/telemetry/tracing-seam'
import { cookieName, parseCookies } from '@paraph/web/cookies'
import { readForm, type FormFields } from '@paraph/web/form-body'
import { pageHeaders } from '@paraph/web/security-headers'
import { accessOf } from '../access.js'
import { localeOf, rememberLocale } from '../page-locale.js'
import { pathOfTarget } from '../router.js'
import { principalOf, type Console, type ConsoleRequest, type ShownAccount, type Step } from './console.js'
import type { ConsoleSession } from './console-session.js'
import type { PageProps, ShellProps } from './pages/console-frame.js'
import { to } from './pages/links.js'
import { OutcomePage } from './pages/sign-in-pages.js'
import { mayAs } from './roles.js'
import { findRoute, pageOfForm, type Route } from './routes.js'
import { shownAccountId } from './shown-account.js'
import { createSteps } from './steps/all-steps.js'
import { sendPage, seeOther } from '@paraph/web/page-answer'
import { SESSION_COOKIE } from './steps/sign-in-steps.js'

const YEAR_SECONDS = 31_536_000
/** A page does not wait longer for a number beside a section. */
const COUNT_MS_MAX = 500
const NO_FIELDS: FormFields = new Map()

/** What follows the shared sheet on every page of the console. */
export const CONSOLE_SHEET = new URL('./pages/console.css', import.meta.url)

/** @param mayTry `AUTO_APPROVE=trial` [D38] @param styleHref where the sheet is served */
export function createConsole(
  parts: Console,
  { mayTry, styleHref, logger }: { mayTry: boolean; styleHref: string; logger: Logger },
): Middleware {
  const steps = createSteps(parts, { mayTry })
  const script = readFileSync(new URL('./pages/copy.js', import.meta.url), 'utf8')
  const scriptHref = `/assets/gateway/${createHash('sha256').update(script).digest('hex').slice(0, 16)}.js`
  const headers = pageHeaders(parts.https)

  return async (ctx, next) => {
    const path = pathOfTarget(ctx.req.url ?? '')
    if (path === scriptHref && isRead(ctx)) return sendScript(ctx)
    if (path !== to.home && !path.startsWith(`${to.home}/`)) return next()
    ctx.set(headers)
    noteRoute(path)
    let page = pageWithout(ctx, path)
    try {
      const found = findRoute(ctx.method, path)
      const request = await requestOf(ctx, page, found?.parameters ?? {})
      page = request.page
      if (!found) return sendPage(ctx, 404, <OutcomePage page={page} kind="notFound" />)
      await answer(ctx, path, found.route, request)
    } catch (thrown) {
      sayTrouble(ctx, page, thrown)
    }
  }

  async function answer(ctx: Context, path: string, route: Route, request: ConsoleRequest): Promise<void> {
    const { session, account, owned, isOperator, page } = request
    const visitor = { isSignedIn: session !== undefined, ownsAccount: account !== undefined, isOperator }
    if (!mayAs(route.may, visitor)) {
      if (!session) return seeOther(ctx, signInFor(path, ctx.method))
      // An operator's page is no page to anybody else; an owner's leads whoever has no account to where one is made.
      if (route.may === 'operator') return sendPage(ctx, 404, <OutcomePage page={page} kind="notFound" />)
      return seeOther(ctx, to.home)
    }
    const step = steps[route.step] as Step
    if (route.method === 'GET') return step(ctx, request)
    const fields = await readForm(ctx)
    // An owner's form changes the account that it was made for; what belongs to none is of use whichever the session shows by now.
    const accountIds =
      route.may === 'owner' ? [account?.row.id] : [undefined, ...owned.map(({ accountId }) => accountId)]
    const isOurs =
      session === undefined ||
      accountIds.some((id) => parts.formTokens.verifyForSession(fields.get('formToken'), formsOf(session, id)))
    // Before there is a session the steps check the form's own token, and say on the page when it is too old.
    if (!parts.isOwnForm(ctx) || (!isOurs && route.may !== 'anybody'))
      return sendPage(ctx, 403, <OutcomePage page={page} kind="form" />)
    return step(ctx, { ...request, fields })
  }

  async function requestOf(ctx: Context, bare: PageProps, parameters: Record<string, string>): Promise<ConsoleRequest> {
    const cookies = parseCookies(ctx.get('cookie'))
    const session = await parts.sessions.find(cookies.get(cookieName(SESSION_COOKIE, parts.https)))
    const now = await parts.now()
    const common = { now, parameters, fields: NO_FIELDS }
    if (!session) return { ...common, page: bare, session, owned: [], account: undefined, isOperator: false }
    const owned = await parts.owners.accountsOf(session.mailbox)
    const account = await accountOf(session, owned, now)
    const isOperator = parts.operatorEmails.includes(session.mailbox)
    const page = {
      ...bare,
      formToken: parts.formTokens.issueForSession(formsOf(session, account?.row.id)),
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
    const [row, { record }] = await Promise.all([parts.accounts.show(id), parts.accounts.readAccess(id)])
    return { row, access: accessOf(record, now) }
  }

  async function shellOf(
    { mailbox }: ConsoleSession,
    account: ShownAccount | undefined,
    isOperator: boolean,
    now: Date,
  ): Promise<ShellProps> {
    const keys = account ? await parts.keys.list(account.row.id) : []
    const isActive = ({ revokedAt, expiresAt }: (typeof keys)[number]) =>
      revokedAt === null && (expiresAt === null || expiresAt > now)
    return {
      mailbox,
      account: account && {
        ...{ name: account.row.name, access: account.access, keys: keys.filter(isActive).length },
        contracts: await countOf(account),
      },
      operator: isOperator ? { applications: (await parts.applications.queue(1)).waiting } : undefined,
    }
  }

  /** How many production contracts there are, in words beside the section; nothing while the contract service does not answer. */
  async function countOf({ row }: ShownAccount): Promise<{ count: number; isMore: boolean } | undefined> {
    if (row.tier === null) return undefined
    const { contract } = parts.others(principalOf(row, 'production'))
    return within(COUNT_MS_MAX, contract.count.query()).then(
      ({ total }) => total,
      () => undefined,
    )
  }

  function pageWithout(ctx: Context, asked: string): PageProps {
    rememberLocale(ctx, parts.https)
    const path = isRead(ctx) ? `${asked}${ctx.search}` : pageOfForm(asked)
    return {
      locale: localeOf(ctx, parts.https),
      ...{ styleHref, scriptHref, path, formToken: undefined, shell: undefined },
      ...{ statusHref: parts.statusUrl, operatorAddress: parts.operatorAddress },
    }
  }

  /** In words, on a page. What a step refuses with a sentence of its own is rare: its form was made to prevent it. */
  function sayTrouble(ctx: Context, page: PageProps, thrown: unknown): void {
    const error = asDomainError(thrown)
    const requestId = ctx.state['requestId'] as string
    if (error.status >= 500) logger.error({ err: error.cause ?? error, requestId }, 'a page of the console failed')
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

/** What a form token names: a session, and the account that it shows. */
const formsOf = ({ id }: ConsoleSession, accountId: string | undefined): string =>
  accountId === undefined ? id : `${id} ${accountId}`

const isRead = (ctx: Context): boolean => ctx.method === 'GET' || ctx.method === 'HEAD'

/** Where somebody without a session goes; back to the page afterwards, never to what a form does. */
const signInFor = (path: string, method: string): string =>
  method === 'GET' && path !== to.home ? `${to.signIn}?${new URLSearchParams({ next: path }).toString()}` : to.signIn
