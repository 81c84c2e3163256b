// The mailbox as a process of its own, for a trial on a cluster. SMTP accepts mails from every pod. Pages and API stay on 127.0.0.1: only
// a forwarded port (kubectl port-forward) reaches them. [local-stack: the mailbox]
import { mkdir } from 'node:fs/promises'
import { addressesOf, describeAddresses } from './addresses.js'
import { readMailboxConfig } from './config.js'
import { startMailbox } from './mailbox.js'

const config = readMailboxConfig()
await mkdir(config.MAIL_FOLDER, { recursive: true, mode: 0o700 })
const mailbox = await startMailbox({ folder: config.MAIL_FOLDER, smtpPort: config.SMTP_PORT, smtpHost: '0.0.0.0' })
await mailbox.show({
  port: config.PORT,
  addresses: describeAddresses(addressesOf(config.BASE_URL, `http://localhost:${config.PORT}`)),
  signIn: config.SIGN_IN,
  sandboxKey: config.SANDBOX_KEY,
  sandboxKeyPath: config.SANDBOX_KEY_PATH,
})
// As process 1 of a container, node has no default action for a signal.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void mailbox.stop())
