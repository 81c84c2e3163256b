// The style sheet as it is served: parts joined, compressed once, named by its hash, so that it may be cached for ever.
// Only this is compressed. A page is not: it holds a secret (the form's token) beside what somebody typed, and the length
// of such a page, compressed, tells the secret to whoever listens and can make the person type. (BREACH, CVE-2013-3587)
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Context } from 'koa'

const SHARED = new URL('./style.css', import.meta.url)
const YEAR_SECONDS = 31_536_000

export interface StyleSheet {
  body: string
  /** 16 hexadecimal digits; put them into the path. */
  hash: string
  /** Encoding → the compressed body, best first. */
  encoded: ReadonlyMap<string, Buffer>
}

/** Reads the shared sheet and then `parts` (such as `new URL('./pages/ceremony.css', import.meta.url)`), once, at the start. */
export function loadStyleSheet(parts: readonly URL[] = []): StyleSheet {
  const body = [SHARED, ...parts].map((part) => readFileSync(part, 'utf8')).join('\n')
  return {
    body,
    hash: createHash('sha256').update(body).digest('hex').slice(0, 16),
    encoded: new Map([
      ['br', brotliCompressSync(body)],
      ['gzip', gzipSync(body, { level: 9 })],
    ]),
  }
}

/** Answers with the sheet, in the best encoding that the browser takes; it may keep it for a year. */
export function sendStyleSheet(ctx: Context, style: StyleSheet): void {
  ctx.set('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`)
  ctx.vary('Accept-Encoding')
  ctx.type = 'text/css; charset=utf-8'
  const encoding = ctx.acceptsEncodings([...style.encoded.keys(), 'identity'])
  const encoded = typeof encoding === 'string' ? style.encoded.get(encoding) : undefined
  if (encoded && typeof encoding === 'string') ctx.set('Content-Encoding', encoding)
  ctx.body = encoded ?? style.body
}
