// The files of brands at the origin of the share links: logos under their hash, and the style sheet of an accent colour. [D59]
import type { Context } from 'koa'
import type { SigningTemplate } from '@paraph/protocol/signing-paths'
import { accentSheet, nearestThatHolds } from '@paraph/web/accent'
import type { Brands } from './brands.js'

export const BRAND_TEMPLATE = '/assets/brand/{file}' satisfies SigningTemplate
export const BRAND_FILES = '/assets/brand/'

/** A mail program may keep a withdrawn logo for this long. Pages link it no longer. */
const DAY_SECONDS = 86_400

/** @returns false, without an answer, for a colour that does not hold and for a logo that no account shows */
export async function sendBrandFile(ctx: Context, brands: Brands): Promise<boolean> {
  const [, accent, sha256, type] =
    /^([0-9a-f]{6})\.css$|^([0-9a-f]{64})\.(png|jpeg)$/.exec(ctx.path.slice(BRAND_FILES.length)) ?? []
  const body = accent === undefined ? await logoOf(brands, sha256, type) : sheetOf(`#${accent}`)
  if (body === undefined) return false
  ctx.set('Cache-Control', `public, max-age=${DAY_SECONDS}`)
  // Web mail shows the logo on a page of its own.
  ctx.set('Cross-Origin-Resource-Policy', 'cross-origin')
  ctx.type = accent === undefined ? `image/${type}` : 'text/css; charset=utf-8'
  ctx.body = body
  return true
}

const sheetOf = (accent: string): string | undefined =>
  nearestThatHolds(accent, 'light') === accent ? accentSheet(accent) : undefined

async function logoOf(
  brands: Brands,
  sha256: string | undefined,
  type: string | undefined,
): Promise<Buffer | undefined> {
  const logo = sha256 === undefined ? undefined : await brands.logo(sha256)
  return logo?.type === type ? logo?.bytes : undefined
}
