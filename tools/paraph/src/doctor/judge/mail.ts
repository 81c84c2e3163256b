// Judges the SMTP server, and the records of the sender's domain in DNS. Pure.
import type { SmtpStep } from '@paraph/notification/smtp/mailer'
import type { DnsResult, MailFacts } from '../facts.js'
import { broken, look, ok, type Finding } from '../finding.js'

export const judgeMail = (mail: MailFacts, isTrial: boolean): Finding[] => [
  judgeServer(mail, isTrial),
  ...judgeDomain(mail, isTrial),
]

const STEPS: Readonly<Record<SmtpStep, { found: string; remedy: string }>> = {
  name: { found: 'its name does not resolve', remedy: 'Correct the host in SMTP_URL, or the DNS server here.' },
  connect: {
    found: 'does not answer',
    remedy: 'Check that the SMTP server runs, and that host and port in SMTP_URL are right and open from here.',
  },
  greeting: {
    found: 'does not greet us',
    remedy: 'Read its log: it may refuse our address, be overloaded, or expect smtps:// on this port.',
  },
  tls: {
    found: 'cannot be reached by TLS',
    remedy:
      'Check its certificate, smtps:// for TLS from the first byte, and NODE_EXTRA_CA_CERTS for a private authority.',
  },
  login: { found: 'refuses the login', remedy: 'Correct user and password in SMTP_URL.' },
}

function judgeServer({ result, isEncrypted, needsLogin }: MailFacts, isTrial: boolean): Finding {
  const subject = 'mail server'
  const { failure, offersLogin } = result
  const { step, reason, detail } =
    failure ?? (needsLogin && !offersLogin ? { step: 'login' as const, reason: 'no AUTH', detail: undefined } : {})
  if (step !== undefined) {
    const code = detail === undefined ? reason : `${reason}, ${detail}`
    return broken(subject, `${STEPS[step].found} (${code})`, { remedy: STEPS[step].remedy, page: 'mailServer' })
  }
  if (!isEncrypted && !isTrial)
    return look(subject, 'takes mail without TLS', {
      remedy: 'Use smtps://, or smtp:// without tls=off, unless the server stands in your own network.',
      page: 'transport',
    })
  return ok(subject, `answers${isEncrypted ? ' by TLS' : ''}${needsLogin ? ', and accepts the login' : ''}`)
}

function judgeDomain({ spf, dkim }: MailFacts, isTrial: boolean): Finding[] {
  const subject = 'mail domain'
  const page = 'mailDomain'
  if (spf === 'reserved')
    return [
      isTrial
        ? ok(subject, 'a reserved name, which needs no records')
        : broken(subject, 'is a reserved name of examples', {
            remedy: 'Set MAIL_FROM_ADDRESS and MAIL_DOMAIN to a domain of yours: receivers reject mail from this one.',
            page,
          }),
    ]
  const findings = [
    ...(spf === 'absent' ? [look(subject, 'has no SPF record', { remedy: SPF, page })] : []),
    ...(spf === 'several'
      ? [look(subject, 'has several SPF records, which receivers count as none', { remedy: SPF, page })]
      : []),
    ...(dkim === 'absent'
      ? [
          look(subject, 'has no DKIM key', {
            remedy: 'Let the SMTP server sign with DKIM for this domain, and publish its key in DNS.',
            page,
          }),
        ]
      : []),
    ...([spf, dkim] as DnsResult[])
      .filter((each) => each === 'unanswered')
      .slice(0, 1)
      .map(() =>
        look(subject, 'DNS does not answer here', {
          remedy: 'Look up the SPF and DKIM records of the domain in MAIL_FROM_ADDRESS from a machine with DNS.',
          page,
        }),
      ),
  ]
  return findings.length > 0 ? findings : [ok(subject, 'has SPF and DKIM records')]
}

const SPF = 'Publish one TXT record v=spf1 for the domain in MAIL_FROM_ADDRESS that names your SMTP server.'
