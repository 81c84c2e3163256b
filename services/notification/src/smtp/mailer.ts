// Hands one mail to the relay over SMTP. The only file that imports nodemailer. [D23, F6, F7]
// Owns: the connection, headers that every mail has, what an SMTP failure means. Does not own: when to try again.
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
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
  attachment?: { fileName: string; type: string; bytes: Buffer } | undefined
}

/**
 * `relay_away`: no mail can be sent now. `retry`: this one was put off. `silent`: the relay took the connection and fell silent over
 * this one. `unanswered`: it had the whole text and said nothing to it, so it may have taken the mail. `refused`: for good.
 * `reason` is for the record: an SMTP code or the kind of failure, never the relay's words, which echo addresses.
 */
export type SendOutcome =
  { outcome: 'accepted' } | { outcome: 'relay_away' | 'retry' | 'silent' | 'unanswered' | 'refused'; reason: string }

/** Reason where nothing came in time. */
export const TIMEOUT = 'timeout'

/**
 * Steps that are the same for every mail, the sender's address included: whatever fails here is the relay's or our
 * configuration's, not the mail's.
 */
const SESSION_STEPS = /^(CONN|EHLO|HELO|STARTTLS|AUTH|API|MAIL FROM)/
/** Answers that speak of the session at whatever step: it is being closed (421), or we are not logged in. */
const SESSION_CODES = [421, 530, 534, 535, 538]
/** At MAIL FROM too: this mail is too big. */
const TOO_BIG = 552
/**
 * DNS, TCP, greeting and TLS together; the library has no limit for each that this one does not cut short. Above the 6 seconds
 * by which Postfix's postscreen holds its greeting back.
 */
const SETUP_MS = 15_000

/** What a connection to the relay showed, without a mail. */
export interface RelayFindings {
  /** Undefined when everything worked. `reason` as of a mail; `detail` is the system's or TLS's own name of the trouble. */
  failure: { step: RelayStep; reason: string; detail: string | undefined } | undefined
  certificate: { subject: string; issuer: string; validTo: string } | undefined
  offersLogin: boolean
}

/** In the order of `smtp://`; with `smtps://` TLS comes before the greeting. */
export type RelayStep = 'name' | 'connect' | 'greeting' | 'tls' | 'login'

/** One pool of connections to the relay; `send` says what became of a mail and never throws for what the relay says. */
export function createMailer({
  smtp,
  fromAddress,
  domain,
  connections,
  setupMs = SETUP_MS,
}: {
  smtp: SmtpSettings
  fromAddress: string
  domain: string
  connections: number
  setupMs?: number
}) {
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
    // The delivery row is the queue; nothing may wait or be repeated in here.
    maxRequeues: 0,
    // Closed by us before the relay, or a firewall between, drops it under the next mail.
    idleTimeout: 15_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // A pooled connection that breaks while idle is replaced by the next mail.
  transport.on('error', () => undefined)
  /** Message-IDs of mails under way whose text the connection has read to its end. */
  const handedOver = new Set<string | undefined>()
  transport.use('stream', ({ data: { messageId }, message }, done) => {
    message.processFunc((text) => text.once('end', () => handedOver.add(messageId)))
    done()
  })

  return {
    /** Ends when the relay answered or `signal` aborts; never rejects. */
    async send(mail: Mail, signal: AbortSignal): Promise<SendOutcome> {
      const messageId = `<${mail.messageId}>`
      // Nothing of an earlier try: its text may have come to its end after it was given up.
      handedOver.delete(messageId)
      try {
        await transport.sendMail({
          messageId,
          from: { name: mail.fromName, address: fromAddress },
          to: mail.to,
          ...(mail.replyTo === undefined ? {} : { replyTo: { name: '', address: mail.replyTo } }),
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          ...(mail.attachment ? { attachments: [attachmentOf(mail.attachment)] } : {}),
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          signal,
        })
        return { outcome: 'accepted' }
      } catch (error) {
        const failure: SendOutcome = signal.aborted ? { outcome: 'silent', reason: TIMEOUT } : outcomeOf(error)
        const isAnswered = typeof (error as { responseCode?: unknown }).responseCode === 'number'
        return handedOver.has(messageId) && !isAnswered && 'reason' in failure
          ? { outcome: 'unanswered', reason: failure.reason }
          : failure
      } finally {
        handedOver.delete(messageId)
      }
    },
    /** Opens a connection of its own, greets, and logs in where a login is set. Ends within a minute; never rejects. */
    async check(): Promise<RelayFindings> {
      const findings: RelayFindings = { failure: undefined, certificate: undefined, offersLogin: false }
      const probe = nodemailer.createTransport({
        ...session,
        tls: {
          checkServerIdentity(host: string, certificate: PeerCertificate) {
            findings.certificate = factsOf(certificate)
            return checkServerIdentity(host, certificate)
          },
        },
        transactionLog: true,
        logger: listenTo((line) => (findings.offersLogin ||= /^250[ -]AUTH\b/im.test(line))),
      })
      try {
        await probe.verify()
      } catch (error) {
        findings.failure = failureOf(error)
      } finally {
        probe.close()
      }
      return findings
    },
    close: () => transport.close(),
  }
}

