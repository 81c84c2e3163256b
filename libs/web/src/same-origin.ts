// Whether a POST came from our own page, as far as the browser says. A second wall behind the form token. [ceremony: headers]
import type { IncomingHttpHeaders } from 'node:http'

/**
 * False when the browser names another site as the sender of a form. `origin` is ours, such as `https://sign.example.com`.
 * A missing header is no evidence (old browsers), and `Origin: null` is what our own `no-referrer` policy makes browsers send.
 */
export function isSameOriginPost(headers: IncomingHttpHeaders, origin: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const sender = headers.origin
  return sender === undefined || sender === 'null' || sender === origin
}
