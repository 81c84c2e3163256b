// Sends one mail over SMTP. The only file that imports nodemailer. [D23, F6, F7]
// Owns the connections, the headers of every mail and the meaning of SMTP failures. Does not own retries.
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { buffer } from 'node:stream/consumers'
import nodemailer from 'nodemailer'
import { inSpan, markFailed } from '@paraph/telemetry/trace-context'
import { cutAtBlanks } from './encoded-words.js'
import { concernsRecipient, enhancedCodeOf } from './refusal.js'
import type { SmtpSettings } from './smtp-url.js'

/** One mail to one person. Names and addresses are separate fields and are never parsed out of a string. */
export interface Mail {
  messageId: string
  fromName: string
  to: { name: string; address: string }
  replyTo: string | undefined
  /** The Message-ID of an earlier mail of the same conversation. */
  references?: string | undefined
  subject: string
  text: string
  html: string
  attachment?: { filename: string; contentType: string; content: Buffer } | undefined
}

/**
 * `unavailable`: no mail can be sent now. `retry`: the server deferred this mail. `silent`: the server stopped answering during this
 * mail. `unanswered`: the server has the whole message and did not answer, so it may have accepted it. `refused`: permanent, about this
 * recipient or mail. `blocked`: a 5yz code about us, such as a policy, so a later attempt may succeed.
 * `reason`: SMTP codes or the kind of failure, never the server's text, which may repeat addresses.
 */
export type SendOutcome =
  | { outcome: 'accepted' }
  | { outcome: 'unavailable' | 'retry' | 'silent' | 'unanswered' | 'refused' | 'blocked'; reason: string }

/** The reason when no answer came in time. */
export const TIMEOUT = 'timeout'

/**
 * Commands that are the same for every mail, including the sender's address. A failure of such a command concerns the server or our
 * configuration, not the mail.
 */
const SESSION_STEPS = /^(CONN|EHLO|HELO|STARTTLS|AUTH|API|MAIL FROM)/
/** Codes that concern the session after any command: the server closes the session (421), or the login is missing. */
const SESSION_CODES = [421, 530, 534, 535, 538]
/** The mail is too big, also as the answer to MAIL FROM. */
const TOO_BIG = 552
/**
 * Limit for DNS, TCP, greeting and TLS together, below every limit of the library. Longer than the 6 seconds by which Postfix's
 * postscreen delays its greeting.
 */
const SETUP_MS = 15_000

/** The result of a connection without a mail. */
export interface SmtpFindings {
  /** Undefined on success. `reason` as for a mail; `detail` is the system's or TLS's error code. */
  failure: { step: SmtpStep; reason: string; detail: string | undefined } | undefined
  certificate: { subject: string; issuer: string; validTo: string } | undefined
  offersLogin: boolean
}

/** The steps in the order of `smtp://`; `smtps://` has TLS before the greeting. */
export type SmtpStep = 'name' | 'connect' | 'greeting' | 'tls' | 'login'

export interface MailerDeps {
  smtp: SmtpSettings
  fromAddress: string
  domain: string
  connections: number
  setupMs?: number
}

