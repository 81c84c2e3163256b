// Decides from the browser's headers whether a POST came from our own page. A second defence beside the form token. [ceremony: headers]
import type { IncomingHttpHeaders } from 'node:http'

/**
 * False if the browser names another site as the sender of a form. `origin` is ours, such as `https://sign.example.com`.
 * A missing header proves nothing (old browsers), and our own `no-referrer` policy makes browsers send `Origin: null`.
 */
export function isSameOriginPost(headers: IncomingHttpHeaders, origin: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const sender = headers.origin
  return sender === undefined || sender === 'null' || sender === origin
}
