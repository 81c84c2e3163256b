// The addresses of a stack for people, and which of them answer.
import { baseUrl, OWNER_EMAIL } from './environment.js'
import type { Ports } from './ports.js'

export interface Address {
  name: string
  url: string
  /** A short description. */
  note: string
}

/** Every address, by its name in `stack.json`. */
export function addressesOf(ports: Pick<Ports, 'gateway' | 'mailbox'>) {
  const base = baseUrl(ports)
  return {
    apiUrl: `${base}/api/external/v2`,
    shareUrl: base,
    consoleUrl: `${base}/console`,
    docsUrl: `${base}/docs`,
    mailboxUrl: `http://localhost:${ports.mailbox}`,
  }
}

/** The addresses that answer. */
export async function answeringAddresses(ports: Pick<Ports, 'gateway' | 'mailbox'>): Promise<Address[]> {
  const { apiUrl, docsUrl, consoleUrl, mailboxUrl } = addressesOf(ports)
  const [hasReference, hasConsole] = await Promise.all([answers(docsUrl), answers(consoleUrl)])
  return [
    { name: 'API', url: apiUrl, note: 'Base address of the four endpoints' },
    ...(hasReference ? [{ name: 'Reference', url: docsUrl, note: 'Every field, with samples' }] : []),
    ...(hasConsole
      ? [{ name: 'Console', url: consoleUrl, note: `Keys, usage, contracts. Sign in as ${OWNER_EMAIL}` }]
      : []),
    { name: 'Mailbox', url: mailboxUrl, note: 'Every e-mail that the platform sends' },
  ]
}

async function answers(url: string): Promise<boolean> {
  // The gateway listens on IPv4 alone; a client may try `localhost` as IPv6 first.
  const answer = await fetch(url.replace('localhost', '127.0.0.1'), {
    redirect: 'manual',
    signal: AbortSignal.timeout(5_000),
  }).catch(() => undefined)
  await answer?.body?.cancel()
  return answer !== undefined && answer.status < 400
}
