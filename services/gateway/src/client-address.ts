// Which address a request came from. Pure. [D9]
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

/** Without brackets, port, zone and the IPv4-in-IPv6 form; undefined when it is no address. */
function plainAddress(text: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text
  const address = bare.replace(/%.*$/, '').toLowerCase()
  const mapped = /^::ffff:(.+)$/.exec(address)?.[1]
  if (mapped && isIPv4(mapped)) return mapped
  return isIP(address) === 0 ? undefined : address
}
