// The mailbox of the local start. SMTP starts before the services; pages and API start when every service answers.
import { join } from 'node:path'
import { createLogger } from '@paraph/telemetry/logger'
import { mailboxApi } from './api.js'
import type { HomeData } from './home-page.js'
import { mailboxPages } from './pages.js'
import { startMailboxServer } from './server.js'
import { startSmtpServer } from './smtp.js'
import { openMailStore } from './store.js'

interface ShownData extends Pick<HomeData, 'sandboxKey' | 'addresses' | 'signIn'> {
  port: number
  /** Relative to the checkout. */
  dataFolder: string
}

/** Opens the store and starts the SMTP server; `show` starts the pages and the API. */
export async function startMailbox({ folder, smtpPort }: { folder: string; smtpPort: number }) {
  const store = await openMailStore(folder)
  const smtp = await startSmtpServer(smtpPort, store.add)
  let web: Awaited<ReturnType<typeof startMailboxServer>> | undefined

  return {
    /** Opens the pages and the JSON API. */
    async show({ port, addresses, signIn, sandboxKey, dataFolder }: ShownData): Promise<void> {
      const home = () => ({
        apiUrl: addresses.find(({ name }) => name === 'API')?.url ?? '',
        signIn,
        sandboxKey,
        sandboxKeyPath: join(dataFolder, 'sandbox-key'),
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
