// Hands one mail to the relay over SMTP. The only file that imports nodemailer. [D23, F6, F7]
// Owns: the connection, headers that every mail has, what an SMTP failure means. Does not own: when to try again.
import nodemailer from 'nodemailer'
import type { SmtpSettings } from './smtp-url.js'

/** One mail to one person. Names and addresses go in as they are and are never parsed out of a string. */
export interface Mail {
  messageId: string
  fromName: string
  to: { name: string; address: string }
  replyTo: string | undefined
  subject: string
  text: string
  html: string
}

/**
 * `relay_away`: no mail can be sent now. `retry`: this one was put off or its connection hung. `refused`: for good.
 * `reason` is for the record: an SMTP code or the kind of failure, never the relay's words, which echo addresses.
 */
export type SendOutcome = { outcome: 'accepted' } | { outcome: 'relay_away' | 'retry' | 'refused'; reason: string }

/** Steps before a mail is named: whatever fails here is the relay's or our configuration's, not the mail's. */
const SESSION_STEPS = /^(CONN|EHLO|HELO|STARTTLS|AUTH|API)/

/** One pool of connections to the relay; `send` says what became of a mail and never throws for what the relay says. */
export function createMailer({
  smtp,
  fromAddress,
  domain,
  connections,
}: {
  smtp: SmtpSettings
  fromAddress: string
  domain: string
  connections: number
}) {
  const transport = nodemailer.createTransport({
    pool: true,
    host: smtp.host,
    port: smtp.port,
    secure: smtp.secure,
    requireTLS: !smtp.secure && smtp.tls === 'required',
    ignoreTLS: smtp.tls === 'off',
    ...(smtp.auth ? { auth: smtp.auth } : {}),
    name: domain,
    maxConnections: connections,
    // The delivery row is the queue; nothing may wait or be repeated in here.
    maxRequeues: 0,
    connectionTimeout: 5_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // A pooled connection that breaks while idle is replaced by the next mail.
  transport.on('error', () => undefined)

  return {
    /** Ends when the relay answered or `signal` aborts; never rejects. */
    async send(mail: Mail, signal: AbortSignal): Promise<SendOutcome> {
      try {
        await transport.sendMail({
          messageId: `<${mail.messageId}>`,
          from: { name: mail.fromName, address: fromAddress },
          to: mail.to,
          ...(mail.replyTo === undefined ? {} : { replyTo: { name: '', address: mail.replyTo } }),
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          signal,
        })
        return { outcome: 'accepted' }
      } catch (error) {
        return signal.aborted ? { outcome: 'retry', reason: 'timeout' } : outcomeOf(error)
      }
    },
    close: () => transport.close(),
  }
}

export type Mailer = ReturnType<typeof createMailer>

/** What a failure of nodemailer means. 4yz: later; 5yz: never, but 503 speaks of the session's state, not of the mail. */
export function outcomeOf(error: unknown): SendOutcome {
  const { code, command, responseCode, timeoutType } = error as {
    code?: unknown
    command?: unknown
    responseCode?: unknown
    timeoutType?: unknown
  }
  const reason = typeof responseCode === 'number' ? `smtp ${responseCode}` : typeof code === 'string' ? code : 'unknown'
  // An address that no SMTP command can carry: the relay was not even asked.
  if (code === 'EENVELOPE' && command === 'API') return { outcome: 'refused', reason }
  // The relay took the connection and then fell silent over this mail.
  if (timeoutType === 'SOCKET_TIMEOUT') return { outcome: 'retry', reason: 'timeout' }
  if (typeof command === 'string' && !SESSION_STEPS.test(command)) {
    const permanent = typeof responseCode === 'number' && responseCode >= 500 && responseCode !== 503
    return { outcome: permanent ? 'refused' : 'retry', reason }
  }
  return { outcome: 'relay_away', reason }
}
