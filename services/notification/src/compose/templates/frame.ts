// The document of a mail: its style sheet, the sandbox bar, the head and the content. Pure. [ceremony: mails]
import type { Look } from '../mail-data.js'
import { brandRules, markOrBrandOf, MARK_RULE, paletteOf } from './brand.js'
import { html, INK, render, type Markup } from './markup.js'

const FONT = 'font-family:Segoe UI,system-ui,-apple-system,Roboto,Noto Sans,Arial,sans-serif'

/** Dark mode for mail programs that support it, and narrower margins on phones. */
function sheet(look: Look | undefined): string {
  const { accent, onAccent } = paletteOf(look).dark
  return [
    ':root{color-scheme:light dark}',
    '@media(max-width:480px){',
    '.p{padding:28px 20px!important}.t{padding:10px 20px!important}h1{font-size:22px!important;line-height:27px!important}',
    // Each label above its value, which then has the whole width.
    '.r td{display:block;padding:0!important}.r td.s{padding-top:8px!important}.r td:empty{display:none}',
    '}',
    '@media(prefers-color-scheme:dark){',
    'body{background:#101315!important}',
    '.d{background:#191d20!important;color:#e9ebec!important}',
    '.s{color:#a8b0b6!important}',
    `.a{color:${accent}!important}`,
    `.b{background:${accent}!important;color:${onAccent}!important}`,
    '.t{background:#4a3b00!important;color:#ffe59a!important}',
    MARK_RULE,
    brandRules(look),
    'hr,blockquote,.f{border-color:#2f3539!important}',
    '}',
  ].join('')
}

interface Framed {
  lang: string
  title: string
  /** The sandbox mark, above the content. */
  bar: Markup | undefined
  content: Markup[]
  look: Look | undefined
}

/** The whole HTML document. */
export function frame({ lang, title, bar, content, look }: Framed): string {
  const banner = bar
    ? html`<tr>
        <td class="t" style="padding:10px 36px;background:#ffdf6b;color:#332700;font-size:14px;font-weight:600">
          ${bar}
        </td>
      </tr>`
    : html``
  const document = html`<!doctype html>
    <html lang="${lang}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no" />
        <title>${title}</title>
        <style>
          ${sheet(look)}
        </style>
      </head>
      <body style="margin:0;padding:32px 20px;background:#f3f4f2">
        <table
          class="d"
          role="presentation"
          width="600"
          align="center"
          cellpadding="0"
          cellspacing="0"
          style="width:100%;max-width:600px;margin:0 auto;background:#ffffff;color:${INK};${FONT};font-size:16px;line-height:1.55;overflow-wrap:anywhere;word-break:break-word"
        >
          ${banner}
          <tr>
            <td class="p" style="padding:36px">
              <p style="margin:0 0 26px;font-size:19px;line-height:24px;letter-spacing:-0.04em">
                ${markOrBrandOf(look)}
              </p>
              ${content}
            </td>
          </tr>
        </table>
      </body>
    </html> `
  return render(document, paletteOf(look).light).replace(/\n\s+/g, '\n')
}
