// Bodies that are the same for every reader: compressed once, named by an ETag, cacheable by browsers and proxies.
// They hold no secret that the length of a compressed body could reveal (see style-sheet.ts in libs/web).
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Context } from 'koa'

export interface PublicBody {
  contentType: string
  text: string
  gzip: Buffer
  /** Weak, because it names both encodings. */
  etag: string
}

export const publicBody = (contentType: string, text: string): PublicBody => ({
  contentType,
  text,
  gzip: gzipSync(text),
  etag: `W/"${createHash('sha256').update(text).digest('hex').slice(0, 16)}"`,
})

/** Sends `body`, or a 304 if the client has it. */
export function sendPublicBody(ctx: Context, body: PublicBody, cacheControl: string): void {
  ctx.status = 200
  ctx.set({ 'Cache-Control': cacheControl, ETag: body.etag })
  ctx.vary('Accept-Encoding')
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  ctx.type = body.contentType
  const isCompressed = ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  if (isCompressed) ctx.set('Content-Encoding', 'gzip')
  ctx.body = isCompressed ? body.gzip : body.text
}
