// HTML for mail: tables and inline styles, which every mail program keeps. Pure. [ceremony: mails]
// Owns escaping, names and the building blocks. External text reaches HTML only through `html`, which escapes it. frame.ts has the document.

import type { AccentColours } from '@paraph/web/accent'
import { splitAtPlaces, type Names } from './plain-text.js'

type Colours = Pick<AccentColours, 'accent' | 'onAccent'>
/** The colours of links and buttons, which a brand replaces. [D59] */
export type Palette = Record<'light' | 'dark', Colours>

const WRAPPED = Symbol('html')

/** A piece of markup, which only this file can create. Its colours in light mode are known when the whole mail is rendered. */
export interface Markup {
  [WRAPPED]: (colours: Colours) => string
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Markup from a template literal: escapes strings and numbers, and inserts markup and lists of markup unchanged. */
export const html = (literals: TemplateStringsArray, ...values: (string | number | Markup | Markup[])[]): Markup => ({
  [WRAPPED]: (colours) =>
    literals
      .map((literal, index) => literal + (index < values.length ? render(values[index] ?? '', colours) : ''))
      .join(''),
})

/** The text of a piece of markup. */
export function render(value: string | number | Markup | Markup[], colours: Colours): string {
  if (Array.isArray(value)) return value.map((each) => render(each, colours)).join('')
  if (typeof value === 'object') return value[WRAPPED](colours)
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

// The design tokens of the pages, in light mode. frame.ts has those of dark mode. [ceremony: how the pages look]
export const INK = '#15181b'
export const SOFT = '#4b535a'
export const ACCENT: Markup = { [WRAPPED]: ({ accent }) => accent }
const ON_ACCENT: Markup = { [WRAPPED]: ({ onAccent }) => onAccent }
const RULE = '#dcdfde'
const MONO = 'font-family:Menlo,Consolas,Cascadia Mono,monospace'

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
          style="display:inline-block;padding:15px 26px;border-radius:6px;color:${ON_ACCENT};font-weight:600;text-decoration:none"
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
