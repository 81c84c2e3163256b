// Which addresses a webhook may reach: those of the public internet. [D65, IANA special-purpose address registries]
// The address is checked when the connection is made, so that a name cannot resolve to another one after a check.
import type { lookup as resolve, LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const PRIVATE_V4 = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  PRIVATE_V4.addSubnet(net, prefix, 'ipv4')

/** Global unicast, without what lies in it for other purposes: protocol assignments, documentation, 6to4. */
const GLOBAL_V6 = new BlockList()
GLOBAL_V6.addSubnet('2000::', 3, 'ipv6')
const SPECIAL_V6 = new BlockList()
for (const [net, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  SPECIAL_V6.addSubnet(net, prefix, 'ipv6')

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** True for an address of the public internet. @param address an IP address without brackets and zone */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !PRIVATE_V4.check(address, 'ipv4')
  return family === 6 && GLOBAL_V6.check(address, 'ipv6') && !SPECIAL_V6.check(address, 'ipv6')
}

export const isLoopback = (address: string): boolean =>
  isIP(address) !== 0 && LOOPBACK.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')

/** The connection would leave the public internet. */
export class ForbiddenAddress extends Error {
  constructor() {
    super('The address is not public.')
  }
}

/**
 * A `lookup` for connections that fails with ForbiddenAddress if a name resolves to any address that is not allowed. Node does not call it
 * for a host that is an IP address: `hostOf` a URL must be checked too.
 */
export const createGuardedLookup =
  (isAllowed: (address: string) => boolean, look: typeof resolve): LookupFunction =>
  (hostname, options, done) => {
    look(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [first] = addresses ?? []
      if (error || !first) return done(error ?? new Error('The name has no address.'), '', 0)
      if (!addresses.every(({ address }) => isAllowed(address))) return done(new ForbiddenAddress(), '', 0)
      // With `all`, Node tries the addresses one after the other.
      if (options.all) return done(null, addresses)
      done(null, first.address, first.family)
    })
  }