export type Mailer = ReturnType<typeof createMailer>

/**
 * What a failure of nodemailer means. 4yz: later; 5yz: never, but 503 speaks of the session's state, not of the mail, and is
 * tried on another connection.
 */
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
  if (timeoutType === 'SOCKET_TIMEOUT') return { outcome: 'silent', reason: TIMEOUT }
  if (isSessions(command, responseCode)) return { outcome: 'relay_away', reason }
  // Bigger than the relay announced that it takes.
  if (command === 'MAIL FROM') return { outcome: 'refused', reason }
  const permanent = typeof responseCode === 'number' && responseCode >= 500 && responseCode !== 503
  return { outcome: permanent ? 'refused' : 'retry', reason }
}

function isSessions(command: unknown, responseCode: unknown): boolean {
  if (typeof command !== 'string') return true
  if (typeof responseCode === 'number' && SESSION_CODES.includes(responseCode)) return true
  if (command === 'MAIL FROM' && (responseCode === undefined || responseCode === TOO_BIG)) return false
  return SESSION_STEPS.test(command)
}

const factsOf = ({ subject, issuer, valid_to: validTo }: PeerCertificate): RelayFindings['certificate'] => ({
  subject: String(subject?.CN ?? ''),
  issuer: String(issuer?.CN ?? issuer?.O ?? ''),
  validTo,
})

/** A logger of nodemailer's that hands on what the server said, and nothing of what was sent to it. */
function listenTo(hear: (line: string) => void) {
  const ignore = (): void => undefined
  const debug = ({ tnx }: { tnx?: string }, line: string): void => (tnx === 'server' ? hear(line) : undefined)
  return { level: ignore, trace: ignore, debug, info: ignore, warn: ignore, error: ignore, fatal: ignore }
}

function failureOf(error: unknown): NonNullable<RelayFindings['failure']> {
  const { code, originalCode, command, responseCode, timeoutType } = error as Record<string, unknown>
  const reason = typeof responseCode === 'number' ? `smtp ${responseCode}` : typeof code === 'string' ? code : 'unknown'
  const detail =
    typeof originalCode === 'string' ? originalCode : typeof timeoutType === 'string' ? timeoutType : undefined
  return { step: stepOf({ code, originalCode, command, responseCode, timeoutType }), reason, detail }
}

function stepOf({ code, originalCode, command, responseCode, timeoutType }: Record<string, unknown>): RelayStep {
  if (code === 'EDNS') return 'name'
  if (code === 'ETLS' || command === 'STARTTLS' || timeoutType === 'UPGRADE_TIMEOUT') return 'tls'
  if (typeof command === 'string' && command.startsWith('AUTH')) return 'login'
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'login'
  if (timeoutType === 'CONNECT_TIMEOUT') return 'connect'
  if (timeoutType === 'GREETING_TIMEOUT' || typeof responseCode === 'number' || command !== 'CONN') return 'greeting'
  // A socket that fails with a name of the system's never got through; with one of TLS's it did.
  if (code === 'ESOCKET')
    return /^(ERR_(SSL|TLS|OSSL)|CERT_|.*CERT|UNABLE_TO)/.test(String(originalCode)) ? 'tls' : 'connect'
  return 'greeting'
}

const attachmentOf = ({ fileName, type, bytes }: NonNullable<Mail['attachment']>) => ({
  filename: fileName,
  contentType: type,
  content: bytes,
})
