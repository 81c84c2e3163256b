// Logs in at the SMTP server without sending a mail, and looks up the records of the sender's domain.
import { Resolver } from 'node:dns/promises'
import { createMailer } from '@paraph/notification/smtp/mailer'
import { readSmtpUrl } from '@paraph/notification/smtp/smtp-url'
import type { CertificateFacts, DnsResult, MailFacts } from '../facts.js'
import type { Settings } from '../source/installation.js'
import { isReservedName } from './reserved-name.js'

const CONNECT_MS = 8_000
const DNS_MS = 3_000

export type TxtResolver = Pick<Resolver, 'resolveTxt'>

interface Mail {
  facts: MailFacts
  certificates: readonly CertificateFacts[]
}

/** The facts about a server that keeps its client waiting. */
export const MAIL_TOO_LATE: Mail = {
  facts: {
    result: {
      failure: { step: 'greeting', reason: 'timeout', detail: undefined },
      certificate: undefined,
      offersLogin: false,
    },
    isEncrypted: false,
    needsLogin: false,
    spf: 'unanswered',
    dkim: 'unanswered',
  },
  certificates: [],
}

/** @returns undefined without valid settings, which collect/settings.ts reports */
export async function collectMail(
  { SMTP_URL, MAIL_FROM_ADDRESS = '', MAIL_DOMAIN = '' }: Settings,
  resolver: TxtResolver = new Resolver({ timeout: DNS_MS, tries: 1 }),
): Promise<Mail | undefined> {
  const smtp = parseUrl(SMTP_URL)
  if (smtp === undefined) return undefined
  const mailer = createMailer({
    smtp,
    fromAddress: MAIL_FROM_ADDRESS,
    domain: MAIL_DOMAIN,
    connections: 1,
    setupMs: CONNECT_MS,
  })
  const domain = MAIL_FROM_ADDRESS.slice(MAIL_FROM_ADDRESS.lastIndexOf('@') + 1)
  const [result, records] = await Promise.all([mailer.check(), lookUpRecords(domain, resolver)])
  mailer.close()
  const isEncrypted = smtp.secure || smtp.tls === 'required'
  return {
    facts: { result, isEncrypted, needsLogin: smtp.auth !== undefined, ...records },
    certificates: result.certificate
      ? [
          {
            what: 'certificate of the mail server',
            // The check reads the end only.
            beganAt: new Date(0),
            endsAt: new Date(result.certificate.validTo),
            isSelfSigned: false,
            isSeal: false,
          },
        ]
      : [],
  }
}

function parseUrl(text: string | undefined) {
  try {
    return text === undefined ? undefined : readSmtpUrl(text)
  } catch {
    return undefined
  }
}

/** What DNS says about a sender's domain. */
export async function lookUpRecords(domain: string, resolver: TxtResolver): Promise<Pick<MailFacts, 'spf' | 'dkim'>> {
  if (isReservedName(domain)) return { spf: 'reserved', dkim: 'reserved' }
  const [spf, dkim] = await Promise.all([lookUpSpf(domain, resolver), lookUpDkim(domain, resolver)])
  return { spf, dkim }
}

/** The receivers count several records as an error. [RFC 7208 4.5] */
async function lookUpSpf(domain: string, resolver: TxtResolver): Promise<DnsResult> {
  const records = await lookUp(domain, resolver)
  if (!Array.isArray(records)) return records === 'unanswered' ? 'unanswered' : 'absent'
  const found = records.filter((record) => /^v=spf1( |$)/i.test(record)).length
  return found === 0 ? 'absent' : found === 1 ? 'present' : 'several'
}

/**
 * The selector of the key is known to the SMTP server alone. But a name below which there are keys exists, even without a record of its
 * own. [RFC 8020]
 */
async function lookUpDkim(domain: string, resolver: TxtResolver): Promise<DnsResult> {
  const records = await lookUp(`_domainkey.${domain}`, resolver)
  if (records === 'no name') return 'absent'
  return records === 'unanswered' ? 'unanswered' : 'present'
}

async function lookUp(name: string, resolver: TxtResolver): Promise<string[] | 'no record' | 'no name' | 'unanswered'> {
  try {
    // A long record is in several strings.
    return (await resolver.resolveTxt(name)).map((strings) => strings.join(''))
  } catch (error) {
    const { code } = error as { code?: unknown }
    return code === 'ENODATA' ? 'no record' : code === 'ENOTFOUND' ? 'no name' : 'unanswered'
  }
}
