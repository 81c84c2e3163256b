// The addresses of hosts, remembered: a resolver that is late, loses a packet or is away must not be an outage of ours.
// The pools close what lies idle after seconds, so a busy service asks for names again and again; the C library waits 5 s for an answer
// that got lost, and has four threads for all who ask.
// Owns: when what is remembered counts. Does not own: what is done when the address is an old one (the connection's time limit, the retry).
import { lookup as askResolver, type LookupAddress, type LookupOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { promisify } from 'node:util'

/** A younger answer is used without asking. */
const FRESH_MS = 5_000
/** A resolver nearby answers in a tenth of it; a connection may take twelve times as long. */
const PATIENCE_MS = 250

type Resolve = (hostname: string, options: LookupOptions & { all: true }) => Promise<LookupAddress[]>

/**
 * For `net.connect`. The first answer for a name is waited for, and its error is passed on; from then on the last answer counts
 * whenever the resolver has none in time. One question at a time for a name. Keeps every name that it was asked for: for hosts out of
 * the settings, not for those that strangers name.
 */
export function createLookup(resolve: Resolve = promisify(askResolver)): LookupFunction {
  const known = new Map<string, { addresses: LookupAddress[]; atMs: number }>()
  const asked = new Map<string, Promise<LookupAddress[]>>()

  function ask(key: string, hostname: string, options: LookupOptions): Promise<LookupAddress[]> {
    const underWay = asked.get(key)
    if (underWay) return underWay
    const answer = resolve(hostname, { ...options, all: true })
      .then((addresses) => {
        known.set(key, { addresses, atMs: performance.now() })
        return addresses
      })
      .finally(() => asked.delete(key))
    asked.set(key, answer)
    return answer
  }

  async function addressesOf(hostname: string, options: LookupOptions): Promise<LookupAddress[]> {
    const key = `${hostname} ${options.family ?? 0} ${options.hints ?? 0}`
    const remembered = known.get(key)
    if (remembered && performance.now() - remembered.atMs < FRESH_MS) return remembered.addresses
    const answer = ask(key, hostname, options)
    if (!remembered) return answer
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<LookupAddress[]>((give) => {
      timer = setTimeout(() => give(remembered.addresses), PATIENCE_MS)
    })
    return Promise.race([answer.catch(() => remembered.addresses), late]).finally(() => clearTimeout(timer))
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
