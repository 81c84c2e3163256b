// Parses SMTP_URL. Pure. Requires TLS to a server on another machine, unless the URL disables TLS.

export interface SmtpSettings {
  host: string
  port: number
  /** `smtps://`: TLS from the first byte. */
  secure: boolean
  /** For `smtp://`: STARTTLS is required; or off, for a server on this machine or with `?tls=off`. */
  tls: 'required' | 'off'
  auth: { user: string; pass: string } | undefined
}

/** @throws Error with a message that does not repeat the URL, which may contain a password */
export function readSmtpUrl(text: string): SmtpSettings {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    throw new Error('must be smtp://host:port or smtps://host:port, with user:password@ where the relay asks for it')
  const secure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    tls: !secure && (url.searchParams.get('tls') === 'off' || isLoopback(host)) ? 'off' : 'required',
    auth:
      url.username === ''
        ? undefined
        : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
