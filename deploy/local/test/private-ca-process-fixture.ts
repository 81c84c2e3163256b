// A process that trusts whom NODE_EXTRA_CA_CERTS names, as our services do: asks one database and one relay of mails, and says how it went.
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
  // Not by URL: a relay on this machine would be spoken to in the clear.
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
