// HTML for mail: tables, inline styles, no images. Pure. [ceremony: mails]
// Owns escaping, names, the building blocks and the frame. External text reaches HTML only through `html`, which escapes it. Every mail
// program keeps inline styles; the style sheet in the head adds only dark mode and narrower margins on phones.

import { splitAtPlaces, type Names } from './plain-text.js'

const WRAPPED = Symbol('html')

/** A piece of markup, which only `html` can create. */
export interface Markup {
  [WRAPPED]: string
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Markup from a template literal: escapes strings and numbers, and inserts markup and lists of markup unchanged. */
export function html(literals: TemplateStringsArray, ...values: (string | number | Markup | Markup[])[]): Markup {
  const parts = literals.map((literal, index) => literal + (index < values.length ? render(values[index] ?? '') : ''))
  return { [WRAPPED]: parts.join('') }
}

function render(value: string | number | Markup | Markup[]): string {
  if (Array.isArray(value)) return value.map(render).join('')
  if (typeof value === 'object') return value[WRAPPED]
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}

/** Characters that join the parts of a web or mail address. */
const ADDRESS_JOINT = /(?<=\S)([.@:\u3002\uFF0E\uFF20\uFF61])(?=\S)/u

/**
 * Renders an external name. `<bdi>` isolates its text direction. Mail programs turn an address into a link only if its text is
 * contiguous, so an invisible `<span>` surrounds each character of ADDRESS_JOINT.
 */
export function name(text: string): Markup {
  const pieces = text
    .split(ADDRESS_JOINT)
    .map((piece, index) => (index % 2 ? html`<span>${piece}</span>` : html`${piece}`))
  return html`<bdi>${pieces}</bdi>`
}

/** Our own sentence in HTML, with each `{placeholder}` replaced by the external name of that key. */
export const fillMarkup = (sentence: string, names: Names): Markup =>
  html`${splitAtPlaces(sentence).map((piece, index) => (index % 2 ? name(names[piece] ?? '') : html`${piece}`))}`

// The design tokens of the pages, in light mode. SHEET has those of dark mode. [ceremony: how the pages look]
const INK = '#15181b'
const SOFT = '#4b535a'
const ACCENT = '#26399e'
const RULE = '#dcdfde'
const FONT = 'font-family:Segoe UI,system-ui,-apple-system,Roboto,Noto Sans,Arial,sans-serif'
const MONO = 'font-family:Menlo,Consolas,Cascadia Mono,monospace'

/** Dark mode for mail programs that support it, and narrower margins on phones. */
const SHEET = [
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
  '.a{color:#a6b5ff!important}',
  '.b{background:#a6b5ff!important;color:#0f1850!important}',
  '.t{background:#4a3b00!important;color:#ffe59a!important}',
  '.m{border-color:#a6b5ff!important}',
  'hr,blockquote,.f{border-color:#2f3539!important}',
  '}',
].join('')

/** The heading in the first language. */
export const heading = (content: Markup): Markup =>
  html`<h1 style="margin:0 0 14px;font-size:25px;line-height:30px;letter-spacing:-0.02em;text-wrap:balance">
    ${content}
  </h1>`
/** The heading in the second language. */
export const subheading = (content: Markup): Markup =>
  html`<h2 style="margin:0 0 10px;font-size:19px;line-height:25px;letter-spacing:-0.01em">${content}</h2>`
/** Running text. */
export const paragraph = (content: Markup): Markup => html`<p style="margin:0 0 16px">${content}</p>`
/** The paragraph below a list of rows. */
export const paragraphBelow = (text: string): Markup => html`<p style="margin:24px 0 16px">${text}</p>`
/** Shows that a file is attached. */
export const attached = (fileName: string, size: string): Markup =>
  html`<p
    class="f"
    style="display:inline-block;margin:0 0 8px;padding:12px 20px;border:1px solid ${RULE};border-radius:6px"
  >
    <strong>${fileName}</strong><br />${muted(html`${size}`)}
  </p>`
/** Secondary text, smaller and in a muted colour. */
export const small = (content: Markup): Markup =>
  html`<p class="s" style="margin:0 0 11px;font-size:14px;line-height:22px;color:${SOFT}">${content}</p>`
/** Text of another person in an unknown language, one paragraph per line. */
export const quotation = (lines: string[]): Markup =>
  html`<blockquote lang="" style="margin:0 0 16px;padding:2px 0 2px 16px;border-left:2px solid ${RULE}">
    ${lines.map((line) => html`<p style="margin:0 0 8px">${name(line)}</p>`)}
  </blockquote>`
/** A horizontal line between two parts. */
export const rule = html`<hr style="margin:32px 0 24px;border:0;border-top:1px solid ${RULE}" />`
/** A link with our own `label` and `url`. */
export const link = (url: string, label: string): Markup =>
  html`<a class="a" href="${url}" style="color:${ACCENT}">${label}</a>`

/** Our own text, such as a contract number, that no line break tears at its hyphens. */
export const unbroken = (text: string): Markup => html`<span style="white-space:nowrap">${text}</span>`
/** Less important than its neighbours. */
export const muted = (content: Markup): Markup => html`<span class="s" style="color:${SOFT}">${content}</span>`

/** A web address to read or copy. It is a link, because a mail program would otherwise link it to `http:`. */
export const address = (url: string): Markup =>
  html`<p style="margin:0;font-size:13px;line-height:20px">
    <a class="s" href="${url}" style="color:${SOFT};text-decoration:none">${url.replace(/^https:\/\//, '')}</a>
  </p>`

/** The main action; a table, because Outlook applies padding only to cells. */
export const button = (url: string, label: string): Markup =>
  html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:28px 0 24px">
    <tr>
      <td class="b" style="border-radius:6px;background:${ACCENT};mso-padding-alt:15px 26px">
        <a
          class="b"
          href="${url}"
          style="display:inline-block;padding:15px 26px;border-radius:6px;color:#ffffff;font-weight:600;text-decoration:none"
          >${label}</a
        >
      </td>
    </tr>
  </table>`

/** A code of 6 digits, or of 12 in a smaller size, so that it fits on a narrow phone. */
export const code = (digits: string): Markup =>
  html`<p
    style="margin:24px 0;${MONO};font-size:${digits.length > 6 ? '24px' : '38px'};line-height:48px;letter-spacing:0.14em"
  >
    ${digits}
  </p>`
/** A machine-readable line, such as the line for autofill of a code. */
export const machineLine = (text: string): Markup =>
  html`<p class="s" style="margin:0;${MONO};font-size:13px;line-height:20px;color:${SOFT}">${text}</p>`

/** Rows with a label and a value. `label` is our own text; `markup` may hold external text. */
export const rowTable = (rows: { label: string; markup: Markup }[]): Markup =>
  html`<table class="r" role="presentation" cellpadding="0" cellspacing="0">
    ${rows.map(
      ({ label, markup }) =>
        html`<tr valign="top">
          <td class="s" nowrap style="padding:2px 20px 2px 0;color:${SOFT}">${label}</td>
          <td style="padding:2px 0">${markup}</td>
        </tr> `,
    )}
  </table>`

/** A part in another language than the document. [WCAG 3.1.2] */
export const inLanguage = (lang: string, content: Markup[]): Markup => html`<div lang="${lang}">${content}</div>`

interface Framed {
  lang: string
  title: string
  /** The sandbox mark, above the content. */
  bar: Markup | undefined
  content: Markup[]
}

/** The whole HTML document. */
export function frame({ lang, title, bar, content }: Framed): string {
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
          ${SHEET}
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
                <strong class="m" style="border-bottom:2px solid ${ACCENT}">Paraph</strong>
              </p>
              ${content}
            </td>
          </tr>
        </table>
      </body>
    </html> `
  return render(document).replace(/\n\s+/g, '\n')
}
