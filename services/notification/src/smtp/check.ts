// The text of `paraph mail check`: the result of each step, and what to do about a failed one. Pure.
import type { SmtpFindings, SmtpStep, SendOutcome } from './mailer.js'
import type { SmtpSettings } from './smtp-url.js'

interface CheckResult {
  step: SmtpStep | 'test mail'
  /** `skipped`: not requested, or an earlier step failed. */
  result: 'works' | 'failed' | 'skipped'
  /** The result, and after a failure what to do. Never contains the password or the address of a recipient. */
  sentence: string
}

export const NOT_REACHED = 'Skipped, because an earlier step failed.'

/** All steps, in the order of a connection. */
export function describeSmtp(smtp: SmtpSettings, { failure, certificate, offersLogin }: SmtpFindings): CheckResult[] {
  const order: SmtpStep[] = smtp.secure
    ? ['name', 'connect', 'tls', 'greeting', 'login']
    : ['name', 'connect', 'greeting', 'tls', 'login']
  const broken = failure ?? (smtp.auth && !offersLogin ? NO_LOGIN_OFFERED : undefined)
  const failedAt = broken ? order.indexOf(broken.step) : order.length
  return order.map((step, index) => {
    if (index > failedAt) return { step, result: 'skipped', sentence: NOT_REACHED }
    if (broken && index === failedAt) {
      const { reason, detail } = broken
      const what = detail === undefined ? reason : `${reason}, ${detail}`
      return { step, result: 'failed', sentence: `${FAILED[step](smtp)} (${what}). ${ADVICE[step]}` }
    }
    return works(step, smtp, certificate)
  })
}

/** The step of the requested test mail. */
export function describeTestMail(sent: SendOutcome): CheckResult {
  const step = 'test mail' as const
  if (sent.outcome === 'accepted')
    return { step, result: 'works', sentence: 'The SMTP server accepted it. Check that it arrives, and not as spam.' }
  const sentence = {
    refused: `The SMTP server rejected it permanently (${sent.reason}). Check the log of the server: it may not accept mail from this sender, or not know the recipient.`,
    blocked: `The SMTP server refuses mail from us (${sent.reason}), and would refuse it to others too. Check in its log whether it relays for this login and address, and whether a policy or a quota blocks us. Mails in the queue are retried automatically.`,
    retry: `The SMTP server deferred it (${sent.reason}). Check the log of the server. Mails in the queue are retried automatically.`,
    silent: 'The SMTP server accepted the connection and did not answer in time. Check its load and its log.',
    unanswered: `The SMTP server received the whole mail and did not answer (${sent.reason}), so it may have accepted the mail. Check its log.`,
    unavailable: `The SMTP server accepts no mail (${sent.reason}). Check that it accepts MAIL_FROM_ADDRESS as a sender after this login.`,
  }[sent.outcome]
  return { step, result: 'failed', sentence }
}

export const NO_TEST_MAIL: CheckResult = {
  step: 'test mail',
  result: 'skipped',
  sentence: 'Not requested. Add --to ADDRESS to send one.',
}

const NO_LOGIN_OFFERED = { step: 'login', reason: 'the SMTP server offers no AUTH', detail: undefined } as const

function works(step: SmtpStep, smtp: SmtpSettings, certificate: SmtpFindings['certificate']): CheckResult {
  switch (step) {
    case 'name':
      return { step, result: 'works', sentence: `${smtp.host} can be resolved.` }
    case 'connect':
      return { step, result: 'works', sentence: `Port ${smtp.port} accepts connections.` }
    case 'greeting':
      return {
        step,
        result: 'works',
        sentence: 'The SMTP server greets us, and accepts MAIL_DOMAIN as our name in EHLO.',
      }
    case 'tls':
      if (!smtp.secure && smtp.tls === 'off')
        return { step, result: 'skipped', sentence: 'Disabled: mail to this SMTP server is not encrypted.' }
      return { step, result: 'works', sentence: describeCertificate(certificate) }
    case 'login':
      return smtp.auth
        ? { step, result: 'works', sentence: `The SMTP server accepts the login of ${smtp.auth.user}.` }
        : { step, result: 'skipped', sentence: 'SMTP_URL contains no login.' }
  }
}

const describeCertificate = (certificate: SmtpFindings['certificate']): string =>
  certificate
    ? `Encrypted; the certificate of ${certificate.subject || 'no name'}, by ${certificate.issuer || 'nobody named'}, is valid until ${certificate.validTo}.`
    : 'Encrypted.'

const FAILED: Record<SmtpStep, (smtp: SmtpSettings) => string> = {
  name: ({ host }) => `The name ${host} cannot be resolved`,
  connect: ({ host, port }) => `Cannot connect to port ${port} of ${host}`,
  greeting: () => 'The server does not greet us, or refuses EHLO',
  tls: () => 'The connection cannot be encrypted',
  login: () => 'The SMTP server rejects the login',
}

const ADVICE: Record<SmtpStep, string> = {
  name: 'Correct the host in SMTP_URL, or the DNS server of this machine.',
  connect:
    'Check that the SMTP server runs, that host and port in SMTP_URL are correct, and that no firewall or network policy blocks the connection.',
  greeting:
    'Check the log of the SMTP server: it may refuse our address, be overloaded, or expect smtps:// on this port.',
  tls: 'The certificate must be valid, issued by an authority that this machine trusts, and for the host in SMTP_URL. smtps:// is for ports with TLS from the first byte (465), smtp:// for STARTTLS (587). Set NODE_EXTRA_CA_CERTS for a private authority. Use ?tls=off only for an SMTP server in your own network.',
  login: 'Correct user and password in SMTP_URL. Percent-encode characters such as @ and /.',
}
