// What a mail shows of the brand that the operator approved for an account: its colours, its logo or name in the head, and our name in
// the foot. Pure. [D36, D59]
import { logoPath, type LogoFacts } from '@paraph/protocol/brand'
import { accentColours } from '@paraph/web/accent'
import type { Look } from '../mail-data.js'
import { ACCENT, html, INK, name, SOFT, type Markup, type Palette } from './markup.js'

const OURS: Palette = {
  light: { accent: '#26399e', onAccent: '#ffffff' },
  dark: { accent: '#a6b5ff', onAccent: '#0f1850' },
}

export const paletteOf = (look: Look | undefined): Palette =>
  look?.accent ? { light: accentColours(look.accent, 'light'), dark: accentColours(look.accent, 'dark') } : OURS

const MARK_NAME = 'Paraph'
/** In our colours, whatever the palette. */
const MARK = html`<strong class="m" style="border-bottom:2px solid ${OURS.light.accent}">${MARK_NAME}</strong>`
/** For dark mode. */
export const MARK_RULE = `.m{border-color:${OURS.dark.accent}!important}`

/** The first line of a mail: our mark, or the logo or the name of the account. */
export function markOrBrandOf(look: Look | undefined): Markup {
  if (!look) return MARK
  const { logo, accountName, shareBaseUrl } = look
  if (!logo)
    return html`<strong class="n" style="border-bottom:2px solid ${ACCENT};line-height:30px;letter-spacing:-0.02em"
      >${name(accountName)}</strong
    >`
  const { width, height } = sizeInMail(logo)
  // A mail program that blocks images shows the alternative text, which looks like a name in the head.
  return html`<img
    class="l"
    src="${shareBaseUrl}${logoPath(logo)}"
    alt="${accountName}"
    width="${width}"
    height="${height}"
    style="display:block;border:0;color:${INK};font-weight:700"
  />`
}

/** For dark mode. A logo is drawn for a light ground, so it has one there too, and so has its alternative text. */
export const brandRules = (look: Look | undefined): string =>
  look
    ? `.n{border-color:${paletteOf(look).dark.accent}!important}.l{padding:8px 10px!important;border-radius:6px!important;background:#ffffff!important}`
    : ''

/** The most room of a logo, in CSS pixels. */
const LOGO_BOX = { width: 200, height: 48 }

/** Fits a logo into its box: the ratio stays, and a small logo is not enlarged. */
function sizeInMail({ width, height }: LogoFacts) {
  const scale = Math.min(1, LOGO_BOX.width / width, LOGO_BOX.height / height)
  const scaled = (side: number): number => Math.max(1, Math.round(side * scale))
  return { width: scaled(width), height: scaled(height) }
}

/** The last line of a mail with a brand, in plain text and in HTML. The mark belongs to our name only. */
export function foot(look: Look | undefined): { text: string[]; markup: Markup[] } {
  if (!look) return { text: [], markup: [] }
  const { footName } = look
  const shown = footName === MARK_NAME ? MARK : html`<strong>${footName}</strong>`
  return {
    text: [`via ${footName}`],
    markup: [html`<p class="s" style="margin:24px 0 0;font-size:14px;line-height:22px;color:${SOFT}">via ${shown}</p>`],
  }
}
