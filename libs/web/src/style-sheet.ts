// The style sheet as it is served: parts joined, named by its hash, so that it may be cached for ever.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const SHARED = new URL('./style.css', import.meta.url)

/**
 * Reads the shared sheet and then `parts` (such as `new URL('./pages/ceremony.css', import.meta.url)`), once, at the start.
 * Serve `body` under a path that holds `hash`, with `Cache-Control: public, max-age=31536000, immutable`.
 */
export function loadStyleSheet(parts: readonly URL[] = []): { body: string; hash: string } {
  const body = [SHARED, ...parts].map((part) => readFileSync(part, 'utf8')).join('\n')
  return { body, hash: createHash('sha256').update(body).digest('hex').slice(0, 16) }
}
