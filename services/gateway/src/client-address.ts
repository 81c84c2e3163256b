// Which address a request came from, and which block of addresses counts as one client. Pure. [D9]
import { isIP, isIPv4 } from 'node:net'

/**
 * The client's address.
 * @param peer address of the other end of the connection
 * @param forwardedFor the X-Forwarded-For header; each trusted proxy has appended the address that it saw
 * @param trustedHops proxies of ours in front: 0 believes only the connection
 */
export function clientAddressOf(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trustedHops: number,
): string {
  const direct = plainAddress(peer ?? '') ?? '0.0.0.0'
  if (trustedHops === 0 || !forwardedFor) return direct
  const entries = forwardedFor.split(',')
  // From the right: what stands further left than our own proxies wrote is the client's claim.
  const entry = entries[Math.max(0, entries.length - trustedHops)] ?? ''
  return plainAddress(entry.trim()) ?? direct
}

/** The block that shares one window: an IPv4 address, or the /64 of an IPv6 address, which is one subscriber. */
export function addressBlockOf(address: string): string {
  if (!address.includes(':')) return address
  const [left = '', right = ''] = address.split('::', 2)
  const head = left.split(':').filter(Boolean)
  const tail = address.includes('::') ? right.split(':').filter(Boolean) : []
  // An embedded IPv4 tail stands for two groups.
  const tailLength = tail.length + (tail.at(-1)?.includes('.') ? 1 : 0)
  const groups = address.includes('::')
    ? [...head, ...Array<string>(8 - head.length - tailLength).fill('0'), ...tail]
    : head
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/** Without brackets, port, zone and the IPv4-in-IPv6 form; undefined when it is no address. */
function plainAddress(text: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text
  const address = bare.replace(/%.*$/, '').toLowerCase()
  const mapped = /^::ffff:(.+)$/.exec(address)?.[1]
  if (mapped && isIPv4(mapped)) return mapped
  return isIP(address) === 0 ? undefined : address
}
