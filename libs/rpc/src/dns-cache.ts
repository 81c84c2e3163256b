// A DNS cache: a late or unavailable resolver, or a lost packet, must not become an outage of a service.
// The pools close idle connections after seconds, so a busy service resolves names often; the C library waits 5 s for a lost answer and
// has four threads for all lookups.
// Owns: when a cached answer is used. Does not own: handling an outdated address (the connection's time limit, the retry).
import { lookup as askResolver, type LookupAddress, type LookupOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import { withTimeout } from '@paraph/protocol/deadline'

/** A cached answer younger than this is used without a lookup. */
const FRESH_MS = 5_000
/** Ten times as long as a nearby resolver takes, and a twelfth of the time limit of a connection. */
const LOOKUP_MS_MAX = 250

type Resolve = (hostname: string, options: LookupOptions & { all: true }) => Promise<LookupAddress[]>

/**
 * A lookup function for `net.connect`. It waits for the first answer for a name and passes its error on; later it returns the last
 * answer whenever the resolver is late or fails. One lookup at a time per name. It never evicts a name: use it for hosts from the settings,
 * not for hosts from requests.
 */
export function createLookup(resolve: Resolve = promisify(askResolver)): LookupFunction {
  const answers = new Map<string, { addresses: LookupAddress[]; atMs: number }>()
  const running = new Map<string, Promise<LookupAddress[]>>()

  function ask(key: string, hostname: string, options: LookupOptions): Promise<LookupAddress[]> {
    const current = running.get(key)
    if (current) return current
    const answer = resolve(hostname, { ...options, all: true })
      .then((addresses) => {
        answers.set(key, { addresses, atMs: performance.now() })
        return addresses
      })
      .finally(() => running.delete(key))
    running.set(key, answer)
    return answer
  }

  async function addressesOf(hostname: string, options: LookupOptions): Promise<LookupAddress[]> {
    const key = `${hostname} ${options.family ?? 0} ${options.hints ?? 0}`
    const cached = answers.get(key)
    if (cached && performance.now() - cached.atMs < FRESH_MS) return cached.addresses
    const answer = ask(key, hostname, options)
    if (!cached) return answer
    return withTimeout(LOOKUP_MS_MAX, answer).catch(() => cached.addresses)
  }

  return (hostname, options, callback) => {
    addressesOf(hostname, options).then(
      (addresses) => {
        if (options.all) return callback(null, addresses)
        const [{ address, family } = { address: '', family: 0 }] = addresses
        callback(null, address, family)
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }
}
