// A process that trusts the CAs in NODE_EXTRA_CA_CERTS, like our services. Connects to one database and one SMTP server and prints both
// results.
import { openDirectConnection } from '@paraph/database/direct-connection'
import { createMailer } from '@paraph/notification/smtp/mailer'
import { readSmtpUrl } from '@paraph/notification/smtp/smtp-url'

const [, , databaseUrl = '', smtpUrl = ''] = process.argv
const database = await openDirectConnection(databaseUrl, 'private-ca').then(
  async (connection) => {
    await connection.close()
    return 'works'
  },
  (error: unknown) => (error as { code?: string }).code ?? 'unknown',
)
const mailer = createMailer({
  // Set here, because a URL of this machine would mean SMTP without TLS.
  smtp: { ...readSmtpUrl(smtpUrl), tls: 'required' },
  fromAddress: 'sign@mail.paraph.test',
  domain: 'mail.paraph.test',
  connections: 1,
})
const { failure } = await mailer.check()
const { outcome: mail } = await mailer.send(
  {
    messageId: 'm@mail.paraph.test',
    fromName: 'Paraph',
    to: { name: 'Jane Roe', address: 'jane.roe@example.test' },
    replyTo: undefined,
    subject: 'TLS',
    text: 'TLS\n',
    html: '<p>TLS</p>',
  },
  AbortSignal.timeout(10_000),
)
mailer.close()
process.stdout.write(JSON.stringify({ database, relay: failure?.detail ?? failure?.reason ?? 'works', mail }))
