// Serves the pages of catalogue.ts over HTTP, with the headers and style sheets of the services.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { basename } from 'node:path'
import Koa from 'koa'
import { mailCatalogue } from '@paraph/notification/test/mail-catalogue-fixture'
import { isLocale } from '@paraph/web/locale'
import { securityHeaders } from '@paraph/web/security-headers'
import { loadStyleSheet, sendStyleSheet, type StyleSheet } from '@paraph/web/style-sheet'
import { drawn, type SheetName } from './catalogue.js'

const sheet = (path: string): URL => new URL(`../../../services/${path}`, import.meta.url)
const REFERENCE_FRAME = 'gateway/src/reference/frame'
const SHEETS: Readonly<Record<SheetName, readonly URL[]>> = {
  ceremony: [sheet('signing/src/ceremony/pages/frame/ceremony.css')],
  console: [sheet('gateway/src/console/frame/console.css')],
  reference: ['reference', 'parts', 'panels', 'wide'].map((name) => sheet(`${REFERENCE_FRAME}/${name}.css`)),
}

/** The scripts of pages: file name → text. */
const SCRIPTS = new Map(
  ['gateway/src/console/frame/copy.js', 'gateway/src/reference/frame/search.js'].map((path) => [
    basename(path),
    readFileSync(new URL(`../../../services/${path}`, import.meta.url), 'utf8'),
  ]),
)

/** Fonts for screenshots instead of the system fonts, if the machine has them: CSS property → first font. */
const PICTURE_FONTS = { '--sans: ': 'Inter, ', '--serif: ': "'Charis SIL', ", '--mono: ': "'JetBrains Mono', " }

/** Starts the server. `urlOf('signing-02-code', 'fr')` returns the URL of a page, which has the HTTP status of the real page. */
export async function servePages({ forPictures = false } = {}) {
  const styles = new Map(
    (Object.keys(SHEETS) as SheetName[]).map((name) => {
      const loaded = loadStyleSheet(SHEETS[name])
      return [
        name,
        { href: `/assets/${name}/${loaded.hash}.css`, sheet: forPictures ? inPictureFonts(loaded) : loaded },
      ]
    }),
  )
  const app = new Koa()
  app.use(securityHeaders({ https: false })).use(async (ctx) => {
    const style = [...styles.values()].find(({ href }) => href === ctx.path)
    if (style) return sendStyleSheet(ctx, style.sheet)
    const script = SCRIPTS.get(basename(ctx.path))
    if (script !== undefined) return sendScript(ctx, script)
    const [, locale, name] = ctx.path.split('/')
    if (locale === 'mail') return sendMail(ctx, name)
    const entry = drawn.find((each) => each.name === name)
    if (!entry || !isLocale(locale)) return
    ctx.status = entry.status
    ctx.type = 'text/html; charset=utf-8'
    ctx.body = entry.render(locale, styles.get(entry.sheet)!.href)
  })
  const server = createServer(app.callback())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    /** `locale` is `mail` for a mail: `name` for its HTML part, `<name>.txt` for its text part. */
    urlOf: (name: string, locale: string) => `http://127.0.0.1:${port}/${locale}/${name}`,
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type PageServer = Awaited<ReturnType<typeof servePages>>

function sendScript(ctx: Koa.Context, script: string): void {
  ctx.type = 'text/javascript; charset=utf-8'
  ctx.body = script
}

function inPictureFonts(style: StyleSheet): StyleSheet {
  let { body } = style
  for (const [token, font] of Object.entries(PICTURE_FONTS)) body = body.replace(token, `${token}${font}`)
  return { ...style, body, encoded: new Map() }
}

/** Sends a mail below its sender, recipient and subject. A mail has inline styles, so it is sent without a content security policy. */
function sendMail(ctx: Koa.Context, name = ''): void {
  const mail = mailCatalogue.find((each) => each.name === name.replace(/\.txt$/, ''))
  if (!mail) return
  ctx.remove('Content-Security-Policy')
  ctx.type = 'text/html; charset=utf-8'
  const lines = [mail.from, `To: ${mail.to}`, mail.subject].map(
    (line, index) =>
      `<p style="margin:0 0 4px;overflow-wrap:anywhere;font:${index === 2 ? 600 : 400} 14px/1.4 Inter,sans-serif">${escape(line)}</p>`,
  )
  const head = `<div style="padding:4px 4px 12px;color:#15181b">${lines.join('')}</div>`
  const text = `<pre style="margin:0;padding:24px;background:#fff;font:13px/1.5 'JetBrains Mono',monospace;white-space:pre-wrap;overflow-wrap:anywhere">${escape(mail.text)}</pre>`
  ctx.body = name.endsWith('.txt')
    ? `<!doctype html><body style="margin:20px;background:#f3f4f2">${head}${text}`
    : mail.html
        .replace(/<body[^>]*>/, (body) => `${body}${head}`)
        .replaceAll('font-family:Segoe UI', 'font-family:Inter,Segoe UI')
        .replaceAll('font-family:Menlo', 'font-family:JetBrains Mono,Menlo')
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
