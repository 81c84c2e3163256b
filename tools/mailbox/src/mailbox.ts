// The mailbox of the local start and of a trial. SMTP starts before the services; pages and API start when every service answers.
import { createLogger } from '@paraph/telemetry/logger'
import { mailboxApi } from './api.js'
import type { HomeData } from './home-page.js'
import { mailboxPages } from './pages.js'
import { startMailboxServer } from './server.js'
import { startSmtpServer } from './smtp.js'
import { openMailStore } from './store.js'

interface ShownData extends Pick<HomeData, 'sandboxKey' | 'sandboxKeyPath' | 'addresses' | 'signIn'> {
  port: number
}

interface MailboxDeps {
  folder: string
  smtpPort: number
  /** The address that SMTP listens on. */
  smtpHost?: string
}

/** Opens the store and starts the SMTP server; `show` starts the pages and the API. */
export async function startMailbox({ folder, smtpPort, smtpHost }: MailboxDeps) {
  const store = await openMailStore(folder)
  const smtp = await startSmtpServer(smtpPort, store.add, smtpHost)
  let web: Awaited<ReturnType<typeof startMailboxServer>> | undefined

  return {
    /** Opens the pages and the JSON API. */
    async show({ port, addresses, signIn, sandboxKey, sandboxKeyPath }: ShownData): Promise<void> {
      const home = () => ({
        apiUrl: addresses.find(({ name }) => name === 'API')?.url ?? '',
        signIn,
        sandboxKey,
        sandboxKeyPath,
        addresses: addresses.map((each) =>
          each.name === 'Mailbox' ? { ...each, note: `${each.note}, ${store.unread()} unread` } : each,
        ),
      })
      web = await startMailboxServer({
        port,
        routes: [mailboxApi(store), mailboxPages({ store, home })],
        logger: createLogger('mailbox', 'error'),
      })
    },
    async stop(): Promise<void> {
      await web?.stop()
      await smtp.stop()
    },
  }
}
