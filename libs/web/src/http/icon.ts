// The icon of every page: the initial with its stroke, on ink blue.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Context } from 'koa'

const ICON = readFileSync(new URL('../icon.svg', import.meta.url), 'utf8')
const YEAR_SECONDS = 31_536_000

/** Its path, which contains the content hash. */
export const ICON_HREF = `/assets/icon-${createHash('sha256').update(ICON).digest('hex').slice(0, 16)}.svg`

/** Sends the icon, cacheable for a year. */
export function sendIcon(ctx: Context): void {
  ctx.set('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`)
  ctx.type = 'image/svg+xml'
  ctx.body = ICON
}
