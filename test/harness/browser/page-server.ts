// Serves the pages of catalogue.ts over HTTP, with the headers and style sheets of the services.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { basename } from 'node:path'
import Koa from 'koa'
import { CONSOLE_SHEETS } from '@paraph/gateway/console/frame/sheets'
import { mailCatalogue } from '@paraph/notification/test/mail-catalogue-fixture'
import { SAMPLE_LOGO } from '@paraph/testing/test/logo-fixture'
import { accentSheet } from '@paraph/web/accent'
import { SHARE_BASE_URL } from '@paraph/testing/test/sample-data-fixture'
import { isLocale } from '@paraph/web/locale'
import { securityHeaders } from '@paraph/web/security-headers'
import { loadStyleSheet, sendAsset, type Asset } from '@paraph/web/style-sheet'
import { drawn, type SheetName } from './catalogue.js'
import { inPictureFonts, loadPictureFonts, type PictureFonts } from './picture-fonts.js'

const sheet = (path: string): URL => new URL(`../../../services/${path}`, import.meta.url)
const REFERENCE_FRAME = 'gateway/src/reference/frame'
const SHEETS: Readonly<Record<SheetName, readonly URL[]>> = {
  ceremony: [sheet('signing/src/ceremony/pages/frame/ceremony.css')],
  console: CONSOLE_SHEETS,
  reference: ['reference', 'parts', 'panels', 'wide'].map((name) => sheet(`${REFERENCE_FRAME}/${name}.css`)),
  home: [sheet('gateway/src/home/home.css')],
}

/** The scripts of pages: file name → text. */
const SCRIPTS = new Map(
  [
    'services/gateway/src/console/frame/copy.js',
    'services/gateway/src/reference/frame/search.js',
    'libs/web/src/parts/local-zone.js',
  ].map((path) => [basename(path), readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')]),
)

/**
 * Starts the server. `urlOf('signing-02-code', 'fr')` returns the URL of a page, which has the HTTP status of the real page.
 * @param forPictures serves pages and mails in the fonts of pictures
 */
export async function servePages({ forPictures = false } = {}) {
  const fonts = forPictures ? loadPictureFonts() : undefined
  const styles = new Map(
    (Object.keys(SHEETS) as SheetName[]).map((name) => {
      const loaded = loadStyleSheet(SHEETS[name])
      return [name, { href: `/assets/${name}/${loaded.hash}.css`, sheet: fonts ? withFonts(loaded, fonts) : loaded }]
    }),
  )
  const app = new Koa()
  app.use(securityHeaders({ https: false })).use(async (ctx) => {
    if (fonts) ctx.set('Content-Security-Policy', `${ctx.response.get('Content-Security-Policy')}; font-src 'self'`)
    if (fonts && ctx.path.startsWith('/fonts/')) return sendFont(ctx, fonts)
    const style = [...styles.values()].find(({ href }) => href === ctx.path)
    if (style) return sendAsset(ctx, style.sheet)
    const script = SCRIPTS.get(basename(ctx.path))
    if (script !== undefined) return sendScript(ctx, script)
    if (/\/brand\//.test(ctx.path)) return sendBrand(ctx)
    const [, locale, name] = ctx.path.split('/')
    if (locale === 'mail') return sendMail(ctx, name, fonts)
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

/** The logo of every brand in the catalogue, or the style sheet of an accent. */
function sendBrand(ctx: Koa.Context): void {
  const [, accent] = /(\w{6})\.css$/.exec(ctx.path) ?? []
  ctx.type = accent === undefined ? 'image/png' : 'text/css'
  ctx.body = accent === undefined ? SAMPLE_LOGO.bytes : accentSheet(`#${accent}`)
}

function sendFont(ctx: Koa.Context, fonts: PictureFonts): void {
  ctx.type = 'font/woff2'
  ctx.body = fonts.read(ctx.path)
}

const withFonts = (style: Asset, { pageCss }: PictureFonts): Asset => ({
  ...style,
  body: `${style.body}\n${pageCss}`,
  encoded: new Map(),
})

const HEAD_STYLE = 'margin:0 0 4px;overflow-wrap:anywhere;line-height:1.4;font-size:14px;font-family:Segoe UI'
const TEXT_STYLE =
  'margin:0;padding:24px;background:#fff;line-height:1.5;font-size:13px;font-variant-ligatures:none;font-family:Menlo;white-space:pre-wrap;overflow-wrap:anywhere'

/** Sends a mail below its sender, recipient and subject. A mail has inline styles, so it is sent without a content security policy. */
function sendMail(ctx: Koa.Context, name = '', fonts?: PictureFonts): void {
  const mail = mailCatalogue.find((each) => each.name === name.replace(/\.txt$/, ''))
  if (!mail) return
  ctx.remove('Content-Security-Policy')
  ctx.type = 'text/html; charset=utf-8'
  const lines = [mail.from, `To: ${mail.to}`, mail.subject].map(
    (line, index) => `<p style="${HEAD_STYLE};font-weight:${index === 2 ? 600 : 400}">${escape(line)}</p>`,
  )
  const head = `<div style="padding:4px 4px 12px;color:#15181b;background:#f3f4f2">${lines.join('')}</div>`
  const html = name.endsWith('.txt')
    ? `<!doctype html><head></head><body style="margin:20px;background:#f3f4f2">${head}<pre style="${TEXT_STYLE}">${escape(mail.text)}</pre>`
    : mail.html
        .replace(/<body[^>]*>/, (body) => `${body}${head}`)
        .replaceAll(`${SHARE_BASE_URL}/assets/brand/`, '/assets/brand/')
  ctx.body = fonts ? inPictureFonts(html).replace('</head>', `<style>${fonts.css}</style></head>`) : html
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
