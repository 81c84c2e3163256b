// The served style sheet: its parts joined, compressed once and named by their hash, so that browsers can cache it for good.
// Pages are not compressed: a page holds a secret (the form token) beside typed text, and the length of the compressed page
// would reveal the secret to an eavesdropper who controls the typed text. (BREACH, CVE-2013-3587)
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Context } from 'koa'

/** In the order of the cascade: `modes` changes rules of the others. */
const SHARED = ['base', 'frame', 'paper', 'fields', 'buttons', 'signatures', 'modes'].map(
  (name) => new URL(`../style/${name}.css`, import.meta.url),
)
const YEAR_SECONDS = 31_536_000

export interface StyleSheet {
  body: string
  /** 16 hexadecimal digits, for the path. */
  hash: string
  /** Encoding → the compressed body, best first. */
  encoded: ReadonlyMap<string, Buffer>
}

/** Reads the shared sheet and then `parts` (such as `new URL('./pages/ceremony.css', import.meta.url)`); call it once, at startup. */
export function loadStyleSheet(parts: readonly URL[] = []): StyleSheet {
  const body = [...SHARED, ...parts].map((part) => readFileSync(part, 'utf8')).join('\n')
  return {
    body,
    hash: createHash('sha256').update(body).digest('hex').slice(0, 16),
    encoded: new Map([
      ['br', brotliCompressSync(body)],
      ['gzip', gzipSync(body, { level: 9 })],
    ]),
  }
}

/** Sends the sheet in the best encoding that the browser accepts, cacheable for a year. */
export function sendStyleSheet(ctx: Context, style: StyleSheet): void {
  ctx.set('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`)
  ctx.vary('Accept-Encoding')
  ctx.type = 'text/css; charset=utf-8'
  const encoding = ctx.acceptsEncodings([...style.encoded.keys(), 'identity'])
  const encoded = typeof encoding === 'string' ? style.encoded.get(encoding) : undefined
  if (encoded && typeof encoding === 'string') ctx.set('Content-Encoding', encoding)
  ctx.body = encoded ?? style.body
}