/** A pool of SMTP connections. */
export function createMailer({ smtp, fromAddress, domain, connections, setupMs = SETUP_MS }: MailerDeps) {
  const session = {
    host: smtp.host,
    port: smtp.port,
    secure: smtp.secure,
    requireTLS: !smtp.secure && smtp.tls === 'required',
    ignoreTLS: smtp.tls === 'off',
    ...(smtp.auth ? { auth: smtp.auth } : {}),
    name: domain,
    connectionTimeout: setupMs,
    greetingTimeout: setupMs,
    socketTimeout: 30_000,
  }
  const transport = nodemailer.createTransport({
    ...session,
    pool: true,
    maxConnections: connections,
    // The table of deliveries is the queue, so the library must not queue or retry.
    maxRequeues: 0,
    // Shorter than the idle limit of servers and firewalls, so that the next mail does not meet a dropped connection.
    idleTimeout: 15_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // Ignored, because the next mail replaces a pooled connection that broke while idle.
  transport.on('error', () => undefined)
  /** Message-IDs of mails under way whose message was sent completely. */
  const handedOver = new Set<string | undefined>()
  transport.use('stream', ({ data: { messageId, from, to, subject }, message }, done) => {
    cutAtBlanks(message, [from, to, subject])
    message.processFunc((text) => text.once('end', () => handedOver.add(messageId)))
    done()
  })

  const messageOf = (mail: Mail) => ({
    messageId: `<${mail.messageId}>`,
    from: { name: mail.fromName, address: fromAddress },
    to: mail.to,
    ...(mail.replyTo === undefined ? {} : { replyTo: { name: '', address: mail.replyTo } }),
    ...(mail.references === undefined ? {} : { references: `<${mail.references}>`, inReplyTo: `<${mail.references}>` }),
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    ...(mail.attachment ? { attachments: [mail.attachment] } : {}),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  })

  return {
    /** The message as `send` gives it to the server. */
    async rawOf(mail: Mail): Promise<Buffer> {
      const writer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      const { message } = await writer.sendMail(messageOf(mail))
      return Buffer.isBuffer(message) ? message : buffer(message)
    },
    /** Resolves when the server answers or `signal` aborts; never rejects. */
    async send(mail: Mail, signal: AbortSignal): Promise<SendOutcome> {
      const messageId = `<${mail.messageId}>`
      // An earlier attempt may have added the Message-ID after its abort.
      handedOver.delete(messageId)
      try {
        await transport.sendMail({ ...messageOf(mail), signal })
        return { outcome: 'accepted' }
      } catch (error) {
        const failure: SendOutcome = signal.aborted ? { outcome: 'silent', reason: TIMEOUT } : outcomeOf(error)
        const isAnswered = typeof (error as NodemailerError).responseCode === 'number'
        return handedOver.has(messageId) && !isAnswered && 'reason' in failure
          ? { outcome: 'unanswered', reason: failure.reason }
          : failure
      } finally {
        handedOver.delete(messageId)
      }
    },
    /** Opens a separate connection, greets, and logs in if a login is set. Resolves within a minute; never rejects. */
    async check(): Promise<SmtpFindings> {
      const findings: SmtpFindings = { failure: undefined, certificate: undefined, offersLogin: false }
      const probe = nodemailer.createTransport({
        ...session,
        tls: {
          checkServerIdentity(host: string, certificate: PeerCertificate) {
            const { subject, issuer, valid_to: validTo } = certificate
            findings.certificate = {
              subject: String(subject?.CN ?? ''),
              issuer: String(issuer?.CN ?? issuer?.O ?? ''),
              validTo,
            }
            return checkServerIdentity(host, certificate)
          },
        },
        transactionLog: true,
        logger: createServerLogger((line) => (findings.offersLogin ||= /^250[ -]AUTH\b/im.test(line))),
      })
      try {
        await probe.verify()
      } catch (error) {
        findings.failure = failureOf(error as NodemailerError)
      } finally {
        probe.close()
      }
      return findings
    },
    close: () => transport.close(),
  }
}

export type Mailer = ReturnType<typeof createMailer>

/** `mailer` with a span around each `send`, which has the duration and outcome, not the recipient. [D51, I13, I14] */
export function tracedMailer(mailer: Mailer, { host, port }: SmtpSettings): Mailer {
  const attributes = { 'server.address': host, 'server.port': port }
  return {
    ...mailer,
    send: (mail, signal) =>
      inSpan({ name: 'SMTP send', kind: 'CLIENT', attributes }, async (span) => {
        const result = await mailer.send(mail, signal)
        span.setAttribute('paraph.outcome', result.outcome)
        if (result.outcome !== 'accepted') markFailed()
        return result
      }),
  }
}

type NodemailerError = Partial<
  Record<'code' | 'originalCode' | 'command' | 'response' | 'responseCode' | 'timeoutType', unknown>
>

const textIn = (...values: unknown[]) => values.find((value) => typeof value === 'string')

/** The beginning of the reason of a connection that cannot be encrypted; the error code of TLS follows. */
export const TLS_FAILURE = 'tls '

/** The recorded reason: the SMTP code, with an enhanced code if there is one, or the kind of failure. */
function failureReason(error: NodemailerError): string {
  const { code, originalCode, response, responseCode } = error
  if (stepOf(error) === 'tls') return `${TLS_FAILURE}${textIn(originalCode, code) ?? 'unknown'}`
  if (typeof responseCode !== 'number') return textIn(code) ?? 'unknown'
  return ['smtp', responseCode, enhancedCodeOf(response)].filter((part) => part !== undefined).join(' ')
}

/**
 * Classifies an error of nodemailer. 4yz: retry; 5yz: refused or blocked, except 503, which concerns the session's state and is retried
 * on another connection.
 */
export function outcomeOf(error: unknown): SendOutcome {
  const { code, command, response, responseCode, timeoutType } = error as NodemailerError
  const reason = failureReason(error as NodemailerError)
  // No SMTP command can contain this address, so no command was sent.
  if (code === 'EENVELOPE' && command === 'API') return { outcome: 'refused', reason }
  if (timeoutType === 'SOCKET_TIMEOUT') return { outcome: 'silent', reason: TIMEOUT }
  if (concernsSession(command, responseCode)) return { outcome: 'unavailable', reason }
  // The mail is larger than the limit that the server announced.
  if (command === 'MAIL FROM') return { outcome: 'refused', reason }
  if (typeof responseCode !== 'number' || responseCode < 500 || responseCode === 503)
    return { outcome: 'retry', reason }
  return { outcome: concernsRecipient(responseCode, enhancedCodeOf(response)) ? 'refused' : 'blocked', reason }
}

function concernsSession(command: unknown, responseCode: unknown): boolean {
  if (typeof command !== 'string') return true
  if (typeof responseCode === 'number' && SESSION_CODES.includes(responseCode)) return true
  if (command === 'MAIL FROM' && (responseCode === undefined || responseCode === TOO_BIG)) return false
  return SESSION_STEPS.test(command)
}

/** A nodemailer logger that passes on only the server's lines, because the client's lines may contain a password. */
function createServerLogger(onLine: (line: string) => void) {
  const ignore = (): void => undefined
  const debug = ({ tnx }: { tnx?: string }, line: string): void => (tnx === 'server' ? onLine(line) : undefined)
  return { level: ignore, trace: ignore, debug, info: ignore, warn: ignore, error: ignore, fatal: ignore }
}

const failureOf = (error: NodemailerError): SmtpFindings['failure'] => ({
  step: stepOf(error),
  reason: failureReason(error),
  detail: textIn(error.originalCode, error.timeoutType),
})

function stepOf({ code, originalCode, command, responseCode, timeoutType }: NodemailerError): SmtpStep {
  if (code === 'EDNS') return 'name'
  if (code === 'ETLS' || command === 'STARTTLS' || timeoutType === 'UPGRADE_TIMEOUT') return 'tls'
  if (typeof command === 'string' && command.startsWith('AUTH')) return 'login'
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'login'
  if (timeoutType === 'CONNECT_TIMEOUT') return 'connect'
  if (timeoutType === 'GREETING_TIMEOUT' || typeof responseCode === 'number' || command !== 'CONN') return 'greeting'
  // A socket error with a TLS code means that the TCP connection was established.
  if (code === 'ESOCKET')
    return /^(ERR_(SSL|TLS|OSSL)|CERT_|.*CERT|UNABLE_TO)/.test(String(originalCode)) ? 'tls' : 'connect'
  return 'greeting'
}
