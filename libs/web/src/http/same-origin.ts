// Decides from the browser's headers whether a POST came from our own page. A second defence beside the form token. [ceremony: headers]
import type { IncomingHttpHeaders } from 'node:http'

/**
 * False if the browser names another site as the sender of a form. `origin` is ours, such as `https://sign.example.com`.
 * A missing header proves nothing (old browsers). `Origin: null` alone is refused: our pages have the referrer policy `same-origin`, under
 * which every browser names its origin to us, and another site may hide its own.
 */
export function isSameOriginPost(headers: IncomingHttpHeaders, origin: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const sender = headers.origin
  return sender === undefined || sender === origin
}
