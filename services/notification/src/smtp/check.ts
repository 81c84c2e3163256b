// The text of `paraph mail check`: the result of each step, and what to do about a failed one. Pure.
import type { SmtpFindings, SmtpStep, SendOutcome } from './mailer.js'
import type { SmtpSettings } from './smtp-url.js'

interface CheckResult {
  step: SmtpStep | 'test mail'
  /** `skipped`: not requested, or an earlier step failed. */
  result: 'works' | 'failed' | 'skipped'
  /** The result, and after a failure what to do. Never holds the password or an address. */
  sentence: string
}

export const NOT_REACHED = 'Not reached.'

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
    return { step, result: 'works', sentence: 'The relay took it. Look whether it arrives, and whether as spam.' }
  const sentence = {
    refused: `The relay refused it for good (${sent.reason}). See its log: it may not relay for this sender, or not know the recipient.`,
    retry: `The relay put it off (${sent.reason}). See its log; mails of the queue are tried again by themselves.`,
    silent: 'The relay took the connection and did not answer in time. See its load and its log.',
    unanswered: `The relay has the text and did not answer it (${sent.reason}): it may have taken the mail or not. See its log.`,
    unavailable: `The relay took no mail (${sent.reason}). See that it accepts MAIL_FROM_ADDRESS as a sender after this login.`,
  }[sent.outcome]
  return { step, result: 'failed', sentence }
}

export const NO_TEST_MAIL: CheckResult = {
  step: 'test mail',
  result: 'skipped',
  sentence: 'Not asked for; add --to ADDRESS to send one.',
}

const NO_LOGIN_OFFERED = { step: 'login', reason: 'the relay offers no AUTH', detail: undefined } as const

function works(step: SmtpStep, smtp: SmtpSettings, certificate: SmtpFindings['certificate']): CheckResult {
  switch (step) {
    case 'name':
      return { step, result: 'works', sentence: `${smtp.host} is known.` }
    case 'connect':
      return { step, result: 'works', sentence: `Port ${smtp.port} answers.` }
    case 'greeting':
      return { step, result: 'works', sentence: 'The relay greets, and takes MAIL_DOMAIN as our name.' }
    case 'tls':
      if (!smtp.secure && smtp.tls === 'off')
        return { step, result: 'skipped', sentence: 'Switched off: mail goes in the clear to this relay.' }
      return { step, result: 'works', sentence: describeCertificate(certificate) }
    case 'login':
      return smtp.auth
        ? { step, result: 'works', sentence: `The relay takes the login of ${smtp.auth.user}.` }
        : { step, result: 'skipped', sentence: 'SMTP_URL holds no login.' }
  }
}

const describeCertificate = (certificate: SmtpFindings['certificate']): string =>
  certificate
    ? `Encrypted; the certificate of ${certificate.subject || 'no name'}, by ${certificate.issuer || 'nobody named'}, is valid until ${certificate.validTo}.`
    : 'Encrypted.'

const FAILED: Record<SmtpStep, (smtp: SmtpSettings) => string> = {
  name: ({ host }) => `The name ${host} is not found`,
  connect: ({ host, port }) => `Nothing answers on port ${port} of ${host}`,
  greeting: () => 'The relay does not greet us as a mail server that takes mail',
  tls: () => 'The connection cannot be encrypted',
  login: () => 'The relay does not take the login',
}

const ADVICE: Record<SmtpStep, string> = {
  name: 'Correct the host in SMTP_URL, or the name server of this machine.',
  connect:
    'See that the relay runs, that host and port in SMTP_URL are right, and that no firewall or network policy stands between.',
  greeting: 'See the log of the relay: it may refuse our address, be too busy, or want smtps:// on this port.',
  tls: 'The certificate must be valid, of an authority that this machine knows, and for the host in SMTP_URL. smtps:// is for ports with TLS from the first byte (465), smtp:// for STARTTLS (587). A private authority goes into NODE_EXTRA_CA_CERTS. Only a relay in your own network may go without: ?tls=off.',
  login: 'Correct user and password in SMTP_URL; characters such as @ and / are written percent-encoded.',
}
