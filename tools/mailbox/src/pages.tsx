// The pages of the local start and their assets. Owns: routes, and the sandbox around the HTML of a message.
// Does not own: the look of pages (home-page, mailbox-page), access (server).
import type { Context, Middleware } from 'koa'
import { readFileSync } from 'node:fs'
import { DomainError } from '@paraph/protocol/errors'
import { ICON_HREF, sendIcon } from '@paraph/web/icon'
import { seeOther, sendPage } from '@paraph/web/page-answer'
import { loadStyleSheet, sendAsset } from '@paraph/web/style-sheet'
import { HomePage, type HomeData } from './home-page.js'
import { MailboxPage, VIEWS } from './mailbox-page.js'
import type { MailStore, StoredMessage } from './store.js'

const MESSAGES_SHOWN = 100

// The HTML of a mail is untrusted: no script, no form and no external resource, even when it is opened alone.
const MESSAGE_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ')

const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  // The icon of the page.
  "img-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface MailboxPagesDeps {
  store: MailStore
  home: () => Omit<HomeData, 'styleHref'>
}

/** Calls `home` on each request, because its data change while the stack runs. */
export function mailboxPages({ store, home }: MailboxPagesDeps): Middleware {
  const style = loadStyleSheet([new URL('./local.css', import.meta.url)])
  const styleHref = `/assets/${style.hash}.css`
  const copyScript = readFileSync(new URL('./copy-button.js', import.meta.url), 'utf8')

  async function mailbox(ctx: Context, chosenId?: string): Promise<void> {
    const filter = [ctx.query['to'] ?? ''].flat()[0]?.trim() ?? ''
    const wanted = filter.toLowerCase()
    const found = store
      .list()
      .filter(({ to, cc, bcc }) => [...to, ...cc, ...bcc].some(({ address }) => address.toLowerCase().includes(wanted)))
    const current = chosenId === undefined ? await store.get(found[0]?.id ?? '') : await messageOf(chosenId)
    if (chosenId !== undefined) await store.markRead(chosenId)
    ctx.set('Content-Security-Policy', PAGE_POLICY)
    sendPage(
      ctx,
      200,
      <MailboxPage
        styleHref={styleHref}
        messages={found.slice(0, MESSAGES_SHOWN)}
        total={found.length}
        filter={filter}
        current={current}
        view={VIEWS.find((view) => view === ctx.query['view']) ?? 'html'}
        isMessageChosen={chosenId !== undefined}
      />,
    )
  }

  async function messageOf(id: string): Promise<StoredMessage> {
    const message = await store.get(id)
    if (!message) throw new DomainError('not_found', 'This message is no longer in the mailbox.')
    return message
  }

  async function messageHtml(ctx: Context, id: string): Promise<void> {
    const { content } = await messageOf(id)
    ctx.set('Content-Security-Policy', MESSAGE_POLICY)
    ctx.type = 'html'
    ctx.body = withLinksInNewWindow(content.html)
  }

  async function download(ctx: Context, id: string): Promise<void> {
    await messageOf(id)
    ctx.attachment(`${id}.eml`)
    ctx.set('Content-Type', 'message/rfc822')
    ctx.body = await store.raw(id)
  }

  return async (ctx, next) => {
    if (ctx.method === 'POST' && ctx.path === '/mailbox/empty') {
      await store.clear()
      return seeOther(ctx, '/mailbox')
    }
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    const [, id, part] = /^\/mailbox\/([a-z0-9]+)(\/html|\.eml)?$/.exec(ctx.path) ?? []
    if (ctx.path === '/') sendPage(ctx, 200, <HomePage styleHref={styleHref} {...home()} />)
    else if (ctx.path === '/mailbox') await mailbox(ctx)
    else if (id !== undefined && part === '/html') await messageHtml(ctx, id)
    else if (id !== undefined && part === '.eml') await download(ctx, id)
    else if (id !== undefined) await mailbox(ctx, id)
    else if (ctx.path === styleHref) sendAsset(ctx, style)
    else if (ctx.path === ICON_HREF) sendIcon(ctx)
    else if (ctx.path === '/assets/copy.js') {
      ctx.set('Cache-Control', 'no-cache')
      ctx.type = 'text/javascript; charset=utf-8'
      ctx.body = copyScript
    } else if (ctx.path === '/sandbox-key') {
      // The gateway shows it in the samples of the reference.
      ctx.body = `${home().sandboxKey}\n`
    } else await next()
  }
}

/** Makes links open a new window, because our pages refuse to be shown in a frame. */
function withLinksInNewWindow(html: string): string {
  const base = '<base target="_blank">'
  return /<head[^>]*>/i.test(html) ? html.replace(/<head[^>]*>/i, (head) => `${head}${base}`) : `${base}${html}`
}
