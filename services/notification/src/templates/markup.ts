// HTML for mail, written by hand: tables, inline styles, no images, about 3 KB. Pure.
// Owns: escaping and the frame. A name from outside reaches HTML only through `html`, which escapes what it is given.

const WRAPPED = Symbol('html')

/** A piece of markup; only `html` makes one. */
export interface Markup {
  [WRAPPED]: string
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Markup from a literal; strings and numbers put into it are escaped, pieces of markup and lists of them are not. */
export function html(literals: TemplateStringsArray, ...values: (string | number | Markup | Markup[])[]): Markup {
  const parts = literals.map((literal, index) => literal + (index < values.length ? render(values[index] ?? '') : ''))
  return { [WRAPPED]: parts.join('') }
}

function render(value: string | number | Markup | Markup[]): string {
  if (Array.isArray(value)) return value.map(render).join('')
  if (typeof value === 'object') return value[WRAPPED]
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}

/** A name from outside: its direction never runs over into the words around it. */
export const name = (text: string): Markup => html`<bdi>${oneLine(text)}</bdi>`

/** The API refuses such names (D14); a mail must not break even if one got in. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069\u200E\u200F\u061C]+/gu, ' ').trim()
}

const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/

/** The same for plain text: right-to-left names are isolated by the characters made for it. */
export function textName(text: string): string {
  const line = oneLine(text)
  return RIGHT_TO_LEFT.test(line) ? `\u2068${line}\u2069` : line
}

const INK = '#14171a'
const MUTED = '#4a5157'
const BLUE = '#25379c'
const FONT = 'font-family:Inter,Segoe UI,Helvetica,Arial,sans-serif'

export const heading = (content: Markup): Markup =>
  html`<h1 style="font-size:22px;line-height:1.25;margin:0 0 16px">${content}</h1>`
export const subheading = (content: Markup): Markup =>
  html`<h2 style="font-size:17px;line-height:1.3;margin:0 0 8px">${content}</h2>`
export const paragraph = (content: Markup): Markup => html`<p style="margin:0 0 16px">${content}</p>`
export const small = (content: Markup): Markup =>
  html`<p style="margin:0 0 8px;font-size:13px;line-height:1.5;color:${MUTED}">${content}</p>`
export const rule = html`<hr style="border:0;border-top:1px solid #dcdfe1;margin:24px 0" />`
export const link = (url: string, label: string): Markup => html`<a href="${url}" style="color:${BLUE}">${label}</a>`

export const button = (url: string, label: string): Markup =>
  html`<p style="margin:24px 0">
    <a
      href="${url}"
      style="display:inline-block;background:${BLUE};color:#ffffff;font-weight:600;text-decoration:none;padding:13px 24px;border-radius:4px"
      >${label}</a
    >
  </p>`

export const facts = (rows: [string, Markup][]): Markup =>
  html`<table role="presentation" cellpadding="0" cellspacing="0" style="border-collapse:collapse">
    ${rows.map(
      ([label, value]) =>
        html`<tr>
          <td style="padding:4px 16px 4px 0;color:${MUTED};vertical-align:top;white-space:nowrap">${label}</td>
          <td style="padding:4px 0;vertical-align:top">${value}</td>
        </tr> `,
    )}
  </table>`

/** A text in another language than the document. */
export const inLanguage = (lang: string, content: Markup[]): Markup => html`<div lang="${lang}">${content}</div>`

/**
 * The whole document.
 * @param bar stands above everything; the sandbox's words
 */
export function frame({
  lang,
  title,
  bar,
  content,
}: {
  lang: string
  title: string
  bar: string | undefined
  content: Markup[]
}): string {
  const banner =
    bar === undefined
      ? html``
      : html`<p style="margin:0;padding:10px 32px;background:#fff1cc;color:#4a3500;font-size:14px;font-weight:600">
          ${bar}
        </p>`
  const document = html`<!doctype html>
    <html lang="${lang}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
      </head>
      <body style="margin:0;padding:24px 8px;background:#f2f2f1;color:${INK};${FONT};font-size:16px;line-height:1.5">
        <table
          role="presentation"
          cellpadding="0"
          cellspacing="0"
          align="center"
          style="width:100%;max-width:536px;margin:0 auto;background:#ffffff"
        >
          <tr>
            <td>
              ${banner}
              <div style="padding:32px;overflow-wrap:anywhere">
                <p style="margin:0 0 24px">
                  <span style="font-weight:700;font-size:17px;border-bottom:2px solid ${BLUE}">Paraph</span>
                </p>
                ${content}
              </div>
            </td>
          </tr>
        </table>
      </body>
    </html> `
  return render(document)
    .replace(/\n\s+/g, '\n')
    .replace(/>\s*\n+\s*</g, '>\n<')
}
