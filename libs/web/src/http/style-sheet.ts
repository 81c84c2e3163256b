// The style sheet and scripts: compressed once and named by their hash, so that browsers can cache them for good.
// Pages are not compressed: a page holds a secret (the form token) beside typed text, and the length of the compressed page
// would reveal the secret to an eavesdropper who controls the typed text. (BREACH, CVE-2013-3587)
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Context } from 'koa'

/** In the order of the cascade: `modes` changes rules of the others. */
const SHARED = ['base', 'frame', 'paper', 'fields', 'buttons', 'signatures', 'contract-text', 'modes'].map(
  (name) => new URL(`../style/${name}.css`, import.meta.url),
)
const YEAR_SECONDS = 31_536_000

export interface Asset {
  type: 'css' | 'js'
  body: string
  /** 16 hexadecimal digits, for the path. */
  hash: string
  /** Encoding → the compressed body, best first. */
  encoded: ReadonlyMap<string, Buffer>
}

/** Reads the shared sheet and then `parts` (such as `new URL('./pages/ceremony.css', import.meta.url)`); call it once, at startup. */
export const loadStyleSheet = (parts: readonly URL[] = []): Asset =>
  assetOf('css', [...SHARED, ...parts].map((part) => readFileSync(part, 'utf8')).join('\n'))

export const loadScript = (file: URL): Asset => assetOf('js', readFileSync(file, 'utf8'))

function assetOf(type: Asset['type'], body: string): Asset {
  return {
    type,
    body,
    hash: createHash('sha256').update(body).digest('hex').slice(0, 16),
    encoded: new Map([
      ['br', brotliCompressSync(body)],
      ['gzip', gzipSync(body, { level: 9 })],
    ]),
  }
}

/** Sends it in the best encoding that the browser accepts, cacheable for a year. */
export function sendAsset(ctx: Context, { type, body, encoded }: Asset): void {
  ctx.set('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`)
  ctx.vary('Accept-Encoding')
  ctx.type = type === 'css' ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8'
  const encoding = ctx.acceptsEncodings([...encoded.keys(), 'identity'])
  const compressed = typeof encoding === 'string' ? encoded.get(encoding) : undefined
  if (compressed && typeof encoding === 'string') ctx.set('Content-Encoding', encoding)
  ctx.body = compressed ?? body
}
